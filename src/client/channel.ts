/** The narrow port to a server over HTTP, which `fetch` and the AWS SDK both serve. */

import type { Headers } from './headers.ts';

/** One `POST /invocations`. */
export interface Invocation {
  /** JSON text. */
  readonly body: string;
  readonly accept: string;
  readonly sessionId: string | undefined;
  /** Of this call, beside those of the client. */
  readonly headers?: Headers | undefined;
  readonly signal: AbortSignal;
}

/** A 2xx answer; its body is read once. Leaving the body's iteration early ends the connection. */
export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly requestId: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface StopCall {
  readonly sessionId: string;
  readonly signal: AbortSignal;
}

export interface Channel {
  /** Rejects with a `ClientError` for every other status and for a connection that could not be had. */
  invoke(call: Invocation): Promise<HttpAnswer>;
  /** `StopRuntimeSession`. A session that is not there any more is `already_ended`. */
  stopSession(call: StopCall): Promise<'stopped' | 'already_ended'>;
}
