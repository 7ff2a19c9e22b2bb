/** The turns of the open conversation, kept at the newest line unless the person has scrolled away from it. */
import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Interrupt } from '../../../src/protocol/interrupt.ts';
import { openInterrupts, type Thread } from '../model/thread.ts';
import type { TextKey } from '../texts/en.ts';
import { useChat } from './chat-context.tsx';
import { TurnView } from './turn-view.tsx';

/** Closer to the end than this counts as being there. */
const nearPx = 80;
const none: readonly Interrupt[] = [];

export function Conversation({ thread }: { readonly thread: Thread }) {
  const { runner, t } = useChat();
  const { box, content, isAway, onScroll, jump } = useEndOf(thread);
  const threadId = thread.id;
  const waiting = openInterrupts(thread);
  const onAnswer = useCallback(
    (entries: Parameters<typeof runner.answer>[1]) => void runner.answer(threadId, entries),
    [runner, threadId],
  );
  const onRetry = useCallback(() => void runner.retry(threadId), [runner, threadId]);
  return (
    <section
      className="conversation"
      ref={box}
      onScroll={onScroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label={t('app.conversation')}
    >
      {thread.turns.length === 0 && <Welcome threadId={threadId} />}
      <div className="turns" ref={content}>
        {thread.turns.map((turn, index) => (
          <TurnView
            key={turn.runId}
            turn={turn}
            previous={thread.turns[index - 1]}
            isLast={index === thread.turns.length - 1}
            questions={index === thread.turns.length - 1 ? waiting : none}
            onAnswer={onAnswer}
            onRetry={onRetry}
          />
        ))}
      </div>
      {isAway && (
        <button type="button" className="icon jump" aria-label={t('turn.jump')} onClick={jump}>
          <ArrowDown aria-hidden />
        </button>
      )}
      <Announcer thread={thread} />
    </section>
  );
}

function useEndOf(thread: Thread) {
  const box = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const lastTop = useRef(0);
  const [isAway, setAway] = useState(false);
  const jump = useCallback((): void => {
    isFollowing.current = true;
    setAway(false);
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, []);
  const turnCount = thread.turns.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn or another conversation is looked at from its end.
  useLayoutEffect(jump, [thread.id, turnCount, jump]);
  useEffect(() => {
    const inner = content.current;
    if (inner === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) box.current?.scrollTo({ top: box.current.scrollHeight });
    });
    observer.observe(inner);
    return () => observer.disconnect();
  }, []);
  const onScroll = (): void => {
    const element = box.current;
    if (element === null) return;
    const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
    // An event of our own scrolling may come when the text has grown again: only a person moves upwards.
    const hasMovedUp = element.scrollTop < lastTop.current - 1;
    lastTop.current = element.scrollTop;
    if (!isNear && !hasMovedUp) return;
    isFollowing.current = isNear;
    setAway(!isNear);
  };
  return { box, content, isAway, onScroll, jump };
}

const suggestions: readonly TextKey[] = ['welcome.1', 'welcome.2', 'welcome.3', 'welcome.4'];

function Welcome({ threadId }: { readonly threadId: string }) {
  const { runner, t } = useChat();
  return (
    <div className="welcome">
      <h2>{t('welcome.title')}</h2>
      <p>{t('welcome.text')}</p>
      <ul>
        {suggestions.map((key) => (
          <li key={key}>
            <button type="button" onClick={() => void runner.send(threadId, t(key))}>
              {t(key)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Tells screen readers how a turn ended; a streaming text would be read in pieces. */
function Announcer({ thread }: { readonly thread: Thread }) {
  const { t } = useChat();
  const [said, setSaid] = useState('');
  const turn = thread.turns.at(-1);
  const kind = turn?.status.kind;
  const runId = turn?.runId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once for each end of each run.
  useEffect(() => {
    if (kind === 'running') setSaid(t('turn.working'));
    else if (kind === 'success') setSaid(t('turn.done'));
    else if (kind === 'interrupted') setSaid(t('turn.asks'));
    else if (kind === 'cancelled') setSaid(t('turn.cancelled'));
    else setSaid('');
  }, [runId, kind]);
  return (
    <p className="sr-only" role="status">
      {said}
    </p>
  );
}
