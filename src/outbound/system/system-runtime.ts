/** The only caller of the clock, the timers and the random generator. */
import { randomUUID } from 'node:crypto';
import type { Clock, Ids } from '../../ports/runtime.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export const systemIds: Ids = {
  // Without the entropy cache: in a microVM restored from a memory snapshot the cache would be the same in each copy.
  uuid: () => randomUUID({ disableEntropyCache: true }),
};

/** Keeps the process alive until the result is called: our timers do not, and a stop may have nothing else to wait on. */
export function holdProcess(): () => void {
  const timer = setInterval(() => undefined, 3_600_000);
  return () => clearInterval(timer);
}
