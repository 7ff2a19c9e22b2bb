/**
 * The one error of the client library. `code` is the word to switch on: the platform's own codes where it or the
 * container gave one, and the client's words for what no server can tell. The text never contains credentials.
 */

/** What only the client can know. */
export type ClientCode =
  /** No connection, or it was lost before the answer began. */
  | 'CONNECTION_FAILED'
  /** The stream broke off, or ended without a terminal event. */
  | 'TRUNCATED'
  /** The answer is not what AG-UI on this transport looks like. */
  | 'PROTOCOL_ERROR'
  | 'TIMEOUT'
  | 'ABORTED'
  /** The client was asked for something that can't be: nothing was sent. */
  | 'INVALID_ARGUMENT'
  | 'NOT_FOUND';

/** Codes of the AgentCore AG-UI contract. A container may send others: `code` is then its own word. */
export type PlatformCode =
  | 'UNAUTHORIZED'
  | 'ACCESS_DENIED'
  | 'VALIDATION_ERROR'
  | 'RATE_LIMIT_EXCEEDED'
  | 'SESSION_BUSY'
  | 'SERVICE_QUOTA_EXCEEDED'
  | 'AGENT_ERROR'
  | 'INTERNAL_ERROR';

export interface ClientErrorFacts {
  readonly code: ClientCode | PlatformCode | (string & {});
  readonly message: string;
  /** The fine reason that our server gives behind a platform code, such as `THREAD_BUSY`. */
  readonly fault?: string | undefined;
  /** HTTP status, where there was an HTTP answer. */
  readonly status?: number | undefined;
  /** WebSocket close code, where a socket was closed. */
  readonly closeCode?: number | undefined;
  /** `x-amzn-requestid`, to be named to the operator. */
  readonly requestId?: string | undefined;
  /** The same request may succeed later. */
  readonly retryable?: boolean;
  /** Milliseconds that the server asked to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The request can't have reached an agent, so that sending it again is harmless. */
  readonly isUnsent?: boolean;
  /** `WWW-Authenticate`, as it came. */
  readonly challenge?: string | undefined;
  readonly cause?: unknown;
}

export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: string;
  readonly fault: string | undefined;
  readonly status: number | undefined;
  readonly closeCode: number | undefined;
  readonly requestId: string | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly isUnsent: boolean;
  readonly challenge: string | undefined;

  constructor(facts: ClientErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.fault = facts.fault;
    this.status = facts.status;
    this.closeCode = facts.closeCode;
    this.requestId = facts.requestId;
    this.retryable = facts.retryable ?? false;
    this.retryAfterMs = facts.retryAfterMs;
    this.isUnsent = facts.isUnsent ?? false;
    this.challenge = facts.challenge;
  }
}

/** Compares the name, not the class: two copies of the library may meet in one program. */
export function isClientError(thrown: unknown): thrown is ClientError {
  return thrown instanceof Error && thrown.name === 'ClientError' && 'code' in thrown;
}

export function invalidArgument(message: string): ClientError {
  return new ClientError({ code: 'INVALID_ARGUMENT', message });
}

/**
 * What an aborted signal means: `TIMEOUT` when it was a time limit (`AbortSignal.timeout`), else `ABORTED`.
 */
export function abortError(signal: AbortSignal): ClientError {
  const { reason } = signal;
  if (isClientError(reason)) return reason;
  return reason instanceof Error && reason.name === 'TimeoutError'
    ? new ClientError({
        code: 'TIMEOUT',
        message: 'the time limit has passed',
        cause: reason,
        retryable: true,
      })
    : new ClientError({ code: 'ABORTED', message: 'the call was aborted', cause: reason });
}
