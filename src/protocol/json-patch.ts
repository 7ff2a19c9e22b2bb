/** RFC 6902 patches of a shared state, by the library that AG-UI's own client applies them with. */
import jsonPatch from 'fast-json-patch';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

export type Patched =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: string };

/** All of the operations or none; `value` itself stays as it is. `problem` says which one does not fit. */
export function patched(value: JsonValue, operations: readonly JsonValue[]): Patched {
  const odd = operations.findIndex((each) => !isJsonObject(each));
  if (odd >= 0) return { ok: false, problem: `operation ${odd} is not an object` };
  try {
    // The library looks at every operation itself (`validate`), and works on a copy (`mutate` false).
    const { newDocument } = jsonPatch.applyPatch(value, operations as never, true, false);
    return { ok: true, value: newDocument as JsonValue };
  } catch (thrown) {
    return { ok: false, problem: problemOf(thrown) };
  }
}

/** The library's own message repeats the whole document. */
function problemOf(thrown: unknown): string {
  const { index, name } = Object(thrown) as JsonObject;
  const where = typeof index === 'number' ? `operation ${index}` : 'the patch';
  return `${where} does not fit: ${typeof name === 'string' ? name : 'it is not RFC 6902'}`;
}
