/** `iac-code.session.v1`: which task, context and session of the kernel stand behind a run. */
import type { Custom } from '../protocol/events.ts';

export interface SessionNames {
  readonly threadId: string;
  readonly aguiRunId: string;
  /** For the cancel extension. */
  readonly executionId: string;
  readonly contextId: string;
  /** Null while the kernel has not named it. */
  readonly taskId: string | null;
  readonly rosInvocationId: string;
  /** The kernel's own session; null where it has none. */
  readonly sessionId: string | null;
}

export function sessionEvent(names: SessionNames): Custom {
  return { type: 'CUSTOM', name: 'iac-code.session.v1', value: { schemaVersion: 1, ...names } };
}
