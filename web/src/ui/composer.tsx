import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useChat } from './chat-context.tsx';

export interface ComposerProps {
  readonly threadId: string;
  readonly isRunning: boolean;
  /** A question is open: it must be answered first. */
  readonly isBlocked: boolean;
  readonly onSend: (text: string) => void;
  readonly onStop: () => void;
}

export const composerId = 'composer';

/** Where messages are written. Grows with its text; Enter sends, but not while an input method is composing. */
export function Composer({ threadId, isRunning, isBlocked, onSend, onStop }: ComposerProps) {
  const { t } = useChat();
  const hintId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const canSend = !isRunning && !isBlocked && text.trim() !== '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation begins with an empty field.
  useEffect(() => {
    setText('');
    if (matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, [threadId]);
  const send = (): void => {
    if (!canSend) return;
    onSend(text.trim());
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className="composer-box">
        <textarea
          id={composerId}
          ref={field}
          rows={1}
          value={text}
          aria-label={t('composer.label')}
          aria-describedby={hintId}
          placeholder={isBlocked ? t('composer.waiting') : t('composer.placeholder')}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {isRunning ? (
          <button type="button" className="icon primary" aria-label={t('composer.stop')} onClick={onStop}>
            <Square aria-hidden fill="currentColor" />
          </button>
        ) : (
          <button type="submit" className="icon primary" aria-label={t('composer.send')} disabled={!canSend}>
            <ArrowUp aria-hidden />
          </button>
        )}
      </div>
      <p id={hintId} className="hint">
        {t('composer.hint')}
      </p>
    </form>
  );
}
