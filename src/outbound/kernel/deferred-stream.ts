/** A stream of a kernel that must first be there. Leaving works at any time, also while the kernel is waited for. */
import type { KernelBatch } from '../../ports/kernel.ts';

export type OpenDeferred = (signal: AbortSignal) => Promise<AsyncIterable<KernelBatch>>;

export class DeferredStream implements AsyncIterableIterator<KernelBatch, undefined> {
  readonly #open: OpenDeferred;
  readonly #leaving = new AbortController();
  readonly #signal: AbortSignal;
  #inner: Promise<AsyncIterator<KernelBatch>> | undefined;

  /** `open` is called once, at the first step. */
  constructor(open: OpenDeferred, signal: AbortSignal) {
    this.#open = open;
    this.#signal = AbortSignal.any([signal, this.#leaving.signal]);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<KernelBatch, undefined>> {
    try {
      if (!this.#signal.aborted) {
        this.#inner ??= this.#open(this.#signal).then((stream) => stream[Symbol.asyncIterator]());
        const step = await (await this.#inner).next();
        if (step.done !== true) return step;
      }
    } catch (thrown) {
      if (!this.#signal.aborted) throw thrown;
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<KernelBatch, undefined>> {
    this.#leaving.abort();
    return { done: true, value: undefined };
  }
}
