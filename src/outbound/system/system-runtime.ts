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
