/** One log line for each run that ended: how, why, how long. No text of user or agent. */
import type { Runtime } from '../ports/runtime.ts';
import type { DrivenRun } from './driven-run.ts';
import type { RunEnding } from './run-feed.ts';

export function reportEnd(run: DrivenRun, { clock, log }: Runtime): (ending: RunEnding) => void {
  const startedAt = clock.now();
  return (ending) => {
    const { address, execution } = run.record;
    log.info('run ended', {
      sessionId: address.sessionId,
      threadId: address.threadId,
      runId: run.runId,
      executionId: execution.executionId,
      outcome: ending.kind,
      fault: 'fault' in ending ? ending.fault.code : undefined,
      events: run.feed.last,
      durationMs: clock.now() - startedAt,
    });
  };
}
