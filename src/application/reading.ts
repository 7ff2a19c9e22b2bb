/** How long a run reads from its kernel: until it stops, or at most for a time once it looks like the end. */
import type { Clock } from '../ports/runtime.ts';

export class Reading {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  #endLimit: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Aborted when nothing is read any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stop(): void {
    this.#endLimit?.();
    this.#controller.abort();
  }

  atMost(ms: number): void {
    this.#endLimit?.();
    this.#endLimit = this.#clock.after(ms, () => this.#controller.abort());
  }

  /** As long as it takes, again. */
  goOn(): void {
    this.#endLimit?.();
  }
}
