/** One conversation over `/ws`, as evidence: each frame with the moment of its arrival, and how the socket closed. */
import { isClientError } from '../client/client-error.ts';
import type { Socket, SocketClose } from '../client/socket.ts';
import { parseEvent, recordsOf, type TypedEvent } from './exchange.ts';

export interface Frame {
  readonly at: number;
  readonly text: string;
}

export interface WireTalk {
  readonly frames: readonly Frame[];
  readonly close: SocketClose | undefined;
  /** What ended the reading other than a close: a binary frame, for one. */
  readonly problem: string | undefined;
}

export class Talk {
  readonly #socket: Socket;
  readonly #frames: Frame[] = [];
  readonly #begun = performance.now();
  #close: SocketClose | undefined;
  #problem: string | undefined;
  #wake: () => void = () => undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    void this.#read();
  }

  send(message: unknown): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Waits until the frames satisfy it; false when the time is over, or the socket closed before. */
  async until(predicate: (frames: readonly Frame[]) => boolean, timeoutMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(predicate(this.#frames)), timeoutMs);
    this.#wake = () => {
      if (predicate(this.#frames)) resolve(true);
      else if (this.#isOver) resolve(false);
    };
    this.#wake();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  end(): WireTalk {
    const seen = { frames: [...this.#frames], close: this.#close, problem: this.#problem };
    this.#socket.close();
    return seen;
  }

  get #isOver(): boolean {
    return this.#close !== undefined || this.#problem !== undefined;
  }

  async #read(): Promise<void> {
    const frames = this.#socket.frames();
    try {
      for (;;) {
        const { done, value } = await frames.next();
        if (done === true) {
          this.#close = value;
          break;
        }
        if (value !== undefined) this.#frames.push({ at: performance.now() - this.#begun, text: value });
        this.#wake();
      }
    } catch (thrown) {
      this.#problem = isClientError(thrown) ? thrown.message : 'the socket failed';
    }
    this.#wake();
  }
}

/** The events of a frame in either framing, raw JSON or SSE text; `isSse` tells which. */
export function eventsOfFrame({ text, at }: Frame): {
  readonly events: readonly TypedEvent[];
  readonly isSse: boolean;
} {
  if (/^\s*[[{]/.test(text)) {
    const event = parseEvent(text);
    return { events: event === undefined ? [] : [event], isSse: false };
  }
  const bytes = new TextEncoder().encode(text);
  const records = recordsOf({ arrivals: [{ at, bytes }] });
  return {
    events: records.flatMap(({ event }) => (event === undefined ? [] : [event])),
    isSse: records.length > 0,
  };
}

export function eventsOfFrames(frames: readonly Frame[]): readonly TypedEvent[] {
  return frames.flatMap((frame) => eventsOfFrame(frame).events);
}

/** The conversation for a person. */
export function describeTalk({ frames, close, problem }: WireTalk): string {
  const shown = frames.slice(0, 6).map(({ text }) => (text.length > 200 ? `${text.slice(0, 200)} …` : text));
  const more = frames.length > 6 ? [`… ${frames.length - 6} frames more`] : [];
  const end =
    close === undefined ? (problem ?? 'the socket stayed open') : `closed ${close.code} ${close.reason}`;
  return [...shown, ...more, end.trimEnd()].join('\n');
}
