/** The questions that a run waits for. One question is answered at once; of several, all must be answered together. */
import { MessageCircleQuestion } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { Interrupt, ResumeEntry } from '../../../src/protocol/interrupt.ts';
import type { JsonValue } from '../../../src/protocol/json.ts';
import { factsOf, messageOf, questionForm } from '../model/question-form.ts';
import { useChat } from './chat-context.tsx';
import { ChoiceForm } from './choice-form.tsx';
import { Countdown } from './countdown.tsx';
import { Markdown } from './markdown.tsx';

// Large, and only needed for questions that are no simple choice.
const SchemaForm = lazy(async () => ({ default: (await import('./schema-form.tsx')).SchemaForm }));

export interface QuestionPanelProps {
  readonly interrupts: readonly Interrupt[];
  readonly onAnswer: (entries: readonly ResumeEntry[]) => void;
}

export function QuestionPanel({ interrupts, onAnswer }: QuestionPanelProps) {
  const { t } = useChat();
  const [given, setGiven] = useState<ReadonlyMap<string, ResumeEntry>>(new Map());
  const take = (entry: ResumeEntry): void => {
    const all = new Map(given).set(entry.interruptId, entry);
    setGiven(all);
    const entries = interrupts.flatMap(({ id }) => all.get(id) ?? []);
    if (entries.length === interrupts.length) onAnswer(entries);
  };
  return (
    <section className="questions" aria-label={t('question.title')}>
      {interrupts.length > 1 && <p className="hint">{t('question.all')}</p>}
      {interrupts.map((interrupt) => (
        <Question
          key={interrupt.id}
          interrupt={interrupt}
          isAnswered={given.has(interrupt.id)}
          onAnswer={take}
        />
      ))}
    </section>
  );
}

interface QuestionProps {
  readonly interrupt: Interrupt;
  readonly isAnswered: boolean;
  readonly onAnswer: (entry: ResumeEntry) => void;
}

function Question({ interrupt, isAnswered, onAnswer }: QuestionProps) {
  const { t } = useChat();
  const form = useMemo(() => questionForm(interrupt), [interrupt]);
  const [isExpired, setExpired] = useState(false);
  const message = messageOf(interrupt, form);
  const facts = factsOf(interrupt).filter(([, text]) => !message.includes(text));
  const answer = (payload: JsonValue): void =>
    onAnswer({ interruptId: interrupt.id, status: 'resolved', payload });
  const isDisabled = isAnswered || isExpired;
  return (
    <div className={`card question ${isAnswered ? 'answered' : ''}`}>
      <header>
        <MessageCircleQuestion aria-hidden />
        <div className="question-text">
          <Markdown text={message} isOpen={false} />
        </div>
      </header>
      {facts.length > 0 && (
        <dl className="facts">
          {facts.map(([name, text]) => (
            <div key={name}>
              <dt>{t(`fact.${name}` as 'fact.title')}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {form.kind === 'choice' ? (
        <ChoiceForm form={form} isDisabled={isDisabled} onAnswer={answer} />
      ) : (
        <Suspense>
          <SchemaForm
            id={`q-${interrupt.id}`}
            schema={form.schema}
            isDisabled={isDisabled}
            onAnswer={answer}
          />
        </Suspense>
      )}
      <footer>
        {interrupt.expiresAt !== undefined && (
          <Countdown until={Date.parse(interrupt.expiresAt)} onEnd={() => setExpired(true)} />
        )}
        <button
          type="button"
          className="quiet"
          disabled={isDisabled}
          onClick={() => onAnswer({ interruptId: interrupt.id, status: 'cancelled' })}
        >
          {t('question.dismiss')}
        </button>
      </footer>
    </div>
  );
}
