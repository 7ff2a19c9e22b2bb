/**
 * A text that grows by small pieces and is rarely read. Pieces are joined block by block, because a string that was added
 * to a hundred thousand times keeps all its pieces and several times its own size in memory. Bounded: of a text that is
 * too long its beginning is given up, block by block.
 */
const blockLength = 16_384;

export class GrowingText {
  readonly #maxLength: number;
  #blocks: string[] = [];
  #pieces: string[] = [];
  #piecesLength = 0;
  #length = 0;

  /** `maxLength` in UTF-16 units, kept to within a block. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Length of what is kept, in UTF-16 units. */
  get length(): number {
    return this.#length;
  }

  append(piece: string): void {
    this.#pieces.push(piece);
    this.#piecesLength += piece.length;
    this.#length += piece.length;
    if (this.#piecesLength < blockLength) return;
    this.#blocks.push(this.#pieces.join(''));
    this.#pieces = [];
    this.#piecesLength = 0;
    while (this.#length > this.#maxLength && this.#blocks.length > 1) {
      this.#length -= this.#blocks.shift()?.length ?? 0;
    }
  }

  copy(): GrowingText {
    const copy = new GrowingText(this.#maxLength);
    copy.#blocks = [...this.#blocks];
    copy.#pieces = [...this.#pieces];
    copy.#piecesLength = this.#piecesLength;
    copy.#length = this.#length;
    return copy;
  }

  toString(): string {
    return [...this.#blocks, ...this.#pieces].join('');
  }
}
