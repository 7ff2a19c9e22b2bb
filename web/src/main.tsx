/** The chat page. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ChatStore } from './runtime/chat-store.ts';
import { Runner } from './runtime/runner.ts';
import './styles/page.css';
import { App } from './ui/app.tsx';
import { ChatProvider } from './ui/chat-context.tsx';

const store = new ChatStore();
const runner = new Runner(store);
addEventListener('pagehide', () => void store.archive.flush());

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <ChatProvider store={store} runner={runner}>
        <App />
      </ChatProvider>
    </StrictMode>,
  );
}
await store.load();
runner.takeUp();
