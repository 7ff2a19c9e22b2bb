import { CircleAlert, CircleCheck, CirclePause, CircleX, LoaderCircle } from 'lucide-react';

type MarkState = 'running' | 'done' | 'failed' | 'waiting' | 'stopped';

export function StateMark({ state, label }: { readonly state: MarkState; readonly label: string }) {
  const Icon = {
    running: LoaderCircle,
    done: CircleCheck,
    failed: CircleX,
    waiting: CirclePause,
    stopped: CircleAlert,
  }[state];
  return (
    <span className={`mark ${state}`}>
      <Icon aria-hidden />
      <span className="mark-label">{label}</span>
    </span>
  );
}
