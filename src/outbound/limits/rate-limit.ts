/** Requests per second and caller: a token bucket for each, counted in this process. */
import { TokenBucket } from 'limiter';
import { LRUCache } from 'lru-cache';
import type { RateLimit } from '../../ports/rate-limit.ts';

/** More callers than this in one second are no matter of one caller's rate. */
const maxCallers = 10_000;

/** Holds one second's worth, so a caller may ask for that much at once after a second of silence, and never for more. */
export function createRateLimit(perSecond: number): RateLimit {
  // A bucket that nobody has asked for a second is full, like a new one: to forget it changes nothing.
  const buckets = new LRUCache<string, TokenBucket>({
    max: maxCallers,
    ttl: 1_000,
    ttlResolution: 0,
    updateAgeOnGet: true,
  });
  const open = (caller: string): TokenBucket => {
    const bucket = new TokenBucket({
      bucketSize: perSecond,
      tokensPerInterval: perSecond,
      interval: 'second',
    });
    bucket.content = perSecond;
    buckets.set(caller, bucket);
    return bucket;
  };
  return {
    take(caller) {
      const bucket = buckets.get(caller) ?? open(caller);
      return bucket.tryRemoveTokens(1) ? undefined : Math.max(1, Math.ceil(bucket.getWaitTime(1) / 1_000));
    },
  };
}
