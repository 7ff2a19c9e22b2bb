/** What every thread store promises, whatever it keeps its threads in. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ThreadStore } from '../../src/ports/thread-store.ts';
import { type ThreadAddress, threadId } from '../../src/protocol/ids.ts';
import { aSession, aThread, threadRecords } from '../unit/domain/thread/arbitrary-thread.ts';

export interface StoreUnderTest {
  readonly store: ThreadStore;
  /** Takes away what the store was given to work with. */
  dispose(): Promise<void>;
}

/** `make` gives an empty store. */
export function threadStoreContract(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a thread store`, () => {
    let subject: StoreUnderTest;
    let store: ThreadStore;
    beforeEach(async () => {
      subject = await make();
      store = subject.store;
    });
    afterEach(async () => {
      await store.close();
      await subject.dispose();
    });

    const inDefault = (id: string): ThreadAddress => ({ sessionId: undefined, threadId: threadId(id) });
    const inSession = (session: string, id: string): ThreadAddress => ({
      sessionId: aSession(session),
      threadId: threadId(id),
    });

    it('does not know a thread that was never saved', async () => {
      expect(await store.load(inDefault('nobody'))).toBeUndefined();
    });

    it('gives back any thread as it was saved', async () => {
      await fc.assert(
        fc.asyncProperty(threadRecords, async (record) => {
          await store.save(record);

          expect(await store.load(record.address)).toEqual(record);
        }),
        { numRuns: 60 },
      );
    });

    it('replaces a thread as a whole', async () => {
      await store.save(aThread({ userId: 'u', subject: 's', updatedAt: 1 }));
      await store.save(aThread({ updatedAt: 2 }));

      expect(await store.load(aThread().address)).toEqual(aThread({ updatedAt: 2 }));
    });

    it('keeps threads apart whose ids differ only by case, normal form or an ending', async () => {
      const ids = [
        'a',
        'A',
        'a.json',
        'a.',
        'a ',
        'é',
        'e\u0301',
        '..',
        '.',
        '../a',
        'con',
        'a/b',
        'a\\b',
        'A'.repeat(300),
      ];
      for (const id of ids) await store.save(aThread({ address: inDefault(id), cwd: `of ${id}` }));

      for (const id of ids) {
        expect((await store.load(inDefault(id)))?.cwd, JSON.stringify(id)).toBe(`of ${id}`);
      }
    });

    it('keeps the same thread id apart in different sessions', async () => {
      const places = [inDefault('t'), inSession('one', 't'), inSession('ONE', 't'), inSession('two', 't')];
      for (const [index, address] of places.entries())
        await store.save(aThread({ address, updatedAt: index }));

      for (const [index, address] of places.entries()) {
        expect(await store.load(address)).toEqual(aThread({ address, updatedAt: index }));
      }
    });

    it('keeps the last of many saves that were asked for at once', async () => {
      const saves = Array.from({ length: 20 }, (_, index) => store.save(aThread({ updatedAt: index })));
      await Promise.all(saves);

      expect((await store.load(aThread().address))?.updatedAt).toBe(19);
    });

    it('shows a save to the load that was asked for after it', async () => {
      const saved = store.save(aThread({ updatedAt: 7 }));
      const loaded = await store.load(aThread().address);
      await saved;

      expect(loaded?.updatedAt).toBe(7);
    });

    it('saves many threads at the same time', async () => {
      const records = Array.from({ length: 50 }, (_, index) =>
        aThread({ address: inSession('many', `t${index}`), updatedAt: index }),
      );
      await Promise.all(records.map((record) => store.save(record)));

      const loaded = await Promise.all(records.map(({ address }) => store.load(address)));
      expect(loaded).toEqual(records);
    });

    it('forgets a removed thread, and no other', async () => {
      await store.save(aThread());
      await store.save(aThread({ address: inDefault('other') }));
      await store.remove(aThread().address);

      expect(await store.load(aThread().address)).toBeUndefined();
      expect(await store.load(inDefault('other'))).toEqual(aThread({ address: inDefault('other') }));
    });

    it('removes a thread that it does not know without complaint', async () => {
      await expect(store.remove(inSession('none', 'nobody'))).resolves.toBeUndefined();
    });

    it('takes a removed thread back', async () => {
      await store.save(aThread());
      await store.remove(aThread().address);
      await store.save(aThread({ updatedAt: 3 }));

      expect((await store.load(aThread().address))?.updatedAt).toBe(3);
    });
  });
}
