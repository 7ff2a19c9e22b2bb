/**
 * Runs where several processes share a store: what others want of the runs here, and what is wanted here of theirs.
 */
import { fault } from '../errors/fault.ts';
import type { Clock, Runtime } from '../ports/runtime.ts';
import type { ThreadStore } from '../ports/thread-store.ts';
import type { ThreadAddress } from '../protocol/ids.ts';
import type { LiveRuns } from './live-runs.ts';
import type { ThreadDesk } from './thread-desk.ts';

/** From here on a run ends when another process asks for it, and when it is no longer ours to drive. */
export function obeyOthers(store: ThreadStore, liveRuns: LiveRuns, { log }: Runtime): void {
  store.shared?.listen((address, what) => {
    const run = liveRuns.find(address);
    if (run === undefined) return;
    const ended =
      what === 'cancel' ? run.stop(fault('cancelled'), 'all') : run.fail(fault('state-not-saved'));
    ended.catch((cause: unknown) => log.warn('kernel not told of a cancel', { cause }));
  });
}

/** How long a run elsewhere is given to end, and how often it is looked at. */
const patienceMs = 4_000;
const lookMs = 250;

export interface ElsewhereParts {
  readonly desk: ThreadDesk;
  readonly clock: Clock;
  readonly shared: NonNullable<ThreadStore['shared']>;
}

/** Resolves when the run has ended; rejects with `cancel-failed`, which may be tried again, when it has not in time. */
export async function cancelElsewhere(
  address: ThreadAddress,
  runId: string,
  { desk, clock, shared }: ElsewhereParts,
): Promise<void> {
  const isActive = (): Promise<boolean> =>
    desk.use(address, async (held) => held.record?.execution.activeRunId === runId);
  if (!(await isActive())) return;
  await shared.askCancel(address);
  for (let waited = 0; waited < patienceMs; waited += lookMs) {
    await new Promise<void>((resolve) => clock.after(lookMs, resolve));
    if (!(await isActive())) return;
  }
  throw fault('cancel-failed');
}
