import { useId, useState } from 'react';
import type { JsonValue } from '../../../src/protocol/json.ts';
import type { Choice, QuestionForm } from '../model/question-form.ts';
import { Costs } from './candidates-view.tsx';
import { useChat } from './chat-context.tsx';

export interface ChoiceFormProps {
  readonly form: Extract<QuestionForm, { kind: 'choice' }>;
  readonly isDisabled: boolean;
  readonly onAnswer: (payload: JsonValue) => void;
}

/** One of several: plain buttons, or cards where the choices have something to compare; or words of one's own. */
export function ChoiceForm({ form, isDisabled, onAnswer }: ChoiceFormProps) {
  const hasDetails = form.choices.some(({ summary, cost, costItems }) => summary ?? cost ?? costItems[0]);
  const choose = (choice: Choice): void => onAnswer({ [form.member]: choice.value });
  return (
    <>
      <div className={hasDetails ? 'plans' : 'choices'}>
        {form.choices.map((choice, index) =>
          hasDetails ? (
            <ChoiceCard key={choice.title} choice={choice} isDisabled={isDisabled} onChoose={choose} />
          ) : (
            <button
              key={`${String(choice.value)} ${choice.title}`}
              type="button"
              className={index === 0 ? 'primary' : ''}
              disabled={isDisabled}
              onClick={() => choose(choice)}
            >
              {choice.title}
            </button>
          ),
        )}
      </div>
      {form.words !== undefined && (
        <OwnWords words={form.words} isDisabled={isDisabled} onAnswer={onAnswer} />
      )}
    </>
  );
}

interface ChoiceCardProps {
  readonly choice: Choice;
  readonly isDisabled: boolean;
  readonly onChoose: (choice: Choice) => void;
}

function ChoiceCard({ choice, isDisabled, onChoose }: ChoiceCardProps) {
  const { t } = useChat();
  return (
    <div className="card plan">
      <h2>{choice.title}</h2>
      {choice.summary !== undefined && <p>{choice.summary}</p>}
      <Costs cost={choice.cost} items={choice.costItems} />
      <button type="button" className="primary" disabled={isDisabled} onClick={() => onChoose(choice)}>
        {t('question.choose', { title: choice.title })}
      </button>
    </div>
  );
}

interface OwnWordsProps extends Pick<ChoiceFormProps, 'isDisabled' | 'onAnswer'> {
  readonly words: { readonly member: string; readonly prompt: string };
}

function OwnWords({ words, isDisabled, onAnswer }: OwnWordsProps) {
  const { t } = useChat();
  const id = useId();
  const [text, setText] = useState('');
  return (
    <form
      className="own-words"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onAnswer({ [words.member]: text });
      }}
    >
      <label htmlFor={id}>{words.prompt === '' ? t('question.own') : words.prompt}</label>
      <div className="row">
        <input id={id} value={text} disabled={isDisabled} onChange={(event) => setText(event.target.value)} />
        <button type="submit" disabled={isDisabled || text.trim() === ''}>
          {t('question.answer')}
        </button>
      </div>
    </form>
  );
}
