/**
 * One ticking timer for all open streams, instead of one each: a stream that had no event for the given time gets a
 * heartbeat. Ticks only while there are streams.
 */
import type { Clock } from '../../ports/runtime.ts';

export interface Beat {
  /** Something was written: the quiet time starts anew. */
  touch(): void;
  stop(): void;
}

interface Entry {
  due: number;
  readonly beat: () => void;
}

export class Heartbeats {
  readonly #clock: Clock;
  readonly #quietMs: number;
  readonly #entries = new Set<Entry>();
  #cancelTick: (() => void) | undefined;

  constructor(clock: Clock, quietMs: number) {
    this.#clock = clock;
    this.#quietMs = quietMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  watch(beat: () => void): Beat {
    const entry: Entry = { due: this.#clock.now() + this.#quietMs, beat };
    this.#entries.add(entry);
    this.#schedule();
    return {
      touch: () => {
        entry.due = this.#clock.now() + this.#quietMs;
      },
      stop: () => {
        this.#entries.delete(entry);
        if (this.#entries.size > 0) return;
        this.#cancelTick?.();
        this.#cancelTick = undefined;
      },
    };
  }

  #schedule(): void {
    if (this.#cancelTick !== undefined || this.#entries.size === 0) return;
    this.#cancelTick = this.#clock.after(Math.min(1_000, this.#quietMs / 4), () => {
      this.#cancelTick = undefined;
      this.#tick();
      this.#schedule();
    });
  }

  #tick(): void {
    const now = this.#clock.now();
    for (const entry of this.#entries) {
      // A clock that was set back would put the next sign of life off by as much.
      const isAhead = entry.due - now > this.#quietMs;
      if (now < entry.due && !isAhead) continue;
      entry.due = now + this.#quietMs;
      entry.beat();
    }
  }
}
