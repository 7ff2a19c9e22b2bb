/** The only caller of the clock, the timers and the random generator. */
import type { Clock, Ids } from '../../ports/runtime.ts';
import { freshUuid } from './fresh-random.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export const systemIds: Ids = {
  uuid: () => freshUuid(),
};

/** Keeps the process alive until the result is called: our timers do not, and a stop may have nothing else to wait on. */
export function holdProcess(): () => void {
  const timer = setInterval(() => undefined, 3_600_000);
  return () => clearInterval(timer);
}
