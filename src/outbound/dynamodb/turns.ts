/** Work on one key runs one after another, in the order of the calls. Keys do not wait for each other. */
export class Turns {
  readonly #tails = new Map<string, Promise<void>>();

  /** Settles as `work` does. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.#tails.get(key) ?? Promise.resolve()).then(work);
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

function ignore(): void {
  // The caller of the work gets its outcome; the line only waits for its end.
}
