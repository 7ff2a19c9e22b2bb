/** Reads from the source of a test file which entries of the manifest it claims to prove, and on which doors. */
import { type Door, doors } from './requirements/requirement.ts';

/** By id; `every` stands for all doors of the entry. */
export type Claims = ReadonlyMap<string, ReadonlySet<Door | 'every'>>;

const call = /(?<![\w.])(verifies|verifiesOn|onDoors)\(\s*((?:'[^'\n]*'\s*,?\s*)+)/g;

/** A file with a skipped or unwritten test claims nothing, for the claim could stand in that very test. */
export function readClaims(source: string): Claims {
  const claims = new Map<string, Set<Door | 'every'>>();
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  if (/\b(?:it|test|describe)\.(?:skip|todo)\b/.test(code)) return claims;
  for (const [, name, list = ''] of code.matchAll(call)) {
    const words = [...list.matchAll(/'([^'\n]*)'/g)].map(([, word]) => word ?? '');
    const door = name === 'verifiesOn' ? doors.find((each) => each === words[0]) : undefined;
    const ids = name === 'verifies' ? words : name === 'onDoors' ? words.slice(0, 1) : words.slice(1);
    for (const id of ids) claims.set(id, (claims.get(id) ?? new Set()).add(door ?? 'every'));
  }
  return claims;
}
