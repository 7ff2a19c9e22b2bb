/**
 * Frames between the socket that brings them and the one reader that takes them, everything at once. Bounded by its
 * owner, who stops the socket while `isFull`; what came before the end is always taken before the end is seen.
 */
import type { KernelError } from '../../errors/kernel-error.ts';
import type { JsonObject } from '../../protocol/json.ts';

type Ending = { readonly error: KernelError | undefined };

export class FrameQueue {
  readonly #maxChars: number;
  #frames: JsonObject[] = [];
  #chars = 0;
  #ending: Ending | undefined;
  #news: PromiseWithResolvers<void> | undefined;

  /** `maxChars`: full when the frames that wait came from so many characters of JSON. */
  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  get isFull(): boolean {
    return this.#chars >= this.#maxChars;
  }

  /** Set once nothing more comes; look at it when `take` gave nothing. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  push(frame: JsonObject, chars: number): void {
    if (this.#ending !== undefined) return;
    this.#frames.push(frame);
    this.#chars += chars;
    this.#tell();
  }

  /** The first ending counts. */
  end(error?: KernelError): void {
    this.#ending ??= { error };
    this.#tell();
  }

  /** Forgets what was not taken, and ends without an error whatever came before. */
  drop(): void {
    this.#frames = [];
    this.#chars = 0;
    this.#ending = { error: undefined };
    this.#tell();
  }

  take(): readonly JsonObject[] {
    const frames = this.#frames;
    if (frames.length > 0) {
      this.#frames = [];
      this.#chars = 0;
    }
    return frames;
  }

  /** Resolves at the next push or end. */
  news(): Promise<void> {
    this.#news ??= Promise.withResolvers<void>();
    return this.#news.promise;
  }

  #tell(): void {
    this.#news?.resolve();
    this.#news = undefined;
  }
}
