/** Runs over `POST /invocations` and Server-Sent Events. */
import { mediaTypeOf } from '../wire/media-type.ts';
import { eventStreamMediaType } from '../wire/sse-frame.ts';
import { createSseParser, SseOverflow } from '../wire/sse-parser.ts';
import type { Channel, HttpAnswer } from './channel.ts';
import { abortError, ClientError, isClientError } from './client-error.ts';
import {
  type Cursor,
  parseEvent,
  protocolError,
  type Received,
  type ReceivedEvent,
  type StreamRequest,
  type Transport,
} from './transport.ts';
import { Watchdog } from './watchdog.ts';

export class SseTransport implements Transport {
  readonly #channel: () => Promise<Channel>;
  readonly #silenceMs: number;

  /** `silenceMs`: the longest time without a byte, 0 for any. */
  constructor(channel: () => Promise<Channel>, silenceMs: number) {
    this.#channel = channel;
    this.#silenceMs = silenceMs;
  }

  async *stream({ message, signal, ...request }: StreamRequest): AsyncGenerator<Received, never> {
    const silent = new AbortController();
    const either = AbortSignal.any([signal, silent.signal]);
    const watchdog = new Watchdog(this.#silenceMs, (problem) => silent.abort(problem));
    try {
      const body = JSON.stringify(message);
      const answer = await (await this.#channel()).invoke({
        ...request,
        body,
        accept: eventStreamMediaType,
        signal: either,
      });
      checkMediaType(answer);
      yield* this.#read(answer, either, watchdog);
      throw truncated('the stream ended without a terminal event', answer.requestId);
    } finally {
      watchdog.stop();
    }
  }

  async *#read(answer: HttpAnswer, signal: AbortSignal, watchdog: Watchdog): AsyncGenerator<Received> {
    let waiting: { data: string; id: string | undefined }[] = [];
    const parser = createSseParser({ onEvent: (data, id) => waiting.push({ data, id }) });
    const { requestId } = answer;
    try {
      for await (const chunk of answer.body) {
        watchdog.heard();
        parser.feed(chunk);
        const arrived = waiting;
        waiting = [];
        for (const { data, id } of arrived)
          yield { event: parseEvent(data), cursor: cursorOf(id), requestId };
      }
    } catch (thrown) {
      if (signal.aborted) throw abortError(signal);
      if (isClientError(thrown)) throw thrown;
      if (thrown instanceof SseOverflow) throw protocolError(thrown.message, thrown);
      throw truncated('the connection broke off', requestId, thrown);
    }
    // Some servers leave out the last blank line: a whole event may still stand there.
    parser.feed('\n\n');
    for (const { data, id } of waiting) {
      yield { event: lastEvent(data, requestId), cursor: cursorOf(id), requestId };
    }
  }
}

function lastEvent(data: string, requestId: string | undefined): ReceivedEvent {
  try {
    return parseEvent(data);
  } catch (thrown) {
    throw truncated('the stream ended inside an event', requestId, thrown);
  }
}

function checkMediaType({ contentType, status, requestId }: HttpAnswer): void {
  const type = mediaTypeOf(contentType);
  // Left out by some small containers; then the body has to show what it is.
  if (type === undefined || type === eventStreamMediaType) return;
  throw new ClientError({
    code: 'PROTOCOL_ERROR',
    message: `the server answered with ${type.slice(0, 80)} instead of an event stream`,
    status,
    requestId,
  });
}

/** Only our own server numbers its events. */
function cursorOf(id: string | undefined): Cursor | undefined {
  return id !== undefined && /^\d{1,15}$/.test(id) ? { after: Number(id) } : undefined;
}

function truncated(message: string, requestId: string | undefined, cause?: unknown): ClientError {
  return new ClientError({ code: 'TRUNCATED', message, requestId, retryable: true, cause });
}
