/** The system's timers under a wall clock that can be moved, as a restored memory snapshot has them. */
import { systemClock } from '../../src/outbound/system/system-runtime.ts';
import type { Clock } from '../../src/ports/runtime.ts';

export class JumpingClock implements Clock {
  #offsetMs = 0;

  now(): number {
    return systemClock.now() + this.#offsetMs;
  }

  after(ms: number, callback: () => void): () => void {
    return systemClock.after(ms, callback);
  }

  jump(ms: number): void {
    this.#offsetMs += ms;
  }
}
