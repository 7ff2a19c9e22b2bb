/**
 * What `/ping` says. Computed from the process's phase and what is running, never set by hand. The stamp moves only when
 * the status really changes and is absent before the first change: a stamp that advances by itself would keep an idle
 * session alive for ever, and one taken at process start would be wrong after a snapshot restore.
 */
import type { Clock } from '../ports/runtime.ts';

export type Phase = 'starting' | 'ready' | 'draining';

export interface HealthStatus {
  readonly phase: Phase;
  readonly status: 'Healthy' | 'HealthyBusy';
  /** Unix seconds of the last change of `status`, undefined before the first. */
  readonly changedAt: number | undefined;
}

export class Health {
  readonly #clock: Clock;
  #phase: Phase = 'starting';
  #busy = 0;
  #changedAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get phase(): Phase {
    return this.#phase;
  }

  get busyCount(): number {
    return this.#busy;
  }

  enter(phase: 'ready' | 'draining'): void {
    this.#phase = phase;
  }

  /** Something runs until the returned function is called; calling it again does nothing. */
  begin(): () => void {
    this.#busy += 1;
    if (this.#busy === 1) this.#stamp();
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.#busy -= 1;
      if (this.#busy === 0) this.#stamp();
    };
  }

  read(): HealthStatus {
    return {
      phase: this.#phase,
      status: this.#busy > 0 ? 'HealthyBusy' : 'Healthy',
      changedAt: this.#changedAt,
    };
  }

  #stamp(): void {
    this.#changedAt = Math.floor(this.#clock.now() / 1000);
  }
}
