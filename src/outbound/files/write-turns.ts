/** Who writes when: per key in the order of asking, and never more than a few at the same time altogether. */

/** Work on one key runs one after another, in the order of the calls. Keys do not wait for each other. */
export class InOrder {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Settles as `work` does. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const turn = before.then(work);
    const tail = turn.then(ignore, ignore).then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    this.#tails.set(key, tail);
    return turn;
  }

  /** Resolves when all that was asked for until now is done. */
  async idle(): Promise<void> {
    await Promise.all(this.#tails.values());
  }
}

/** At most `limit` works run at once, the others wait in line. */
export class AtMost {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Settles as `work` does. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#limit) this.#running += 1;
    else await new Promise<void>((admit) => this.#waiting.push(admit));
    try {
      return await work();
    } finally {
      // The place is handed over, so that nobody who asks meanwhile can take it.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}

function ignore(): void {
  // The caller of `run` gets the outcome; the line only waits for the end.
}
