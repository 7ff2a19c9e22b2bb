/** So many per second, counted in windows of one second. Pure but for the counting: the time is given. */
export class Rate {
  readonly #perSecond: number;
  #windowStart = 0;
  #used = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Takes one; false when this second has none left. */
  take(nowMs: number): boolean {
    if (nowMs - this.#windowStart >= 1_000) {
      this.#windowStart = nowMs;
      this.#used = 0;
    }
    this.#used += 1;
    return this.#used <= this.#perSecond;
  }
}
