/**
 * Event writer over an HTTP response; the only file that opens an event stream. Joins the events of one tick into few
 * writes (each costs a system call, whatever its size), gives the event loop a turn after each full one (waiting for `drain` alone would not: a fast reader's drain
 * fires before the loop can accept a new connection), and waits while the peer is slow.
 */
import type { ServerResponse } from 'node:http';
import { setImmediate as loopTurn } from 'node:timers/promises';
import type { AgUiEvent } from '../../protocol/events.ts';
import { EventEncoder } from '../../wire/event-json.ts';
import { eventStreamMediaType, heartbeatFrame, sseFrame } from '../../wire/sse-frame.ts';
import type { EventWriter } from '../stream/event-writer.ts';

/** Characters joined into one write. */
const chunkSize = 16_384;

export const streamHeaders = {
  'Content-Type': eventStreamMediaType,
  // no-transform: a compressing proxy would hold events back.
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

export interface SseOptions {
  readonly gone: AbortSignal;
  /** Adds each event's number as the SSE id. */
  readonly isNumbered: boolean;
  /** Waited for when all is written and before the answer ends; bounded by whoever gives it. */
  readonly beforeEnd: () => Promise<void>;
  readonly onHeartbeat: () => void;
}

export class SseWriter implements EventWriter {
  readonly gone: AbortSignal;
  readonly #response: ServerResponse;
  readonly #encoder = new EventEncoder();
  readonly #options: SseOptions;
  /** Frames that leave when the tick is over. */
  #pending = '';
  #isFlushDue = false;

  /** Sends the head of the response at once. */
  constructor(response: ServerResponse, options: SseOptions) {
    this.gone = options.gone;
    this.#response = response;
    this.#options = options;
    if (response.destroyed) return;
    response.writeHead(200, streamHeaders);
    response.flushHeaders();
  }

  async write(events: readonly AgUiEvent[], first: number): Promise<void> {
    for (const [index, event] of events.entries()) {
      const number = this.#options.isNumbered ? first + index : undefined;
      this.#pending += sseFrame(this.#encoder.encode(event), number);
      if (this.#pending.length < chunkSize) continue;
      this.#flush();
      await loopTurn();
      await this.#drained();
      if (this.gone.aborted) return;
    }
    this.#flushSoon();
    await this.#drained();
  }

  heartbeat(): void {
    // A peer that does not even take events needs no sign of life, and must not collect them.
    if (this.#response.writableNeedDrain) return;
    this.#flush();
    this.#send(heartbeatFrame);
    this.#options.onHeartbeat();
  }

  async end(): Promise<void> {
    this.#flush();
    await this.#options.beforeEnd();
    this.#response.end();
  }

  #flushSoon(): void {
    if (this.#isFlushDue || this.#pending === '') return;
    this.#isFlushDue = true;
    process.nextTick(() => {
      this.#isFlushDue = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#pending === '') return;
    const text = this.#pending;
    this.#pending = '';
    this.#send(text);
  }

  #send(text: string): void {
    if (!this.#response.destroyed && !this.#response.writableEnded) this.#response.write(text);
  }

  #drained(): Promise<void> | undefined {
    const response = this.#response;
    if (!response.writableNeedDrain || this.gone.aborted) return undefined;
    return new Promise((resolve) => {
      const done = (): void => {
        response.off('drain', done);
        this.gone.removeEventListener('abort', done);
        resolve();
      };
      response.once('drain', done);
      this.gone.addEventListener('abort', done, { once: true });
    });
  }
}
