/**
 * Where the events of an event stream end, over chunks of bytes cut anywhere. Needed to know whether an event of our own
 * can be appended, and how large an event has become; nothing is decoded or kept.
 */
const lineFeed = 10;
const carriageReturn = 13;

export class EventBoundary {
  /** Bytes since the last blank line. */
  #open = 0;
  #longest = 0;
  /** Line ends in a row; two make a blank line. */
  #lineEnds = 0;
  #lastWasReturn = false;

  /** Nothing of an unfinished event has been seen. */
  get isBetweenEvents(): boolean {
    return this.#open === 0;
  }

  /** Size of the largest event so far, an unfinished one too. */
  get longest(): number {
    return Math.max(this.#longest, this.#open);
  }

  take(chunk: Uint8Array): void {
    for (const byte of chunk) {
      const isPair = byte === lineFeed && this.#lastWasReturn;
      this.#lastWasReturn = byte === carriageReturn;
      // CR LF is one line end; its second half belongs to what the first one has ended.
      if (isPair) {
        if (this.#open > 0) this.#open += 1;
        continue;
      }
      this.#open += 1;
      this.#lineEnds = byte === lineFeed || byte === carriageReturn ? this.#lineEnds + 1 : 0;
      if (this.#lineEnds >= 2) {
        this.#longest = Math.max(this.#longest, this.#open);
        this.#open = 0;
      }
    }
  }
}
