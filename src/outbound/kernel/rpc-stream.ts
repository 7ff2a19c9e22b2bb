/**
 * A JSON-RPC stream as batches: frames are parsed where the bytes arrive, and the reader gets everything that is there at
 * each step. The request is made at the first step, once, however often the stream is iterated.
 *
 * One stream takes at most 64 KB of a turn of the event loop, so that a fast agent leaves room for everybody else, and it
 * stops reading the socket while its reader lags. A connection that breaks is reported after everything that it brought.
 */
import type { IncomingMessage } from 'node:http';
import { KernelError } from '../../errors/kernel-error.ts';
import type { KernelBatch } from '../../ports/kernel.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { createSseParser, SseOverflow } from '../../wire/sse-parser.ts';
import { FrameQueue } from './frame-queue.ts';
import { readRpcResponse } from './json-rpc.ts';
import { toKernelError } from './pinned-http.ts';

/** What became of the request: a stream of responses to request `id`, or a single result. */
export type StreamAnswer =
  | { readonly kind: 'stream'; readonly response: IncomingMessage; readonly id: string }
  | { readonly kind: 'single'; readonly result: JsonObject };

export interface StreamOptions {
  readonly open: (signal: AbortSignal) => Promise<StreamAnswer>;
  /** Leaves the stream; it then ends without an error. */
  readonly signal: AbortSignal;
  /** Last look at what is thrown. */
  readonly toError: (thrown: unknown) => KernelError;
  readonly maxFrameChars: number;
}

const turnBudgetChars = 64 * 1024;
const maxWaitingChars = 256 * 1024;

export class RpcStream implements AsyncIterableIterator<KernelBatch, undefined> {
  readonly #options: StreamOptions;
  readonly #queue = new FrameQueue(maxWaitingChars);
  readonly #leaving = new AbortController();
  readonly #leave = (): void => this.#close();
  #hasBegun = false;
  #resume: (() => void) | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<KernelBatch, undefined>> {
    if (!this.#hasBegun) this.#begin();
    for (;;) {
      const batch = this.#queue.take();
      if (batch.length > 0) {
        this.#resume?.();
        return { done: false, value: batch };
      }
      const { ending } = this.#queue;
      if (ending !== undefined) {
        this.#close();
        if (ending.error !== undefined) throw this.#options.toError(ending.error);
        return { done: true, value: undefined };
      }
      await this.#queue.news();
    }
  }

  async return(): Promise<IteratorResult<KernelBatch, undefined>> {
    this.#close();
    return { done: true, value: undefined };
  }

  /** Ends the exchange, whatever state it is in. A step that waits ends too. */
  #close(): void {
    this.#hasBegun = true;
    this.#options.signal.removeEventListener('abort', this.#leave);
    this.#queue.drop();
    this.#leaving.abort();
  }

  #begin(): void {
    this.#hasBegun = true;
    const { signal, open, toError } = this.#options;
    if (signal.aborted) {
      this.#close();
      return;
    }
    signal.addEventListener('abort', this.#leave, { once: true });
    open(this.#leaving.signal).then(
      (answer) => this.#receive(answer),
      (thrown: unknown) => this.#queue.end(toError(thrown)),
    );
  }

  #receive(answer: StreamAnswer): void {
    if (answer.kind === 'stream') {
      this.#read(answer.response, answer.id);
    } else {
      this.#queue.push(answer.result, 0);
      this.#queue.end();
    }
  }

  #read(response: IncomingMessage, id: string): void {
    const queue = this.#queue;
    const feed = this.#parse(id);
    let takenChars = 0;
    let isPutOff = false;
    const resume = (): void => {
      if (!isPutOff && !queue.isFull) response.resume();
    };
    this.#resume = resume;
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      feed.text(text);
      takenChars += text.length;
      if (takenChars >= turnBudgetChars) {
        takenChars = 0;
        isPutOff = true;
        setImmediate(() => {
          isPutOff = false;
          resume();
        });
      }
      if (isPutOff || queue.isFull) response.pause();
      if (queue.ending !== undefined) response.destroy();
    });
    response.on('end', () => feed.end());
    const breakOff = (cause?: Error): void => {
      // What had arrived while the stream was paused is still in it.
      for (let text = response.read(); typeof text === 'string'; text = response.read()) feed.text(text);
      queue.end(
        cause === undefined
          ? new KernelError('unavailable', 'the agent broke off the stream')
          : toKernelError(cause),
      );
    };
    response.on('error', breakOff);
    response.on('close', () => breakOff());
  }

  #parse(id: string): { text: (text: string) => void; end: () => void } {
    const queue = this.#queue;
    const parser = createSseParser({
      maxEventChars: this.#options.maxFrameChars,
      onEvent: (data) => {
        if (queue.ending !== undefined || data === '') return;
        try {
          queue.push(readRpcResponse(data, id), data.length);
        } catch (thrown) {
          queue.end(this.#options.toError(thrown));
        }
      },
    });
    return {
      text: (text) => {
        try {
          parser.feed(text);
        } catch (thrown) {
          const isTooLarge = thrown instanceof SseOverflow;
          queue.end(isTooLarge ? new KernelError('breach', thrown.message) : this.#options.toError(thrown));
        }
      },
      end: () => {
        if (parser.end()) queue.end();
        else queue.end(new KernelError('unavailable', 'the stream ended inside an event'));
      },
    };
  }
}
