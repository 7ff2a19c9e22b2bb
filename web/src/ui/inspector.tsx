/** The raw events of a conversation, for developers. Only the newest that fit are drawn; all of them can be saved. */
import { Copy, Download, X } from 'lucide-react';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import { emptyLog, filterEvents, type LoggedEvent, toJsonLines, typeOf } from '../model/event-log.ts';
import { useChat, useChatState } from './chat-context.tsx';
import { copyText } from './copy-text.ts';
import { saveFile } from './save-file.ts';

const maxDrawn = 200;

export function Inspector({
  threadId,
  onClose,
}: {
  readonly threadId: string;
  readonly onClose: () => void;
}) {
  const { t } = useChat();
  // Drawn when there is time for it: the conversation comes first.
  const log = useDeferredValue(useChatState(({ logs }) => logs.get(threadId)) ?? emptyLog);
  const [words, setWords] = useState('');
  const [isCopied, setCopied] = useState(false);
  const found = useMemo(() => filterEvents(log.entries, words), [log, words]);
  const copy = async (): Promise<void> => {
    await copyText(toJsonLines(found));
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <aside className="inspector" aria-label={t('inspector.title')}>
      <header>
        <h2>{t('inspector.title')}</h2>
        <span className="hint">{t('inspector.count', { shown: found.length, total: log.total })}</span>
        <button type="button" className="icon quiet" aria-label={t('inspector.close')} onClick={onClose}>
          <X aria-hidden />
        </button>
      </header>
      <div className="inspector-tools">
        <input
          type="search"
          value={words}
          aria-label={t('inspector.filter')}
          placeholder={t('inspector.filter')}
          onChange={(event) => setWords(event.target.value)}
        />
        <button type="button" disabled={found.length === 0} onClick={() => void copy()}>
          <Copy aria-hidden />
          {isCopied ? t('inspector.copied') : t('inspector.copy')}
        </button>
        <button
          type="button"
          disabled={found.length === 0}
          onClick={() => saveFile(`events-${threadId}.jsonl`, toJsonLines(found), 'application/jsonl')}
        >
          <Download aria-hidden />
          {t('inspector.save')}
        </button>
      </div>
      {found.length === 0 && <p className="hint">{t(words === '' ? 'inspector.empty' : 'inspector.none')}</p>}
      <ol className="events" reversed>
        {found
          .slice(-maxDrawn)
          .reverse()
          .map((entry) => (
            <EventRow key={entry.number} entry={entry} />
          ))}
      </ol>
      <StateView threadId={threadId} />
    </aside>
  );
}

const EventRow = memo(function EventRow({ entry }: { readonly entry: LoggedEvent }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className="hint">{entry.number}</span>
          <code>{typeOf(entry)}</code>
          <time className="hint" dateTime={new Date(entry.at).toISOString()}>
            {new Date(entry.at).toISOString().slice(11, 23)}
          </time>
        </summary>
        {isOpen && <pre>{JSON.stringify(entry.event, undefined, 2)}</pre>}
      </details>
    </li>
  );
});

function StateView({ threadId }: { readonly threadId: string }) {
  const { t } = useChat();
  const state = useChatState(({ threads }) => threads.get(threadId)?.state);
  const text = JSON.stringify(state ?? {}, undefined, 2);
  if (text === '{}') return null;
  return (
    <details className="shared-state">
      <summary>{t('inspector.state')}</summary>
      <pre>{text}</pre>
    </details>
  );
}
