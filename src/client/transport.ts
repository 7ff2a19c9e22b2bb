/** The narrow port that SSE and WebSocket both serve: one request out, its events in. */

import type { JsonObject } from '../protocol/json.ts';
import { stringAt } from '../protocol/json.ts';
import { ClientError } from './client-error.ts';
import type { Headers } from './headers.ts';

/** An AG-UI event as it came, of whatever type. */
export type ReceivedEvent = JsonObject & { readonly type: string };

/** A place in a run's stream, as `attach` takes it. */
export interface Cursor {
  /** Number of the last event seen. */
  readonly after: number;
  /** How many UTF-16 units of the next event's delta have been seen too. */
  readonly offset?: number;
}

export interface Received {
  readonly event: ReceivedEvent;
  /** Where the stream stands behind this event; only from servers that can be attached to. */
  readonly cursor?: Cursor | undefined;
  readonly requestId?: string | undefined;
}

export interface StreamRequest {
  /** A `RunAgentInput`, or a control message that is answered by a run's stream. */
  readonly message: JsonObject;
  readonly sessionId: string | undefined;
  readonly headers: Headers | undefined;
  readonly signal: AbortSignal;
}

export interface Transport {
  /**
   * Sends the message and gives what is answered, in order. Does not end by itself: the reader leaves at the terminal
   * event, which ends the connection; a stream that ends before is a `TRUNCATED` error. Throws `ClientError` only.
   */
  stream(request: StreamRequest): AsyncGenerator<Received, never>;
}

/** Throws `PROTOCOL_ERROR` when the text is not one event. Texts of strangers are not repeated. */
export function parseEvent(text: string): ReceivedEvent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw protocolError('an event of the stream is not JSON', cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw protocolError('an event of the stream is not a JSON object');
  }
  // JSON.parse gives JSON.
  const event = value as JsonObject;
  const type = stringAt(event, 'type');
  if (type === undefined) throw protocolError('an event of the stream has no type');
  return { ...event, type };
}

export function protocolError(message: string, cause?: unknown): ClientError {
  return new ClientError({ code: 'PROTOCOL_ERROR', message, cause });
}
