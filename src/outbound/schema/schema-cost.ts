/**
 * What checking can cost at most, counted beforehand: how often the parts of a schema are gone through with every
 * `$ref` written out, times the size of a payload. Without recursion in the schema this is a true upper bound, and
 * what would double at every reference is found by adding up instead of by running it.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/json.ts';
import { listKeywords, mapKeywords, schemaKeywords } from './schema-keywords.ts';

/** Deepest nesting of subschemas with references written out. */
const maxDepth = 40;
/** A pattern looks at every character, so it weighs more than other keywords. */
const patternCost = 1000;

/** Steps per payload item, or undefined when the schema is recursive, nested too deep, or refers to nothing. */
export function schemaCost(root: JsonObject): number | undefined {
  const known = new Map<string, Measured | undefined>();
  return measure(root, { root, known, open: new Set() })?.cost;
}

interface Measured {
  readonly cost: number;
  readonly depth: number;
}

interface Walk {
  readonly root: JsonObject;
  readonly known: Map<string, Measured | undefined>;
  /** References that are being written out: meeting one again is recursion. */
  readonly open: Set<string>;
}

function measure(schema: JsonValue | undefined, walk: Walk): Measured | undefined {
  if (!isJsonObject(schema)) return { cost: 1, depth: 0 };
  let cost = ownCost(schema);
  let depth = 0;
  for (const child of subschemas(schema)) {
    const measured = typeof child === 'string' ? measureReference(child, walk) : measure(child, walk);
    if (measured === undefined) return undefined;
    cost += measured.cost;
    depth = Math.max(depth, measured.depth + 1);
  }
  return depth > maxDepth ? undefined : { cost, depth };
}

function measureReference(reference: string, walk: Walk): Measured | undefined {
  if (walk.known.has(reference)) return walk.known.get(reference);
  const target = resolvePointer(walk.root, reference);
  if (walk.open.has(reference) || target === undefined) return undefined;
  walk.open.add(reference);
  const measured = measure(target, walk);
  walk.open.delete(reference);
  walk.known.set(reference, measured);
  return measured;
}

/** The subschemas that apply to a payload; a reference as its text. Definitions apply only where they are named. */
function* subschemas(schema: JsonObject): Generator<JsonValue | undefined> {
  for (const [key, member] of Object.entries(schema)) {
    if (key === '$ref') yield String(member);
    else if (schemaKeywords.has(key)) yield isJsonObject(member) ? member : true;
    else if (listKeywords.has(key) && Array.isArray(member)) {
      for (const each of member as readonly JsonValue[]) yield isJsonObject(each) ? each : true;
    } else if (mapKeywords.has(key) && isJsonObject(member) && !isDefinitions(key)) {
      for (const each of Object.values(member)) yield isJsonObject(each) ? each : true;
    }
  }
}

function ownCost(schema: JsonObject): number {
  let cost = 1;
  for (const [key, member] of Object.entries(schema)) {
    if (key === 'pattern') cost += patternCost;
    else if (key === 'patternProperties' && isJsonObject(member))
      cost += patternCost * Object.keys(member).length;
    else if (!schemaKeywords.has(key) && !listKeywords.has(key) && !mapKeywords.has(key))
      cost += valueCount(member);
  }
  return cost;
}

function isDefinitions(key: string): boolean {
  return key === '$defs' || key === 'definitions';
}

function resolvePointer(root: JsonObject, reference: string): JsonValue | undefined {
  let current: JsonValue | undefined = root;
  for (const step of reference.split('/').slice(1)) {
    const key = decodeStep(step);
    if (key === undefined) return undefined;
    if (Array.isArray(current))
      current = /^\d{1,6}$/.test(key) ? (current as readonly JsonValue[])[Number(key)] : undefined;
    else current = isJsonObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
  }
  return current;
}

function decodeStep(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** How many values a plain member holds; its depth has been bounded before. */
function valueCount(value: JsonValue | undefined): number {
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).reduce((sum: number, each) => sum + valueCount(each), 1);
  if (!isJsonObject(value)) return 1;
  return Object.values(value).reduce((sum: number, each) => sum + valueCount(each), 1);
}
