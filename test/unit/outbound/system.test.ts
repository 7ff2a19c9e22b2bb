/** Ids of processes that were one: a memory snapshot copies the process's random state, not the system's. */
import { describe, expect, it } from 'vitest';
import { freshRandom, freshUuid } from '../../../src/outbound/system/fresh-random.ts';
import { systemIds } from '../../../src/outbound/system/system-runtime.ts';

describe('an id', () => {
  it('is a version 4 UUID, another one each time', () => {
    const ids = Array.from({ length: 1_000 }, () => systemIds.uuid());

    expect(new Set(ids).size).toBe(1_000);
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  it('asks the system for all of its bytes each time: nothing that a snapshot holds decides it alone', () => {
    const asked: number[] = [];
    const source = (into: Uint8Array): void => {
      asked.push(into.length);
    };

    freshUuid(source);
    freshUuid(source);

    expect(asked).toEqual([16, 16]);
  });

  it('still differs where the system gives nothing but zeros or ones', () => {
    const ones = (into: Uint8Array): void => void into.fill(0xff);
    const zeros = (into: Uint8Array): void => void into.fill(0);
    const counts = [ones, zeros].map((source) => {
      const samples = Array.from({ length: 200 }, () => freshRandom(8, source));
      return new Set(samples.map((bytes) => Buffer.from(bytes).toString('hex'))).size;
    });

    expect(counts).toEqual([200, 200]);
  });
});
