/** One turn: what the person said or answered, what the agent showed, how it ended. */
import { CircleSlash, RotateCcw, TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import type { Interrupt, ResumeEntry } from '../../../src/protocol/interrupt.ts';
import { type JsonObject, stringAt } from '../../../src/protocol/json.ts';
import type { Failure } from '../model/failure.ts';
import { questionForm } from '../model/question-form.ts';
import { shownItems, type Turn } from '../model/thread.ts';
import { en, type TextKey } from '../texts/en.ts';
import type { Translate } from '../texts/translate.ts';
import { useChat } from './chat-context.tsx';
import { ItemView } from './item-view.tsx';
import { QuestionPanel } from './question-panel.tsx';

export interface TurnViewProps {
  readonly turn: Turn;
  readonly previous: Turn | undefined;
  readonly isLast: boolean;
  /** What waits for an answer behind this turn. */
  readonly questions: readonly Interrupt[];
  readonly onAnswer: (entries: readonly ResumeEntry[]) => void;
  readonly onRetry: () => void;
}

export const TurnView = memo(function TurnView({
  turn,
  previous,
  isLast,
  questions,
  onAnswer,
  onRetry,
}: TurnViewProps) {
  const { t } = useChat();
  const { status } = turn;
  const isLive = status.kind === 'running';
  const unfinished = isLive ? 'running' : status.kind === 'interrupted' ? 'waiting' : 'stopped';
  return (
    <article className="turn" aria-busy={isLive}>
      <AskedView turn={turn} previous={previous} />
      <section className="answer" aria-label={t('turn.agent')}>
        {shownItems(turn).map((item) => (
          <ItemView key={`${item.kind} ${item.id}`} item={item} unfinished={unfinished} />
        ))}
        {isLive && <p className="working" role="img" aria-label={t('turn.working')} />}
        {status.kind === 'cancelled' && (
          <p className="notice info">
            <CircleSlash aria-hidden />
            <span>{t('turn.cancelled')}</span>
            {isLast && <RetryButton onRetry={onRetry} />}
          </p>
        )}
        {status.kind === 'failed' && (
          <FailureView failure={status.failure} onRetry={isLast ? onRetry : undefined} />
        )}
        {questions.length > 0 && (
          <QuestionPanel key={turn.runId} interrupts={questions} onAnswer={onAnswer} />
        )}
        <Usage usage={turn.usage} />
      </section>
    </article>
  );
});

function AskedView({ turn, previous }: Pick<TurnViewProps, 'turn' | 'previous'>) {
  const { t } = useChat();
  if (turn.asked.kind === 'message') {
    return (
      <section className="asked" aria-label={t('turn.you')}>
        <p>{turn.asked.text}</p>
      </section>
    );
  }
  return (
    <section className="asked" aria-label={t('turn.answered')}>
      {turn.asked.entries.map((entry) => (
        <p key={entry.interruptId}>{answerText(entry, previous, t)}</p>
      ))}
    </section>
  );
}

/** The answer in the words of the question: the title of what was chosen, or the text that was written. */
function answerText(entry: ResumeEntry, previous: Turn | undefined, t: Translate): string {
  if (entry.status === 'cancelled') return t('turn.dismissed');
  const interrupts = previous?.status.kind === 'interrupted' ? previous.status.interrupts : [];
  const interrupt = interrupts.find(({ id }) => id === entry.interruptId);
  const form = interrupt && questionForm(interrupt);
  const payload = entry.payload ?? null;
  const values = typeof payload === 'object' && payload !== null ? Object.values(payload) : [payload];
  const chosen =
    form?.kind === 'choice' ? form.choices.find(({ value }) => values.includes(value)) : undefined;
  if (chosen !== undefined) return chosen.title;
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length === values.length && texts.length > 0 ? texts.join(', ') : JSON.stringify(payload);
}

function FailureView({
  failure,
  onRetry,
}: {
  readonly failure: Failure;
  readonly onRetry: (() => void) | undefined;
}) {
  const { t } = useChat();
  return (
    <div className="card failure" role="alert">
      <header>
        <TriangleAlert aria-hidden />
        <h2>{t(headline(failure))}</h2>
      </header>
      {failure.message !== '' && !isOwnWord(failure) && <p>{failure.message}</p>}
      <footer>
        <code>{failure.fault === undefined ? failure.code : `${failure.code} · ${failure.fault}`}</code>
        {failure.requestId !== undefined && <code>{t('turn.requestId', { id: failure.requestId })}</code>}
        {onRetry !== undefined && failure.remedy !== 'none' && <RetryButton onRetry={onRetry} />}
      </footer>
    </div>
  );
}

/** What no server said, but the client: the headline says the same in the person's language. */
function isOwnWord({ code }: Failure): boolean {
  return code === 'CONNECTION_FAILED' || code === 'TRUNCATED' || code === 'TIMEOUT';
}

function headline({ code, fault }: Failure): TextKey {
  if (fault === 'EXECUTION_NOT_FOUND' || fault === 'EXECUTION_LOST') return 'failure.lost';
  const key = `failure.${code}`;
  // Only keys that are there are returned.
  return key in en ? (key as TextKey) : 'failure.other';
}

function RetryButton({ onRetry }: { readonly onRetry: () => void }) {
  const { t } = useChat();
  return (
    <button type="button" className="retry" onClick={onRetry}>
      <RotateCcw aria-hidden />
      {t('turn.retry')}
    </button>
  );
}

function Usage({ usage }: { readonly usage: readonly JsonObject[] }) {
  const { t, language } = useChat();
  if (usage.length === 0) return null;
  const number = new Intl.NumberFormat(language);
  return (
    <ul className="usage" aria-label={t('usage.title')}>
      {usage.map((each) => (
        <li key={`${stringAt(each, 'provider')} ${stringAt(each, 'model')}`}>
          {[stringAt(each, 'provider'), stringAt(each, 'model')].filter(Boolean).join(' ')}{' '}
          {t('usage.tokens', { input: countIn(each, 'inputTokens'), output: countIn(each, 'outputTokens') })}
        </li>
      ))}
    </ul>
  );

  function countIn(each: JsonObject, name: string): string {
    const value = each[name];
    return typeof value === 'number' ? number.format(value) : '–';
  }
}
