/**
 * A thread as a value: what must survive a restart so that runs stay unique, interrupts stay answerable and the
 * kernel's task can be found again. Changes return new values. No message text and no secret is ever part of it.
 */
import type { ContextId, ExecutionId, RunId, TaskId, ThreadAddress } from '../../protocol/ids.ts';
import type { JsonObject } from '../../protocol/json.ts';

/** One question that waits for an answer. */
export interface PendingInterrupt {
  /** The kernel's input projection, reduced to the members that may be stored. `inputId` is the interrupt's id. */
  readonly input: JsonObject;
  /** ISO 8601, UTC. Fixed when the interrupt is announced. */
  readonly expiresAt: string;
  /** Asked by one of several parallel sub-tasks, so that the rest of the task goes on meanwhile. */
  readonly sideband: boolean;
}

/** Length and SHA-256 (hex) of a text already shown, so that a repeat can be told from new text. */
export interface TextDigest {
  readonly length: number;
  readonly digest: string;
}

/** Where a run can be found among traces: 32 and 16 hex digits. */
export interface TraceLink {
  readonly traceId: string;
  readonly spanId: string;
}

/** One turn together with the resumes that continue it. One execution is at most one A2A task. */
export interface Execution {
  readonly executionId: ExecutionId;
  readonly rosInvocationId: string;
  readonly taskId: TaskId | null;
  /** The run that is being driven now, or was when the process died. */
  readonly activeRunId: RunId | null;
  readonly pipelineSequence: number;
  readonly openSteps: readonly string[];
  readonly textDigests: readonly TextDigest[];
  readonly pending: readonly PendingInterrupt[];
  /** Ids of interrupts of this execution that ran out of time. */
  readonly expired: readonly string[];
  /** The run that asked last, where it was traced: the run that answers is linked to it. */
  readonly askedIn?: TraceLink;
}

export interface AppliedAnswer {
  readonly executionId: ExecutionId;
  readonly interruptId: string;
  readonly digest: string;
}

export interface ThreadRecord {
  readonly address: ThreadAddress;
  readonly contextId: ContextId;
  /** The thread's workspace, absolute and with links resolved. Bound by the first request. */
  readonly cwd: string;
  /** `forwardedProps.iacCode.userId` of the first request. */
  readonly userId: string | null;
  /** Who may use the thread: the verified subject of its first request, or null where nobody is verified. */
  readonly subject: string | null;
  /** The kernel's own session id, once known. */
  readonly kernelSessionId: string | null;
  readonly execution: Execution;
  /** Run ids used in this thread with the fingerprint of their request, oldest first. */
  readonly runs: readonly { readonly runId: RunId; readonly digest: string }[];
  readonly applied: readonly AppliedAnswer[];
  readonly terminalExecutionIds: readonly ExecutionId[];
  /** Unix milliseconds of the last change. */
  readonly updatedAt: number;
}
