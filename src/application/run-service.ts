/**
 * The use cases as the doors see them. Interfaces only, so that inbound code depends on what it asks for and not on how
 * it is done; `server/compose` puts `application/service` behind it.
 */
import type { Span } from '../ports/telemetry.ts';
import type { IacCodeProps } from '../protocol/forwarded-props.ts';
import type { RequestId, SessionId } from '../protocol/ids.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { RequestContext } from '../protocol/request-context.ts';
import type { RunAgentInput } from '../protocol/run-input.ts';
import type { HealthStatus } from './health.ts';
import type { RunReader } from './run-feed.ts';

export type { HealthStatus } from './health.ts';
export type { RunBatch, RunEnding, RunItem, RunReader } from './run-feed.ts';

/** The two dialects that the engine serves. They differ in what they demand of a request and how they write faults. */
export type Door = 'iac-code' | 'agentcore';

/** Who asks, as far as the doors could find out before any use case runs. */
export interface Caller {
  readonly requestId: RequestId;
  /** Verified subject, or null where nobody is told from anybody else. */
  readonly subject: string | null;
  /** Unix milliseconds after which the proof of that no longer holds; undefined where it has no end. */
  readonly expiresAt: number | undefined;
  readonly sessionId: SessionId | undefined;
  /** `Accept-Language` as sent. */
  readonly acceptLanguage: string | undefined;
  /** For the agent. */
  readonly context: RequestContext;
  /** The request's span; a socket's runs are roots of their own traces. */
  readonly trace?: { readonly span: Span; readonly isSocket: boolean };
}

export interface RunRequest {
  readonly door: Door;
  readonly caller: Caller;
  readonly input: RunAgentInput;
  /** `forwardedProps.iacCode`, where the request has it. */
  readonly props: IacCodeProps | undefined;
  /** The request's body as sent, for its fingerprint. */
  readonly body: JsonObject;
  /** Two-letter language of the request, sent to the kernel. */
  readonly language: string;
}

/** Coming back to a run. */
export interface AttachRequest {
  readonly caller: Caller;
  readonly threadId: string;
  readonly runId: string;
  /** Number of the last event seen; 0 for none. */
  readonly after: number;
  /** UTF-16 units of the next event's delta that were seen too. */
  readonly offset: number;
  readonly language: string;
}

export type LostReader = 'cancel' | 'detach' | 'told-to-return';

export interface StartedRun {
  readonly reader: RunReader;
  /**
   * The reader's connection is gone before the run's end. `usual` is what that means on its transport, unless the
   * deployment says otherwise; a reader that was told to come back is waited for in any case.
   */
  readerLost(usual: LostReader): void;
}

export type CancelResult = 'cancelled' | 'already_terminal' | 'not_found';

export interface RunService {
  /** Admits and starts a run. Rejects with a fault when nothing was started. */
  start(request: RunRequest): Promise<StartedRun>;
  /** Ends an iac-code execution. Idempotent. */
  cancelExecution(
    caller: Caller,
    threadId: string,
    name: { readonly executionId: string; readonly rosInvocationId: string },
  ): Promise<CancelResult>;
  /** A run's events from behind a number, then the live tail. Rejects with `run-not-found` when nothing of it is left. */
  attach(request: AttachRequest): Promise<StartedRun>;
  /** Ends a run by the ids that its client knows. Idempotent. */
  cancelRun(caller: Caller, threadId: string, runId: string): Promise<CancelResult>;
  /** What `/ping` is made of. */
  health(): HealthStatus;
}
