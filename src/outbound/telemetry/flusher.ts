/**
 * Sends what an SDK has collected, when a run's answer is about to end: the machine may freeze right after it. Many
 * answers share one sending. A collector that does not answer in time is left alone for a while, so that it costs one
 * short wait and not one for each answer.
 */
import { metrics, trace } from '@opentelemetry/api';
import type { Clock } from '../../ports/runtime.ts';

export interface FlushLimits {
  readonly waitMs: number;
  /** How long a collector that did not answer in time is not waited for. */
  readonly pauseMs: number;
}

export const defaultFlushLimits: FlushLimits = { waitMs: 500, pauseMs: 30_000 };

type Flushing = () => Promise<unknown>;

export class Flusher {
  readonly #clock: Clock;
  readonly #limits: FlushLimits;
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #pausedUntil = 0;

  constructor(clock: Clock, limits: FlushLimits = defaultFlushLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Resolves when all that had ended before the call is sent, or the time is over. */
  flush(): Promise<void> {
    const providers = flushable();
    const now = this.#clock.now();
    // A clock that was set back must not keep the pause for ever.
    const isPaused = now < this.#pausedUntil && this.#pausedUntil - now <= this.#limits.pauseMs;
    if (providers.length === 0 || isPaused) return Promise.resolve();
    this.#next ??= this.#current.then(() => {
      this.#next = undefined;
      this.#current = this.#send(providers);
      return this.#current;
    });
    return this.#next;
  }

  async #send(providers: readonly Flushing[]): Promise<void> {
    const sent = Promise.allSettled(providers.map((each) => each())).then(() => true);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const endTimer = this.#clock.after(this.#limits.waitMs, () => resolve(false));
    const isInTime = await Promise.race([sent, promise]);
    endTimer();
    if (!isInTime) this.#pausedUntil = this.#clock.now() + this.#limits.pauseMs;
  }
}

/** The API has no word for it, the SDKs do: the providers behind it that can send at once. */
function flushable(): readonly Flushing[] {
  return [trace.getTracerProvider(), metrics.getMeterProvider()].flatMap((provider) => {
    const delegate: unknown =
      'getDelegate' in provider && typeof provider.getDelegate === 'function'
        ? provider.getDelegate()
        : provider;
    if (typeof delegate !== 'object' || delegate === null || !('forceFlush' in delegate)) return [];
    const { forceFlush } = delegate;
    return typeof forceFlush === 'function' ? [async () => forceFlush.call(delegate)] : [];
  });
}
