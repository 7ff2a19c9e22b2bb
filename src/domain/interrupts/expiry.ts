/**
 * When waiting questions run out of time. One that does ends its whole execution: its siblings expire with it and the
 * kernel's task is to be cancelled. What expired is remembered, so that a later resume is told the same whether or not
 * a timer had fired and whether or not the process was restarted in between.
 *
 * An expiry is fixed as an instant when the question is announced; another TTL after a restart changes nothing.
 */
import type { TaskId } from '../../protocol/ids.ts';
import type { PendingInterrupt, ThreadRecord } from '../thread/thread.ts';
import { interruptIdOf } from './pending.ts';

/** The last instant (a JavaScript `Date` holds no later one). */
const endOfTimeMs = 8.64e15;

/** Expiry of a question announced now: ISO 8601, UTC. `now` in Unix milliseconds; a TTL below one second counts as one. */
export function expiresAt(now: number, ttlSeconds: number): string {
  return new Date(Math.min(now + Math.max(1, ttlSeconds) * 1000, endOfTimeMs)).toISOString();
}

/** Ids of the questions that are past due. The instant of expiry itself is too late. */
export function pastDue(pending: readonly PendingInterrupt[], now: number): readonly string[] {
  return pending.filter((each) => dueAt(each) <= now).map(interruptIdOf);
}

/** Unix milliseconds at which the first question runs out, or undefined when none waits. May lie in the past. */
export function earliestDue(pending: readonly PendingInterrupt[]): number | undefined {
  return pending.length === 0 ? undefined : Math.min(...pending.map(dueAt));
}

export interface Expiry {
  readonly record: ThreadRecord;
  /** The task that the kernel should be asked to cancel. */
  readonly taskToCancel: TaskId | null;
}

/**
 * The thread after its current execution ran out of time, or undefined when nothing is past due. An active run is left
 * in place: whoever drives it ends it. The task id is given back for the cancel and no longer part of the record.
 */
export function expireExecution(record: ThreadRecord, maxTerminal: number, now: number): Expiry | undefined {
  const { execution } = record;
  if (pastDue(execution.pending, now).length === 0) return undefined;
  const expired = [...new Set([...execution.expired, ...execution.pending.map(interruptIdOf)])];
  const terminal = record.terminalExecutionIds.filter((id) => id !== execution.executionId);
  return {
    taskToCancel: execution.taskId,
    record: {
      ...record,
      execution: { ...execution, taskId: null, pending: [], expired },
      terminalExecutionIds: [...terminal, execution.executionId].slice(-maxTerminal),
      updatedAt: now,
    },
  };
}

/** A time that can't be read counts as past, so that no question waits for ever. */
function dueAt({ expiresAt: instant }: PendingInterrupt): number {
  const due = Date.parse(instant);
  return Number.isNaN(due) ? Number.NEGATIVE_INFINITY : due;
}
