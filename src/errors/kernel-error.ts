/**
 * What a kernel can answer besides an answer. Thrown by every implementation of `ports/kernel`; the engine turns it
 * into a fault. `message` and `data` are for the log only: they may hold the agent's own words and never reach a
 * caller.
 */
export type KernelErrorKind =
  /** Not reachable, refused the connection, broke it off, or answered with an HTTP failure. */
  | 'unavailable'
  /** Answered with a JSON-RPC error; `rpcCode` holds its code. */
  | 'refused'
  /** Answered with something that is not A2A 1.0. */
  | 'breach';

export class KernelError extends Error {
  override readonly name = 'KernelError';
  readonly kind: KernelErrorKind;
  /** JSON-RPC error code of a refusal, such as -32001 (task not found) or -32002 (task not cancelable). */
  readonly rpcCode: number | undefined;
  /** `error.data` of a refusal, as sent. */
  readonly data: unknown;

  constructor(
    kind: KernelErrorKind,
    message: string,
    detail: { rpcCode?: number; data?: unknown; cause?: unknown } = {},
  ) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.kind = kind;
    this.rpcCode = detail.rpcCode;
    this.data = detail.data;
  }
}

export const rpcTaskNotFound = -32001;
export const rpcTaskNotCancelable = -32002;
export const rpcUnsupportedOperation = -32004;
export const rpcVersionNotSupported = -32009;
