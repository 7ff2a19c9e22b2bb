import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RunEnding, RunFeed, type RunItem, type RunReader } from '../../../src/application/run-feed.ts';

const delta = (text: string): RunItem => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: text });
const finished: RunEnding = { kind: 'finished', usage: [] };
const small = { maxLag: 1_000, retained: 1_000, maxBatch: 4 };

async function readAll(
  reader: RunReader,
): Promise<{ readonly numbers: number[]; readonly texts: string[]; readonly ending: RunEnding | undefined }> {
  const numbers: number[] = [];
  const texts: string[] = [];
  let ending: RunEnding | undefined;
  for await (const batch of reader) {
    for (const [index, item] of batch.items.entries()) {
      numbers.push(batch.first + index);
      texts.push('delta' in item ? String(item.delta) : item.type);
    }
    ending = batch.ending ?? ending;
  }
  return { numbers, texts, ending };
}

describe('a run feed', () => {
  it('gives every reader every event once and in order, whenever it comes, and then the end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.string(), { maxLength: 6 }), { maxLength: 12 }),
        fc.nat(80),
        async (batches, after) => {
          const feed = new RunFeed();
          const early = readAll(feed.reader());
          for (const texts of batches) {
            feed.append(texts.map(delta));
            await Promise.resolve();
          }
          const late = readAll(feed.reader(after));
          feed.end(finished);

          const all = batches.flat();
          const [first, second] = await Promise.all([early, late]);
          expect(first).toEqual({
            numbers: all.map((_text, index) => index + 1),
            texts: all,
            ending: finished,
          });
          expect(second.texts).toEqual(all.slice(Math.min(after, all.length)));
          expect(second.ending).toEqual(finished);
        },
      ),
    );
  });

  it('lets a reader in after the end', async () => {
    const feed = new RunFeed();
    feed.append([delta('a'), delta('b')]);
    feed.end(finished);

    expect(await readAll(feed.reader(1))).toEqual({ numbers: [2], texts: ['b'], ending: finished });
  });

  it('takes nothing after its end, and ends only once', async () => {
    const feed = new RunFeed();
    feed.end(finished);
    feed.append([delta('late')]);
    feed.end({ kind: 'finished', result: 'other', usage: [] });

    expect(await readAll(feed.reader())).toEqual({ numbers: [], texts: [], ending: finished });
  });

  it('makes the writer wait while a reader is too far behind, and no longer', async () => {
    const feed = new RunFeed(small);
    const reader = feed.reader()[Symbol.asyncIterator]();
    feed.append([delta('x'.repeat(600))]);
    expect(feed.room()).toBeUndefined();
    feed.append([delta('x'.repeat(600))]);
    const room = feed.room();
    expect(room).toBeInstanceOf(Promise);

    await reader.next();

    await room;
    expect(feed.room()).toBeUndefined();
  });

  it('frees a waiting writer when the slow reader leaves, and when the run ends', async () => {
    for (const free of [
      (_feed: RunFeed, reader: RunReader) => reader.leave(),
      (feed: RunFeed) => feed.end(finished),
    ]) {
      const feed = new RunFeed(small);
      const reader = feed.reader();
      feed.append([delta('x'.repeat(2_000))]);
      const room = feed.room();

      free(feed, reader);

      await room;
      expect(feed.room()).toBeUndefined();
    }
  });

  it('keeps a bounded tail for readers that come back, and nothing that is being read is lost', async () => {
    const feed = new RunFeed(small);
    for (let index = 0; index < 100; index += 1) feed.append([delta(`${index}`.padStart(200, '.'))]);

    const { numbers } = await readFirst(feed.reader());

    expect(numbers[0]).toBeGreaterThan(85);
    expect(feed.last).toBe(100);
  });

  it('ends the reading of a reader that leaves while it waits', async () => {
    const feed = new RunFeed();
    const reader = feed.reader();
    const reading = readAll(reader);

    reader.leave();

    expect((await reading).ending).toBeUndefined();
    expect(feed.readers).toBe(0);
  });
});

async function readFirst(reader: RunReader): Promise<{ readonly numbers: number[] }> {
  for await (const batch of reader)
    return { numbers: batch.items.map((_item, index) => batch.first + index) };
  return { numbers: [] };
}
