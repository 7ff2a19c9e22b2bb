/** Requests per second and caller, counted in this process. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimit } from '../../ports/rate-limit.ts';

export function createRateLimit(perSecond: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 });
  return {
    async take(caller) {
      try {
        await limiter.consume(caller);
        return undefined;
      } catch (thrown) {
        // The library says by this that there was no room.
        if (thrown instanceof RateLimiterRes) return Math.max(1, Math.ceil(thrown.msBeforeNext / 1_000));
        throw thrown;
      }
    },
  };
}
