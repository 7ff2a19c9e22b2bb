/** A set of the newest ids, of bounded size: at least `capacity` of them are remembered, never more than twice as many. */
export class SeenIds {
  readonly #capacity: number;
  #newer = new Set<string>();
  #older = new Set<string>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  has(id: string): boolean {
    return this.#newer.has(id) || this.#older.has(id);
  }

  add(id: string): void {
    this.#newer.add(id);
    if (this.#newer.size < this.#capacity) return;
    this.#older = this.#newer;
    this.#newer = new Set();
  }
}
