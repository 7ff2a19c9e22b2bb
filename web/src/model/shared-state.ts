/** AG-UI's shared state: RFC 6902 patches, all or nothing. */
import jsonPatch, { type Operation } from 'fast-json-patch';
import type { JsonValue } from '../../../src/protocol/json.ts';

/** The state behind the patch. One that can't be applied changes nothing, as AG-UI's own client does it. */
export function patchState(state: JsonValue, delta: readonly JsonValue[]): JsonValue {
  try {
    const copy = structuredClone(state);
    // The library checks each operation (second argument) and refuses `__proto__` (fifth).
    const operations = delta as unknown as Operation[];
    return jsonPatch.applyPatch(copy, operations, true, true, true).newDocument;
  } catch {
    // The next snapshot puts it right.
    return state;
  }
}
