/** Cancelling by the ids that clients know: a run of a thread, or an iac-code execution. Idempotent. */
import type { ThreadRecord } from '../domain/thread/thread.ts';
import { fault } from '../errors/fault.ts';
import type { Kernel } from '../ports/kernel.ts';
import type { Clock } from '../ports/runtime.ts';
import type { SharedThreads } from '../ports/thread-store.ts';
import type { ThreadAddress } from '../protocol/ids.ts';
import { cancelTask } from './kernel-fault.ts';
import type { LiveRuns } from './live-runs.ts';
import { ownThread } from './own-thread.ts';
import type { Caller, CancelResult } from './run-service.ts';
import { cancelElsewhere } from './runs-elsewhere.ts';
import type { ThreadDesk } from './thread-desk.ts';

export interface CancelParts {
  readonly desk: ThreadDesk;
  readonly kernel: Kernel;
  readonly clock: Clock;
  readonly liveRuns: LiveRuns;
  /** Where other processes may drive a run. */
  readonly shared: SharedThreads | undefined;
  readonly maxTerminalExecutions: number;
}

export interface ExecutionName {
  readonly executionId: string;
  readonly rosInvocationId: string;
}

/** Rejects with `cancel-failed` when the kernel could not be told; a live run has ended even then. */
export async function cancelRun(
  caller: Caller,
  address: ThreadAddress,
  runId: string,
  parts: CancelParts,
): Promise<CancelResult> {
  const record = await ownThread(caller, address, parts.desk);
  if (record === undefined) return 'not_found';
  const live = parts.liveRuns.find(address);
  if (live?.runId === runId && live.feed.ending === undefined) {
    await live.stop(fault('cancelled'), 'all');
    return 'cancelled';
  }
  if (live === undefined && record.execution.activeRunId === runId && parts.shared !== undefined) {
    await cancelElsewhere(address, runId, { ...parts, shared: parts.shared });
    return 'cancelled';
  }
  const isKnown = record.runs.some((each) => each.runId === runId);
  const isNewest = record.runs.at(-1)?.runId === runId;
  // The newest run may have ended in questions: cancelling it withdraws them.
  if (isNewest && record.execution.pending.length > 0) return cancelWaiting(record, parts);
  return isKnown ? 'already_terminal' : 'not_found';
}

/** The same for an iac-code execution; another thread's or another invocation's does not exist for this caller. */
export async function cancelExecution(
  caller: Caller,
  address: ThreadAddress,
  name: ExecutionName,
  parts: CancelParts,
): Promise<CancelResult> {
  const record = await ownThread(caller, address, parts.desk);
  if (record === undefined) return 'not_found';
  const { execution } = record;
  if (execution.executionId !== name.executionId) {
    return record.terminalExecutionIds.some((id) => id === name.executionId)
      ? 'already_terminal'
      : 'not_found';
  }
  if (execution.rosInvocationId !== name.rosInvocationId) return 'not_found';
  const live = parts.liveRuns.find(address);
  if (live !== undefined && live.feed.ending === undefined) {
    await live.stop(fault('cancelled'), 'all');
    return 'cancelled';
  }
  if (live === undefined && execution.activeRunId !== null && parts.shared !== undefined) {
    await cancelElsewhere(address, execution.activeRunId, { ...parts, shared: parts.shared });
    return 'cancelled';
  }
  return execution.taskId === null ? 'already_terminal' : cancelWaiting(record, parts);
}

/** Nobody drives the execution, but its task lives. What waits stays when the kernel can't be told. */
async function cancelWaiting(record: ThreadRecord, parts: CancelParts): Promise<CancelResult> {
  const { taskId, executionId } = record.execution;
  if (taskId !== null) await cancelTask(parts.kernel, taskId);
  await parts.desk.update(record.address, (current) => {
    const { execution } = current;
    if (execution.executionId !== executionId || execution.activeRunId !== null) return current;
    const terminal = [...current.terminalExecutionIds, executionId].slice(-parts.maxTerminalExecutions);
    return {
      ...current,
      execution: { ...execution, taskId: null, pending: [] },
      terminalExecutionIds: terminal,
      updatedAt: parts.clock.now(),
    };
  });
  return 'cancelled';
}
