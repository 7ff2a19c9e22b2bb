/** The policy for a lost connection, in its one place. A run that somebody else still reads goes on. */
import { type Fault, fault } from '../errors/fault.ts';
import type { Clock } from '../ports/runtime.ts';
import type { LiveRun } from './live-runs.ts';
import type { LostReader } from './run-service.ts';

export interface LostReaderSettings {
  /** What the deployment wants of every door; undefined leaves it to the door. */
  readonly onDisconnect: 'cancel' | 'detach' | undefined;
  readonly detachGraceMs: number;
}

/** `failed` is told of a kernel that could not be told to cancel. */
export function readerLost(
  run: LiveRun,
  usual: LostReader,
  { onDisconnect, detachGraceMs }: LostReaderSettings,
  clock: Clock,
  failed: (problem: Fault) => void,
): void {
  const stop = (): void => {
    if (run.feed.readers === 0) run.stop(fault('cancelled')).catch(failed);
  };
  const policy = usual === 'told-to-return' ? usual : (onDisconnect ?? usual);
  if (policy === 'cancel') stop();
  else clock.after(detachGraceMs, stop);
}
