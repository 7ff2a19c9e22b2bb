/**
 * Bytes of a request → JSON, or which fault it is. Strict where leniency would let a body mean two things: UTF-8 only,
 * no duplicate meaning through `__proto__`, bounded nesting (later code walks values recursively).
 */
import { type Fault, fault } from '../errors/fault.ts';
import type { JsonValue } from '../protocol/json.ts';

export const maxJsonDepth = 128;
const forbiddenKeys = new Set(['__proto__']);

export type ParsedJson =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly fault: Fault };

/** Parses one JSON text of UTF-8 bytes. A byte order mark is tolerated. */
export function parseJsonBytes(bytes: Uint8Array): ParsedJson {
  if (bytes.length === 0) return { ok: false, fault: fault('body-empty') };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    return { ok: false, fault: fault('body-not-utf8', {}, cause) };
  }
  return parseJsonText(text);
}

/** Parses one JSON text. */
export function parseJsonText(text: string): ParsedJson {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (cause) {
    // The parser's own message quotes the body: it stays in the log's cause and goes nowhere else.
    return { ok: false, fault: fault('body-not-json', {}, cause) };
  }
  const problem = findForbidden(value);
  return problem === undefined ? { ok: true, value } : { ok: false, fault: problem };
}

/** Walks without recursion, so that hostile nesting can't overflow the stack. */
function findForbidden(root: JsonValue): Fault | undefined {
  if (typeof root !== 'object' || root === null) return undefined;
  const values: object[] = [root];
  const depths: number[] = [1];
  for (let value = values.pop(); value !== undefined; value = values.pop()) {
    const depth = depths.pop() ?? 0;
    if (depth > maxJsonDepth) return fault('body-too-deep', { limit: maxJsonDepth });
    const isList = Array.isArray(value);
    for (const [key, member] of Object.entries(value)) {
      if (!isList && forbiddenKeys.has(key)) return fault('body-forbidden-key', { key });
      if (typeof member === 'object' && member !== null) {
        values.push(member);
        depths.push(depth + 1);
      }
    }
  }
  return undefined;
}
