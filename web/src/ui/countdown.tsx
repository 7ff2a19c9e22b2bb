import { useEffect, useState } from 'react';
import { useChat } from './chat-context.tsx';

export interface CountdownProps {
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly onEnd: () => void;
}

/** How long a question still waits. Screen readers may read it, but are not told each second. */
export function Countdown({ until, onEnd }: CountdownProps) {
  const { t } = useChat();
  const [now, setNow] = useState(() => Date.now());
  const isOver = now >= until;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end is told once, whoever listens then.
  useEffect(() => {
    if (isOver) return onEnd();
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isOver]);
  if (isOver) return <p className="countdown over">{t('question.expired')}</p>;
  return (
    <p className="countdown" role="timer" aria-live="off">
      {t('question.expires', { time: clock(until - now) })}
    </p>
  );
}

/** `m:ss`, or `h:mm:ss` from an hour on. */
function clock(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
