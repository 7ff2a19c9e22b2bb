/**
 * Event writer over a WebSocket: one raw JSON event per text frame, or one SSE record for clients of the Python SDK. Frames
 * stay within the platform's size and rate; while the socket has to wait, the deltas behind it grow together.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { AgUiEvent } from '../../protocol/events.ts';
import { sseFrame } from '../../wire/sse-frame.ts';
import type { EventWriter } from '../stream/event-writer.ts';
import type { FrameRate } from './frame-rate.ts';
import { frameText, toFrames } from './frames.ts';

export type Framing = 'json' | 'sse';

export interface SocketParts {
  readonly socket: WebSocket;
  /** The connection under the socket, as the upgrade gave it. */
  readonly duplex: Duplex;
  readonly gone: AbortSignal;
  readonly rate: FrameRate;
  readonly framing: Framing;
}

/** Bytes that may wait in the process for the peer. */
const highWaterBytes = 65_536;

export class WsWriter implements EventWriter {
  readonly gone: AbortSignal;
  readonly #parts: SocketParts;

  constructor(parts: SocketParts) {
    this.#parts = parts;
    this.gone = parts.gone;
  }

  async write(events: readonly AgUiEvent[], first: number): Promise<void> {
    for (const frame of toFrames(events, first)) {
      await this.#parts.rate.take(this.gone);
      await this.#drained();
      if (this.gone.aborted) return;
      this.#send(frameText(frame));
    }
  }

  heartbeat(): void {
    // The connection has its own ping.
  }

  async end(): Promise<void> {
    // The socket outlives the run.
  }

  #send(json: string): void {
    const { socket, framing } = this.#parts;
    if (socket.readyState === socket.OPEN) socket.send(framing === 'sse' ? sseFrame(json) : json);
  }

  #drained(): Promise<void> | undefined {
    const { socket, duplex } = this.#parts;
    if (socket.bufferedAmount < highWaterBytes || this.gone.aborted) return undefined;
    return new Promise((resolve) => {
      const done = (): void => {
        duplex.off('drain', done);
        this.gone.removeEventListener('abort', done);
        resolve();
      };
      duplex.once('drain', done);
      this.gone.addEventListener('abort', done, { once: true });
    });
  }
}
