import { Braces, FileDown, Menu, Plus } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { asMarkdown } from '../model/conversation.ts';
import { lastTurn, openInterrupts, type Thread } from '../model/thread.ts';
import { useChat, useChatState } from './chat-context.tsx';
import { Composer, composerId } from './composer.tsx';
import { Conversation } from './conversation.tsx';
import { Inspector } from './inspector.tsx';
import { saveFile } from './save-file.ts';
import { SettingsDialog } from './settings-dialog.tsx';
import { ThreadList } from './thread-list.tsx';

type Panel = 'none' | 'threads' | 'inspector';

export function App() {
  const { runner, t } = useChat();
  const isLoaded = useChatState((state) => state.isLoaded);
  const thread = useChatState(({ threads, currentId }) => threads.get(currentId));
  const [panel, setPanel] = useState<Panel>('none');
  const [hasSettings, setSettings] = useState(false);
  useDocument();
  const isBlocked = useIsBlocked(thread);
  if (!isLoaded || thread === undefined) return null;
  const isRunning = lastTurn(thread)?.status.kind === 'running';
  return (
    <div className={`app show-${panel}`}>
      <a className="skip" href={`#${composerId}`}>
        {t('app.skip')}
      </a>
      <div className="side">
        <ThreadList onOpened={() => setPanel('none')} onSettings={() => setSettings(true)} />
      </div>
      {panel === 'threads' && (
        <button
          type="button"
          className="shade"
          aria-label={t('app.closeChats')}
          onClick={() => setPanel('none')}
        />
      )}
      <main>
        <Header thread={thread} panel={panel} onPanel={setPanel} />
        <Conversation thread={thread} />
        <Composer
          threadId={thread.id}
          isRunning={isRunning}
          isBlocked={isBlocked}
          onSend={(text) => void runner.send(thread.id, text)}
          onStop={() => void runner.cancel(thread.id)}
        />
      </main>
      {panel === 'inspector' && <Inspector threadId={thread.id} onClose={() => setPanel('none')} />}
      {hasSettings && <SettingsDialog onClose={() => setSettings(false)} />}
    </div>
  );
}

/** Questions wait for answers, and none of them has run out of time. */
function useIsBlocked(thread: Thread | undefined): boolean {
  const [now, setNow] = useState(() => Date.now());
  const waiting = thread === undefined ? [] : openInterrupts(thread);
  const until = Math.min(
    ...waiting.map(({ expiresAt }) => Date.parse(expiresAt ?? '') || Number.POSITIVE_INFINITY),
  );
  useEffect(() => {
    const ms = until - Date.now();
    // Timers of a browser hold no longer waits than this.
    if (ms > 2 ** 31 - 1) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, ms));
    return () => clearTimeout(timer);
  }, [until]);
  return waiting.length > 0 && until > now;
}

interface HeaderProps {
  readonly thread: Thread;
  readonly panel: Panel;
  readonly onPanel: (panel: Panel) => void;
}

function Header({ thread, panel, onPanel }: HeaderProps) {
  const { store, t } = useChat();
  return (
    <header className="top">
      <button
        type="button"
        className="icon quiet menu"
        aria-label={t('app.openChats')}
        aria-expanded={panel === 'threads'}
        onClick={() => onPanel(panel === 'threads' ? 'none' : 'threads')}
      >
        <Menu aria-hidden />
      </button>
      <h1>{thread.title === '' ? t('thread.untitled') : thread.title}</h1>
      <ConnectionState threadId={thread.id} />
      <button
        type="button"
        className="icon quiet compact-only"
        aria-label={t('app.newChat')}
        onClick={() => store.openNew()}
      >
        <Plus aria-hidden />
      </button>
      <button
        type="button"
        className="icon quiet"
        aria-label={t('thread.save')}
        disabled={thread.turns.length === 0}
        onClick={() => saveFile(`${thread.title}.md`, asMarkdown(thread), 'text/markdown')}
      >
        <FileDown aria-hidden />
      </button>
      <button
        type="button"
        className="icon quiet"
        aria-label={t('app.openInspector')}
        aria-pressed={panel === 'inspector'}
        onClick={() => onPanel(panel === 'inspector' ? 'none' : 'inspector')}
      >
        <Braces aria-hidden />
      </button>
    </header>
  );
}

function ConnectionState({ threadId }: { readonly threadId: string }) {
  const { t } = useChat();
  const connection = useChatState(({ connections }) => connections.get(threadId)) ?? {
    kind: 'idle' as const,
  };
  const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  const kind = isOnline ? connection.kind : 'offline';
  const attempt = connection.kind === 'waiting' ? connection.attempt : 0;
  return (
    <p className={`connection ${kind}`} role="status">
      <span className="dot" aria-hidden />
      <span className="connection-text">{t(`connection.${kind}`, { attempt })}</span>
    </p>
  );
}

function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Language and colours belong to the whole document. */
function useDocument(): void {
  const { language } = useChat();
  const theme = useChatState(({ settings }) => settings.theme);
  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dataset['theme'] = theme;
  }, [language, theme]);
}
