/** What is answered, as far as checking it is concerned: its size, and a text by which equal values are equal. */
import { isJsonObject, type JsonValue } from '../../protocol/json.ts';

const maxDepth = 200;
/** Characters that weigh as much as one value. */
const charactersPerValue = 64;

/**
 * How many values there are, long texts and names counting as several; undefined when nested too deep. Counting stops
 * where it passes `limit`.
 */
export function payloadSize(payload: JsonValue, limit: number): number | undefined {
  let size = 0;
  const waiting: [JsonValue | undefined, number][] = [[payload, 0]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, depth] = next;
    if (depth > maxDepth) return undefined;
    size += 1;
    if (typeof value === 'string') size += Math.floor(value.length / charactersPerValue);
    else if (Array.isArray(value)) {
      if (value.length > limit) return value.length;
      for (const each of value as readonly JsonValue[]) waiting.push([each, depth + 1]);
    } else if (isJsonObject(value)) {
      const names = Object.keys(value);
      if (names.length > limit) return names.length;
      for (const name of names) {
        size += Math.floor(name.length / charactersPerValue);
        waiting.push([value[name], depth + 1]);
      }
    }
    if (size + waiting.length > limit) return size + waiting.length;
  }
  return size;
}

/** JSON with members in one order: equal texts for what JSON Schema calls equal. The depth is bounded before. */
export function canonicalText(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(canonicalText).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`).join(',')}}`;
}
