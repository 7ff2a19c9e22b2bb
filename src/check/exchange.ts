/**
 * One request and all that came back, as evidence: status, headers, and each piece of the body with the moment of its
 * arrival. Reads it as SSE where it is one. Judges nothing.
 */
import { isJsonObject, type JsonObject } from '../protocol/json.ts';
import { mediaTypeOf } from '../wire/media-type.ts';
import { createSseParser, SseOverflow } from '../wire/sse-parser.ts';

export interface Arrival {
  /** Milliseconds since the request was sent. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** How the answer ended: whole, lost on the way, or still open when we stopped listening. */
export type Ending = 'complete' | 'broken' | 'left' | 'timeout';

export interface Exchange {
  /** The request, for a person; never with credentials. */
  readonly sent: string;
  /** Undefined: no answer at all, and `problem` says why. */
  readonly status: number | undefined;
  readonly headers: Headers;
  readonly arrivals: readonly Arrival[];
  readonly ending: Ending;
  /** Milliseconds from the request to its end. */
  readonly took: number;
  readonly problem?: string | undefined;
}

/** A record of a stream: its event where it is one JSON object with a `type`. */
export interface Recorded {
  readonly data: string;
  readonly event: TypedEvent | undefined;
  readonly at: number;
}

export interface TypedEvent extends JsonObject {
  readonly type: string;
}

const excerptChars = 700;

export function textOf({ arrivals }: Exchange): string {
  const decoder = new TextDecoder();
  return arrivals.map(({ bytes }) => decoder.decode(bytes, { stream: true })).join('') + decoder.decode();
}

export function mediaTypeOfExchange({ headers }: Exchange): string | undefined {
  return mediaTypeOf(headers.get('content-type') ?? undefined);
}

/** The records of the body read as SSE, with the time at which each was complete. */
export function recordsOf({ arrivals }: Pick<Exchange, 'arrivals'>): readonly Recorded[] {
  const records: Recorded[] = [];
  let at = 0;
  const parser = createSseParser({ onEvent: (data) => records.push({ data, event: parseEvent(data), at }) });
  try {
    for (const arrival of arrivals) {
      at = arrival.at;
      parser.feed(arrival.bytes);
    }
    // A last record without its blank line counts, as official clients take it.
    parser.feed('\n\n');
  } catch (thrown) {
    if (!(thrown instanceof SseOverflow)) throw thrown;
  }
  return records;
}

export function eventsOf(exchange: Pick<Exchange, 'arrivals'>): readonly TypedEvent[] {
  return recordsOf(exchange).flatMap(({ event }) => (event === undefined ? [] : [event]));
}

export function parseEvent(data: string): TypedEvent | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return isTyped(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isTyped(value: unknown): value is TypedEvent {
  return isJsonObject(value) && typeof value['type'] === 'string';
}

export function isTerminal({ type }: TypedEvent): boolean {
  return type === 'RUN_FINISHED' || type === 'RUN_ERROR';
}

/** The answer for a person: status, the headers that matter, the beginning of the body. */
export function describe(exchange: Exchange): string {
  const { status, headers, ending, problem } = exchange;
  if (status === undefined) return problem ?? 'no answer';
  const shown = ['content-type', 'content-encoding', 'www-authenticate', 'x-amzn-requestid'].flatMap(
    (name) => {
      const value = headers.get(name);
      return value === null ? [] : [`${name}: ${value}`];
    },
  );
  const end = {
    complete: '',
    broken: '\n(the connection broke)',
    left: '',
    timeout: '\n(no end came in time)',
  };
  return [`HTTP ${status}`, ...shown, excerpt(textOf(exchange))].join('\n') + end[ending];
}

/** Beginning and end of a long text. */
export function excerpt(text: string, limit: number = excerptChars): string {
  if (text.length <= limit) return text.trimEnd();
  const half = Math.floor(limit / 2);
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters …\n${text.slice(-half).trimEnd()}`;
}
