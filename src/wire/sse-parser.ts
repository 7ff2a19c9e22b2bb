/**
 * Bytes → Server-Sent Events, incrementally, for everything that reads a stream: kernel, client library, checker, tests.
 * Takes every newline kind, a byte order mark, comments, several data lines, and cuts between any two bytes; the same
 * stream gives the same events however it was cut. Runs in browsers too.
 *
 * The grammar is done by `eventsource-parser`; added here are the decoding, an exact bound on the size of one event, and
 * the knowledge of whether a stream ended between two events or inside one.
 */
import { createParser } from 'eventsource-parser';

/** 64 Mi UTF-16 units. */
export const defaultMaxEventChars = 64 * 1024 * 1024;

/** Room for the name of a field and for lines that belong to an event besides its data. */
const slackChars = 4 * 1024;

export interface SseParserOptions {
  /** One event, when its blank line has arrived. Must not throw. `id` and `event` are undefined when not given. */
  readonly onEvent: (data: string, id: string | undefined, event: string | undefined) => void;
  /** The text behind the colon of a comment line. Without this, comments are never held in memory. */
  readonly onComment?: (text: string) => void;
  /** Largest `data` of one event in UTF-16 units; default `defaultMaxEventChars`. */
  readonly maxEventChars?: number;
}

/** Thrown by `feed` when one event is larger than allowed. Nothing of it is kept, and the stream can't be read on. */
export class SseOverflow extends Error {
  override readonly name = 'SseOverflow';
  readonly maxEventChars: number;

  constructor(maxEventChars: number) {
    super(`an event of the stream is larger than ${maxEventChars} characters`);
    this.maxEventChars = maxEventChars;
  }
}

export interface SseParser {
  /** Takes the next piece; bytes may end inside a character. Throws `SseOverflow`. */
  feed(chunk: Uint8Array | string): void;
  /** Call at the end of the stream. False when it ended inside an event, which is dropped as the standard asks. */
  end(): boolean;
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation */
export function createSseParser(options: SseParserOptions): SseParser {
  const { onEvent, onComment, maxEventChars = defaultMaxEventChars } = options;
  // The parser removes the byte order mark itself.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let overflow: SseOverflow | undefined;
  let isEnding = false;
  let isUnfinished = false;

  const parser = createParser({
    onEvent({ data, id, event }) {
      if (isEnding) isUnfinished = true;
      else if (data.length > maxEventChars) overflow ??= new SseOverflow(maxEventChars);
      else if (overflow === undefined) onEvent(data, id, event);
    },
    onComment:
      onComment === undefined
        ? undefined
        : (text) => {
            if (overflow === undefined && !isEnding) onComment(text);
          },
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') overflow ??= new SseOverflow(maxEventChars);
    },
    maxBufferSize: maxEventChars + slackChars,
  });

  return {
    feed(chunk) {
      if (overflow === undefined) {
        parser.feed(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
      }
      if (overflow !== undefined) throw overflow;
    },
    end() {
      if (overflow !== undefined || isEnding) return !isUnfinished;
      isEnding = true;
      // A blank line makes the parser show what it still holds.
      parser.feed(`${decoder.decode()}\n\n`);
      parser.reset();
      return !isUnfinished;
    },
  };
}
