/** What a thread looks like after a run: pure changes of the record, one per way to end. */
import type { ThreadRecord } from '../thread/thread.ts';

/** Where a later resume takes up the stream again. */
export interface ResumePoint {
  readonly pipelineSequence: number;
  readonly openSteps: readonly string[];
  readonly textDigests: readonly { readonly length: number; readonly digest: string }[];
}

/** The run is over and nothing waits: the execution can't be resumed. Unchanged when another run has taken its place. */
export function settleExecution(
  record: ThreadRecord,
  runId: string,
  maxTerminal: number,
  now: number,
): ThreadRecord {
  const { execution } = record;
  if (execution.activeRunId !== runId) return record;
  return {
    ...record,
    execution: { ...execution, activeRunId: null, taskId: null, pending: [] },
    terminalExecutionIds: [...record.terminalExecutionIds, execution.executionId].slice(-maxTerminal),
    updatedAt: now,
  };
}

/** The run is over and its questions stay open. */
export function releaseRun(record: ThreadRecord, runId: string, now: number): ThreadRecord {
  if (record.execution.activeRunId !== runId) return record;
  return { ...record, execution: { ...record.execution, activeRunId: null }, updatedAt: now };
}

/**
 * A thread as a process finds it that did not drive its run: whoever did is gone. What waits still waits, and a task that
 * the kernel may still have stays known, so that it can be joined or cancelled; the thread is free.
 */
export function releaseDeadRun(record: ThreadRecord): ThreadRecord {
  const { execution } = record;
  return execution.activeRunId === null
    ? record
    : { ...record, execution: { ...execution, activeRunId: null } };
}
