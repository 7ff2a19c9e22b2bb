/**
 * Strict reading of stored JSON, member by member: the value with its type, or fault `state-unreadable` with the name of
 * the member as its cause (for the log). Absent optional members are undefined; null counts as absent only where the
 * method says so.
 */
import { type Fault, fault } from '../../errors/fault.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/json.ts';

/** Which member of a stored document can't be used, and why. */
class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}

export function unreadable(where: string, problem: string): Fault {
  return fault('state-unreadable', {}, new UnreadableDocument(`${where} ${problem}`));
}

const digestForm = /^[0-9a-f]{64}$/;
const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|\+00:00)$/;

export class StoredObject {
  readonly #members: JsonObject;
  readonly #where: string;

  /** `where` is the object's own place in the document, such as `execution`; empty for the document itself. */
  constructor(value: JsonValue | undefined, where: string) {
    if (!isJsonObject(value)) throw unreadable(where || 'document', 'is not an object');
    this.#members = value;
    this.#where = where;
  }

  static parse(text: string): StoredObject {
    let value: JsonValue;
    try {
      value = JSON.parse(text) as JsonValue;
    } catch {
      // The parser's message would quote the document.
      throw unreadable('document', 'is not JSON');
    }
    return new StoredObject(value, '');
  }

  value(key: string): JsonValue | undefined {
    return Object.hasOwn(this.#members, key) ? this.#members[key] : undefined;
  }

  /** A string that is not empty. */
  string(key: string): string {
    const value = this.value(key);
    return typeof value === 'string' && value !== '' ? value : this.#refuse(key, 'is not a filled string');
  }

  /** Absent and null are both null. */
  nullableString(key: string): string | null {
    const value = this.value(key) ?? null;
    return value === null || typeof value === 'string' ? value : this.#refuse(key, 'is not a string or null');
  }

  /** A whole number from 0 on; undefined when absent. */
  count(key: string): number | undefined {
    const value = this.value(key);
    return value === undefined || isCount(value) ? value : this.#refuse(key, 'is not a count');
  }

  flag(key: string): boolean | undefined {
    const value = this.value(key);
    return value === undefined || typeof value === 'boolean' ? value : this.#refuse(key, 'is not a flag');
  }

  /** SHA-256 in lower-case hex. */
  digest(key: string): string {
    const value = this.value(key);
    return isDigest(value) ? value : this.#refuse(key, 'is not a digest');
  }

  /** ISO 8601 in UTC. */
  instant(key: string): string {
    const value = this.value(key);
    const isInstant =
      typeof value === 'string' && instantForm.test(value) && !Number.isNaN(Date.parse(value));
    return isInstant ? value : this.#refuse(key, 'is not an instant');
  }

  /** Absent is an empty one where `absentIsEmpty` says so. */
  object(key: string, absentIsEmpty = false): StoredObject {
    if (absentIsEmpty && this.value(key) === undefined) return new StoredObject({}, this.#place(key));
    return new StoredObject(this.value(key), this.#place(key));
  }

  /** Any JSON object, as it is. */
  json(key: string): JsonObject {
    const value = this.value(key);
    return isJsonObject(value) ? value : this.#refuse(key, 'is not an object');
  }

  objects(key: string): readonly StoredObject[] | undefined {
    return this.#list(key)?.map((value, index) => new StoredObject(value, this.#place(`${key}[${index}]`)));
  }

  strings(key: string): readonly string[] | undefined {
    return this.#listOf(key, isString);
  }

  counts(key: string): readonly number[] | undefined {
    return this.#listOf(key, isCount);
  }

  digests(key: string): readonly string[] | undefined {
    return this.#listOf(key, isDigest);
  }

  /**
   * The names of this object's members in the order that the list names, or the document's own where there is none. A
   * list that does not name each member once is refused.
   */
  names(order: readonly string[] | undefined): readonly string[] {
    const names = Object.keys(this.#members);
    if (order === undefined) return names;
    const isWhole = order.length === names.length && new Set(order).size === order.length;
    if (!isWhole || !order.every((name) => Object.hasOwn(this.#members, name))) {
      throw unreadable(this.#where, 'is not named by its order, each member once');
    }
    return order;
  }

  #list(key: string): readonly JsonValue[] | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    return Array.isArray(value) ? value : this.#refuse(key, 'is not a list');
  }

  #listOf<Item extends JsonValue>(
    key: string,
    isItem: (value: JsonValue | undefined) => value is Item,
  ): readonly Item[] | undefined {
    const list = this.#list(key);
    if (list === undefined) return undefined;
    return list.every(isItem) ? list : this.#refuse(key, 'holds an item of another type');
  }

  #place(key: string): string {
    return this.#where === '' ? key : `${this.#where}.${key}`;
  }

  #refuse(key: string, problem: string): never {
    throw unreadable(this.#place(key), problem);
  }
}

function isString(value: JsonValue | undefined): value is string {
  return typeof value === 'string';
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isDigest(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && digestForm.test(value);
}
