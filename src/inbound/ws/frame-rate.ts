/**
 * How fast a socket may send: never more than 200 frames in any second, under the platform's limit of 250. Half of it may
 * go at once, the other half is spread.
 */
import type { Clock } from '../../ports/runtime.ts';

const burst = 100;
const perSecond = 100;

export class FrameRate {
  readonly #clock: Clock;
  #tokens = burst;
  #countedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#countedAt = clock.now();
  }

  /** Undefined when a frame may go now; else resolves when it may, or when `gone` is aborted. */
  take(gone: AbortSignal): Promise<void> | undefined {
    this.#refill();
    this.#tokens -= 1;
    if (this.#tokens >= 0) return undefined;
    const ms = Math.ceil((-this.#tokens / perSecond) * 1_000);
    return new Promise((resolve) => {
      const done = (): void => {
        endTimer();
        gone.removeEventListener('abort', done);
        resolve();
      };
      const endTimer = this.#clock.after(ms, done);
      gone.addEventListener('abort', done, { once: true });
    });
  }

  #refill(): void {
    const now = this.#clock.now();
    const elapsed = Math.max(0, now - this.#countedAt);
    this.#countedAt = now;
    this.#tokens = Math.min(burst, this.#tokens + (elapsed * perSecond) / 1_000);
  }
}
