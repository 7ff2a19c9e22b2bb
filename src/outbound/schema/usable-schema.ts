/**
 * An agent's schema, reduced to what is safe to check with: known keywords only, references only into the schema
 * itself, bounded in size, depth, number of subschemas and in what checking can cost. Patterns stay only where the
 * compiler given in takes them (it must promise linear time); others are set aside, and so are whole branches of
 * `patternProperties` with the `additionalProperties` that would then refuse what they allowed.
 *
 * Nothing is compiled here, and whether keywords hold what they should is the validator's to say.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/json.ts';
import { schemaCost } from './schema-cost.ts';
import { listKeywords, mapKeywords, schemaKeywords, valueKeywords } from './schema-keywords.ts';

/** True when the pattern can be matched in time linear to the text. */
export type PatternGate = (pattern: string) => boolean;

export type UsableSchema =
  | {
      readonly ok: true;
      readonly schema: JsonObject;
      /** Steps per payload item, at least 1. */
      readonly cost: number;
      /** How many keywords were set aside because their pattern was refused. */
      readonly setAside: number;
    }
  | { readonly ok: false; readonly why: string };

const maxValues = 4000;
const maxCharacters = 131_072;
const maxSubschemas = 300;
const maxNesting = 64;
const maxPatterns = 20;

interface Tally {
  values: number;
  characters: number;
  subschemas: number;
  patterns: number;
  setAside: number;
  readonly isLinear: PatternGate;
}

/** Thrown and caught in this file alone, to leave a deep walk at once. */
class Unusable extends Error {}

export function toUsableSchema(schema: JsonObject, isLinear: PatternGate): UsableSchema {
  const tally: Tally = { values: 0, characters: 0, subschemas: 0, patterns: 0, setAside: 0, isLinear };
  try {
    const clean = cleanSchema(schema, tally, 0);
    const cost = schemaCost(clean);
    if (cost === undefined) return { ok: false, why: 'recursive, nested too deep, or refers to nothing' };
    return { ok: true, schema: clean, cost, setAside: tally.setAside };
  } catch (error) {
    if (error instanceof Unusable) return { ok: false, why: error.message };
    throw error;
  }
}

function cleanSchema(schema: JsonObject, tally: Tally, depth: number): JsonObject {
  tally.subschemas += 1;
  if (tally.subschemas > maxSubschemas) throw new Unusable('too many subschemas');
  const members: (readonly [string, JsonValue])[] = [];
  const setAsideBefore = tally.setAside;
  for (const [key, member] of Object.entries(schema)) {
    if (member === undefined) continue;
    const clean = cleanMember(key, member, tally, depth + 1);
    if (clean !== undefined) members.push(...clean);
  }
  const lostNames = 'patternProperties' in schema && tally.setAside > setAsideBefore;
  const kept = lostNames
    ? members.filter(([key]) => !/^(?:additional|unevaluated)Properties$/.test(key))
    : members;
  // `fromEntries` defines members, where an assignment to `__proto__` would be lost.
  return Object.fromEntries(kept);
}

type CleanMembers = readonly (readonly [string, JsonValue])[] | undefined;

function cleanMember(key: string, member: JsonValue, tally: Tally, depth: number): CleanMembers {
  if (key === '$ref') return [[key, localReference(member, tally)]];
  if (key === 'pattern') return isKept(member, tally) ? [[key, copyValue(member, tally, depth)]] : undefined;
  // Before 2020-12 a list of `items` was what `prefixItems` is now.
  if (key === 'items' && Array.isArray(member)) return [['prefixItems', cleanList(member, tally, depth)]];
  if (schemaKeywords.has(key)) return [[key, cleanAny(member, tally, depth)]];
  if (listKeywords.has(key)) return [[key, cleanList(member, tally, depth)]];
  if (mapKeywords.has(key)) return [[key, cleanMap(key, member, tally, depth)]];
  if (valueKeywords.has(key)) return [[key, copyValue(member, tally, depth)]];
  if (key === '$dynamicRef' || key === '$recursiveRef') throw new Unusable('dynamic references');
  return undefined;
}

/** A member that should be a schema; what is none is kept as it is, for the validator to refuse. */
function cleanAny(member: JsonValue, tally: Tally, depth: number): JsonValue {
  if (!isJsonObject(member)) return copyValue(member, tally, depth);
  if (depth > maxNesting) throw new Unusable('nested too deep');
  return cleanSchema(member, tally, depth);
}

function cleanList(member: JsonValue, tally: Tally, depth: number): JsonValue {
  if (!Array.isArray(member)) return copyValue(member, tally, depth);
  return (member as readonly JsonValue[]).map((each) => cleanAny(each, tally, depth + 1));
}

function cleanMap(key: string, member: JsonValue, tally: Tally, depth: number): JsonValue {
  if (!isJsonObject(member)) return copyValue(member, tally, depth);
  const entries: (readonly [string, JsonValue])[] = [];
  for (const [name, schema] of Object.entries(member)) {
    if (schema === undefined || (key === 'patternProperties' && !isKept(name, tally))) continue;
    count(tally, name.length);
    entries.push([name, cleanAny(schema, tally, depth + 1)]);
  }
  return Object.fromEntries(entries);
}

function isKept(pattern: JsonValue, tally: Tally): boolean {
  tally.patterns += 1;
  if (typeof pattern !== 'string') throw new Unusable('a pattern that is no text');
  if (tally.patterns <= maxPatterns && tally.isLinear(pattern)) return true;
  tally.setAside += 1;
  return false;
}

function localReference(reference: JsonValue, tally: Tally): JsonValue {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference))
    throw new Unusable('a reference to elsewhere');
  count(tally, reference.length);
  return reference;
}

function copyValue(value: JsonValue, tally: Tally, depth: number): JsonValue {
  if (depth > maxNesting) throw new Unusable('nested too deep');
  count(tally, typeof value === 'string' ? value.length : 0);
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((each) => copyValue(each, tally, depth + 1));
  if (!isJsonObject(value)) return value;
  const entries: (readonly [string, JsonValue])[] = [];
  for (const [key, member] of Object.entries(value)) {
    count(tally, key.length);
    if (member !== undefined) entries.push([key, copyValue(member, tally, depth + 1)]);
  }
  return Object.fromEntries(entries);
}

function count(tally: Tally, characters: number): void {
  tally.values += 1;
  tally.characters += characters;
  if (tally.values > maxValues || tally.characters > maxCharacters) throw new Unusable('too large');
}
