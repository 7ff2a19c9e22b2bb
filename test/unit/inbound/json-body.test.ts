import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readJsonObject } from '../../../src/inbound/http/json-body.ts';
import type { Clock } from '../../../src/ports/runtime.ts';

/** A clock that only goes on when it is told to. */
class StillClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  goOn(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers]) {
      if (timer.at > this.#now || !this.#timers.delete(timer)) continue;
      timer.callback();
    }
  }

  get waiting(): number {
    return this.#timers.size;
  }
}

const limits = { maxBytes: 1_000, stallMs: 30_000, totalMs: 240_000 };

function reading() {
  const clock = new StillClock();
  const stream = new PassThrough();
  // The reader uses the headers and the stream of a request, and nothing else of it.
  const request = Object.assign(stream, {
    headers: { 'content-type': 'application/json' },
  }) as unknown as IncomingMessage;
  const body = readJsonObject(request, limits, clock);
  body.catch(() => undefined);
  const write = (text: string): Promise<void> =>
    new Promise((resolve) => {
      stream.once('data', () => resolve());
      stream.write(text);
    });
  return { clock, stream, body, write };
}

describe('a body that comes slowly', () => {
  it('is read as long as something comes and the whole is there in time', async () => {
    const { clock, stream, body, write } = reading();

    for (const part of ['{"a"', ':', '1']) {
      await write(part);
      clock.goOn(29_000);
    }
    stream.end('}');

    expect(await body).toEqual({ a: 1 });
    expect(clock.waiting).toBe(0);
  });

  it('is given up when nothing comes for too long', async () => {
    const { clock, body, write } = reading();

    await write('{');
    clock.goOn(30_000);

    await expect(body).rejects.toMatchObject({ fault: 'body-stalled' });
    expect(clock.waiting).toBe(0);
  });

  it('is given up when it drips for too long', async () => {
    const { clock, body, write } = reading();

    for (let drop = 0; drop < 9; drop += 1) {
      await write(' ');
      clock.goOn(29_000);
    }

    await expect(body).rejects.toMatchObject({ fault: 'body-stalled' });
    expect(clock.waiting).toBe(0);
  });
});
