/**
 * A stream's own end, before the platform cuts it: when its time is over, the reader leaves its run, which goes on, and
 * the stream ends with a fault that says how to come back. That last event carries the number of the event before it, so
 * that it is a right place to come back to.
 */
import type { RunBatch, RunReader } from '../../application/run-service.ts';
import { fault } from '../../errors/fault.ts';
import type { Clock } from '../../ports/runtime.ts';

export class DeadlineReader implements RunReader {
  readonly #reader: RunReader;
  readonly #ms: number;
  readonly #clock: Clock;
  #isOver = false;

  /** `ms` from the beginning of the reading. */
  constructor(reader: RunReader, ms: number, clock: Clock) {
    this.#reader = reader;
    this.#ms = ms;
    this.#clock = clock;
  }

  /** The time was over before the run was. */
  get isOver(): boolean {
    return this.#isOver;
  }

  leave(): void {
    this.#reader.leave();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunBatch> {
    let last = 0;
    let isDue = false;
    const endTimer = this.#clock.after(this.#ms, () => {
      isDue = true;
      this.#reader.leave();
    });
    try {
      for await (const batch of this.#reader) {
        last = batch.first + batch.items.length - 1;
        yield batch;
        if (batch.ending !== undefined) return;
      }
    } finally {
      endTimer();
    }
    if (!isDue) return;
    this.#isOver = true;
    yield { first: last, items: [], ending: { kind: 'failed', fault: fault('stream-deadline'), usage: [] } };
  }
}
