/** JSON as values. Everything that arrives from outside is a `JsonValue` until a reader has looked at it. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member as an object, or undefined when it is absent or something else. */
export function objectAt(value: JsonObject | undefined, key: string): JsonObject | undefined {
  const member = value?.[key];
  return isJsonObject(member) ? member : undefined;
}

/** The member as a string, or undefined when it is absent or something else. */
export function stringAt(value: JsonObject | undefined, key: string): string | undefined {
  const member = value?.[key];
  return typeof member === 'string' ? member : undefined;
}

/** The member as a list, or an empty one when it is absent or something else. */
export function listAt(value: JsonObject | undefined, key: string): readonly JsonValue[] {
  const member = value?.[key];
  return Array.isArray(member) ? member : [];
}
