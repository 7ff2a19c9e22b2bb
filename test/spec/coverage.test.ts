/**
 * Holds the manifest to the tests: each entry is proven on each of its doors, or listed in `not-yet.ts` with a reason;
 * what is proven is not listed any more. What a test claims is read from its source, because each test file runs in a
 * process of its own.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Claims, readClaims } from './claims.ts';
import { notYet } from './not-yet.ts';
import { type Door, type RequirementId, requirementIds, requirements } from './requirements.ts';
import { onDoors, verifies, verifiesOn } from './verifies.ts';

const testFolder = join(import.meta.dirname, '..');
const ownNames = new Set(['coverage.test.ts']);

async function readAllClaims(): Promise<Claims> {
  const all = new Map<string, Set<Door | 'every'>>();
  for (const name of await readdir(testFolder, { recursive: true })) {
    const base = name.split(/[\\/]/).at(-1) ?? '';
    if (!base.endsWith('.test.ts') || ownNames.has(base)) continue;
    for (const [id, doors] of readClaims(await readFile(join(testFolder, name), 'utf8'))) {
      all.set(id, new Set([...(all.get(id) ?? []), ...doors]));
    }
  }
  return all;
}

const pair = (id: string, door: Door) => `${id} on ${door}`;
const unproven = (id: RequirementId): readonly Door[] => {
  const entry = notYet.get(id);
  return entry === undefined ? [] : (entry.doors ?? requirements[id].doors);
};

describe('the manifest of behaviours', () => {
  let claims: Claims;
  const isProven = (id: string, door: Door): boolean => {
    const doors = claims.get(id);
    return doors !== undefined && (doors.has('every') || doors.has(door));
  };
  beforeAll(async () => {
    claims = await readAllClaims();
  });

  it('is proven entry by entry, on every door, save what is listed with its reason', () => {
    const missing = requirementIds.flatMap((id) =>
      requirements[id].doors
        .filter((door) => !isProven(id, door) && !unproven(id).includes(door))
        .map((door) => pair(id, door)),
    );

    expect(missing).toEqual([]);
  });

  it('is not listed as unproven where it is proven', () => {
    const stale = [...notYet.keys()].flatMap((id) =>
      unproven(id)
        .filter((door) => isProven(id, door))
        .map((door) => pair(id, door)),
    );

    expect(stale).toEqual([]);
  });

  it('has a reason for everything that is not proven yet, and only on doors where it is asked for', () => {
    for (const [id, { reason, doors = [] }] of notYet) {
      expect(reason.trim().length, id).toBeGreaterThan(10);
      expect(requirements[id].doors, id).toEqual(expect.arrayContaining([...doors]));
    }
  });

  it('knows every entry that a test claims to prove', () => {
    expect([...claims.keys()].filter((id) => !Object.hasOwn(requirements, id))).toEqual([]);
  });

  it('says each behaviour once, on at least one door', () => {
    const sentences = requirementIds.map((id) => `${requirements[id].source}: ${requirements[id].sentence}`);

    expect(new Set(sentences).size).toBe(sentences.length);
    expect(requirementIds.filter((id) => requirements[id].doors.length === 0)).toEqual([]);
  });
});

describe('reading claims from a test', () => {
  it('finds ids in calls, whole or for one door, over several lines', () => {
    const source = [
      "verifies('a.b', 'c');",
      "verifiesOn(\n  'ws',\n  'd',\n);",
      "onDoors('e', 'does it', async (door) => {",
    ].join('\n');

    expect([...readClaims(source)].map(([id, doors]) => [id, [...doors]])).toEqual([
      ['a.b', ['every']],
      ['c', ['every']],
      ['d', ['ws']],
      ['e', ['every']],
    ]);
  });

  it('takes no claim from a comment, a skipped test or a name that only ends alike', () => {
    const source = [
      "// verifies('a')",
      "/* verifies('b') */",
      "it.skip('x', () => { verifies('c'); });",
      "it.todo('y');",
      "notVerifies('d');",
    ].join('\n');

    expect(readClaims(source).size).toBe(0);
  });
});

describe('a claim', () => {
  it('of an unknown entry throws where it is made', () => {
    const unknown = 'no.such-behaviour' as RequirementId;

    expect(() => verifies(unknown)).toThrow('no.such-behaviour');
    expect(() => verifiesOn('ws', unknown)).toThrow('no.such-behaviour');
    expect(() => onDoors(unknown, 'x', () => undefined)).toThrow('no.such-behaviour');
  });

  it('for a door where the entry is not asked for throws', () => {
    expect(() => verifiesOn('ws', 'http.health')).toThrow('ws');
  });
});
