/**
 * What has been said, remembered without its words: length, running SHA-256 and a short tail. So a repeat of it can be
 * told from new text while the memory stays the same size over millions of deltas.
 *
 * Text is hashed as UTF-16, so that a surrogate pair cut between two deltas counts like an uncut one. Hashing is done
 * block by block, because a call into the hash for every delta would cost more than everything else here.
 */
import { createHash, type Hash } from 'node:crypto';

/** Length in UTF-16 units and SHA-256 (hex). */
export interface TextDigest {
  readonly length: number;
  readonly digest: string;
}

const blockLength = 8_192;
const tailLength = 1_024;
/** A shorter tail could stand anywhere. */
const minAnchor = 16;

export class TextTrack {
  #hash: Hash | undefined;
  #length = 0;
  #block = '';
  #tail = '';

  get length(): number {
    return this.#length;
  }

  append(text: string): void {
    this.#length += text.length;
    this.#block += text;
    if (this.#block.length >= blockLength) this.#flush();
  }

  digest(): TextDigest {
    const hash = this.#hash === undefined ? createHash('sha256') : this.#hash.copy();
    return { length: this.#length, digest: hash.update(this.#block, 'utf16le').digest('hex') };
  }

  isPrefixOf(text: string): boolean {
    if (text.length < this.#length) return false;
    if (this.#hash === undefined) return text.startsWith(this.#block);
    return digestText(text.slice(0, this.#length)) === this.digest().digest;
  }

  equals(text: string): boolean {
    return text.length === this.#length && this.isPrefixOf(text);
  }

  /**
   * What `text` holds behind the point reached here. `text` may begin later than what was said (a shortened history);
   * undefined when the point can't be found in it.
   */
  missingOf(text: string): string | undefined {
    if (this.isPrefixOf(text)) return text.slice(this.#length);
    const tail = (this.#tail + this.#block).slice(-tailLength);
    if (tail.length < minAnchor) return undefined;
    const at = text.indexOf(tail);
    return at < 0 ? undefined : text.slice(at + tail.length);
  }

  #flush(): void {
    this.#hash ??= createHash('sha256');
    this.#hash.update(this.#block, 'utf16le');
    this.#tail = this.#block.slice(-tailLength);
    this.#block = '';
  }
}

/** The longest beginning of `text` that is among the known digests; 0 when none is. */
export function knownPrefixLength(text: string, known: readonly TextDigest[]): number {
  let longest = 0;
  for (const { length, digest } of known) {
    if (length <= longest || length > text.length) continue;
    if (digestText(text.slice(0, length)) === digest) longest = length;
  }
  return longest;
}

export function digestText(text: string): string {
  return createHash('sha256').update(text, 'utf16le').digest('hex');
}
