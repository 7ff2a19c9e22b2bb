import { Plus, Settings2, Trash2 } from 'lucide-react';
import type { Thread } from '../model/thread.ts';
import { useChat, useChatState } from './chat-context.tsx';

export interface ThreadListProps {
  readonly onOpened: () => void;
  readonly onSettings: () => void;
}

/** The conversations of this browser, the one that was changed last on top. */
export function ThreadList({ onOpened, onSettings }: ThreadListProps) {
  const { store, t } = useChat();
  const threads = useChatState(({ threads }) => threads);
  const currentId = useChatState(({ currentId }) => currentId);
  const shown = [...threads.values()].filter(({ turns }) => turns.length > 0).sort(newestFirst);
  const remove = ({ id, title }: Thread): void => {
    if (confirm(`${title}\n\n${t('thread.deleteAsk')}`)) store.remove(id);
  };
  return (
    <nav className="threads" aria-label={t('app.chats')}>
      <p className="brand">agentcore-agui</p>
      <button
        type="button"
        className="new-chat"
        onClick={() => {
          store.openNew();
          onOpened();
        }}
      >
        <Plus aria-hidden />
        {t('app.newChat')}
      </button>
      <ul>
        {shown.map((thread) => (
          <li key={thread.id} className={thread.id === currentId ? 'current' : ''}>
            <button
              type="button"
              className="thread"
              aria-current={thread.id === currentId ? 'page' : undefined}
              onClick={() => {
                store.open(thread.id);
                onOpened();
              }}
            >
              {thread.title === '' ? t('thread.untitled') : thread.title}
              {thread.turns.at(-1)?.status.kind === 'running' && <span className="pulse" aria-hidden />}
            </button>
            <button
              type="button"
              className="icon quiet"
              aria-label={t('thread.delete', { title: thread.title })}
              onClick={() => remove(thread)}
            >
              <Trash2 aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="quiet settings-button" onClick={onSettings}>
        <Settings2 aria-hidden />
        {t('app.settings')}
      </button>
    </nav>
  );
}

/** By the last turn and not by the last event, so that the list does not jump while two answers come. */
function newestFirst(a: Thread, b: Thread): number {
  return (b.turns.at(-1)?.startedAt ?? b.createdAt) - (a.turns.at(-1)?.startedAt ?? a.createdAt);
}
