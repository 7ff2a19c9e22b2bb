/**
 * A limit on silence: rejects what waits when nothing has been heard for too long. One timer for each stream, moved on
 * lazily, so that a busy stream costs no timer per piece.
 */
import { ClientError } from './client-error.ts';

export class Watchdog {
  readonly #limitMs: number;
  readonly #onSilence: (problem: ClientError) => void;
  #heardAt = Date.now();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `limitMs` 0 watches nothing. */
  constructor(limitMs: number, onSilence: (problem: ClientError) => void) {
    this.#limitMs = limitMs;
    this.#onSilence = onSilence;
    if (limitMs > 0) this.#wait(limitMs);
  }

  heard(): void {
    this.#heardAt = Date.now();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => {
      const left = this.#heardAt + this.#limitMs - Date.now();
      if (left > 0) return this.#wait(left);
      const message = `nothing was heard from the server for ${Math.round(this.#limitMs / 1_000)} s`;
      return this.#onSilence(new ClientError({ code: 'TRUNCATED', message, retryable: true }));
    }, ms);
  }
}
