/** What a socket has brought and nobody has read yet: pushed by its events, pulled by one reader. */
import type { ClientError } from './client-error.ts';
import type { SocketClose } from './socket.ts';

type Item = { readonly text: string } | 'alive';

export interface FrameFlow {
  /** Called when so much waits that the socket should be held up, where that can be done. */
  pause(): void;
  resume(): void;
}

const highWaterChars = 1024 * 1024;
const noFlow: FrameFlow = { pause: () => undefined, resume: () => undefined };

export class FrameQueue {
  readonly #flow: FrameFlow;
  #items: Item[] = [];
  #chars = 0;
  #isPaused = false;
  #end: { readonly close: SocketClose } | { readonly problem: ClientError } | undefined;
  #wake: (() => void) | undefined;

  constructor(flow: FrameFlow = noFlow) {
    this.#flow = flow;
  }

  push(text: string): void {
    this.#items.push({ text });
    this.#chars += text.length;
    if (this.#chars > highWaterChars && !this.#isPaused) {
      this.#isPaused = true;
      this.#flow.pause();
    }
    this.#wake?.();
  }

  /** A sign of life without content. */
  alive(): void {
    if (this.#items.length === 0) this.#items.push('alive');
    this.#wake?.();
  }

  close(close: SocketClose): void {
    this.#end ??= { close };
    this.#wake?.();
  }

  /** Ends the reading at once: what waits is dropped. */
  fail(problem: ClientError): void {
    this.#end ??= { problem };
    this.#items = [];
    this.#wake?.();
  }

  async *read(): AsyncGenerator<string | undefined, SocketClose> {
    for (;;) {
      const items = this.#items;
      this.#items = [];
      this.#chars = 0;
      if (this.#isPaused) {
        this.#isPaused = false;
        this.#flow.resume();
      }
      for (const item of items) yield item === 'alive' ? undefined : item.text;
      if (this.#items.length > 0) continue;
      if (this.#end !== undefined) {
        if ('problem' in this.#end) throw this.#end.problem;
        return this.#end.close;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
