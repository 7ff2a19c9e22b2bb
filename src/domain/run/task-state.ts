/** What the state of an A2A task means for the run that shows it. */
import type { FaultName } from '../../errors/catalog.ts';
import type { TaskState } from '../../protocol/a2a.ts';

export type TaskEnd = 'finished' | 'cancelled' | FaultName;

/**
 * How the task ended, or undefined while it goes on. `input-required` without a question is iac-code's normal end of a
 * turn; with one, the run was interrupted before this is asked.
 */
export function endOf(state: TaskState | undefined): TaskEnd | undefined {
  switch (state) {
    case 'TASK_STATE_COMPLETED':
    case 'TASK_STATE_INPUT_REQUIRED':
      return 'finished';
    case 'TASK_STATE_CANCELED':
      return 'cancelled';
    case 'TASK_STATE_FAILED':
      return 'task-failed';
    case 'TASK_STATE_REJECTED':
      return 'task-rejected';
    case 'TASK_STATE_AUTH_REQUIRED':
      return 'task-needs-authentication';
    default:
      return undefined;
  }
}

/** A failure or a cancel stands, whatever is reported behind it; else the newest state counts. */
export function latch(known: TaskState | undefined, reported: TaskState): TaskState {
  const end = endOf(known);
  return known === undefined || end === undefined || end === 'finished' ? reported : known;
}
