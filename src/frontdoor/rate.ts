import { TokenBucket } from 'limiter';

/** So many per second, filled evenly, and all of them at once after a second of silence. Its clock is never set back. */
export class Rate {
  readonly #bucket: TokenBucket;

  /** `perSecond` from 1 on. */
  constructor(perSecond: number) {
    this.#bucket = new TokenBucket({
      bucketSize: perSecond,
      tokensPerInterval: perSecond,
      interval: 'second',
    });
    this.#bucket.content = perSecond;
  }

  /** Takes one; false when none is left for now. */
  take(): boolean {
    return this.#bucket.tryRemoveTokens(1);
  }
}
