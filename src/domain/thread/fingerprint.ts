/**
 * By what a repeated request is told from a different one: the SHA-256 of its JSON with sorted members, without its
 * secrets, so that a refreshed token is no conflict and nothing stored depends on a secret. The canonical form is that
 * of `iac-code agui`: members sorted at every depth, no blanks, UTF-8.
 *
 * The JSON is never built as one text, and nesting costs no stack.
 */
import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../protocol/json.ts';

/**
 * SHA-256 (lower-case hex) of a request body. Left out, name and value: in `forwardedProps`, at any depth, every member
 * whose name looks like a secret's, among them `llmApiKey` and the keys of `alibabaCloud`.
 */
export function requestFingerprint(body: JsonObject): string {
  return canonicalDigest(body, 'forwardedProps');
}

/** SHA-256 (lower-case hex) of an answer's status and payload; an absent payload counts as null. */
export function answerDigest(answer: { readonly status: string; readonly payload?: JsonValue }): string {
  return canonicalDigest({ status: answer.status, payload: answer.payload ?? null });
}

const secretWords =
  /token|secret|password|passwd|passphrase|apikey|accesskey|privatekey|authorization|credential|cookie/;

function isSecretName(name: string): boolean {
  return secretWords.test(name.replace(/[^A-Za-z]/g, '').toLowerCase());
}

/** A list or object that is being written, and how far. */
interface Frame {
  readonly values: readonly (JsonValue | undefined)[];
  /** Of an object's members, sorted, each beside its value. */
  readonly names: readonly string[] | undefined;
  readonly leavesOutSecrets: boolean;
  next: number;
}

/** `secretive` names the member of the root inside which secrets are left out. */
function canonicalDigest(root: JsonObject, secretive?: string): string {
  const sink = new HashSink();
  const open: Frame[] = [];
  const write = (value: JsonValue | undefined, leavesOutSecrets: boolean): void => {
    if (typeof value === 'string') sink.addString(value);
    else if (typeof value !== 'object' || value === null) sink.add(JSON.stringify(value ?? null));
    else {
      const frame = toFrame(value, leavesOutSecrets);
      sink.add(frame.names === undefined ? '[' : '{');
      open.push(frame);
    }
  };
  write(root, false);
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const index = frame.next;
    if (index === frame.values.length) {
      sink.add(frame.names === undefined ? ']' : '}');
      open.pop();
      continue;
    }
    frame.next += 1;
    if (index > 0) sink.add(',');
    const name = frame.names?.[index];
    if (name !== undefined) {
      sink.addString(name);
      sink.add(':');
    }
    write(frame.values[index], frame.leavesOutSecrets || (open.length === 1 && name === secretive));
  }
  return sink.digest();
}

function toFrame(value: JsonObject | readonly JsonValue[], leavesOutSecrets: boolean): Frame {
  if (isList(value)) return { values: value, names: undefined, leavesOutSecrets, next: 0 };
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined && !(leavesOutSecrets && isSecretName(name)))
    .sort();
  return { values: names.map((name) => value[name]), names, leavesOutSecrets, next: 0 };
}

function isList(value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** UTF-16 units that are gathered, or cut from a long string, before they go into the hash. */
const sliceLength = 65_536;

class HashSink {
  readonly #hash = createHash('sha256');
  #gathered = '';

  add(piece: string): void {
    this.#gathered += piece;
    if (this.#gathered.length >= sliceLength) this.#flush();
  }

  /** As JSON, in slices: an image in a request is one string of millions of characters. */
  addString(value: string): void {
    if (value.length <= sliceLength) {
      this.add(JSON.stringify(value));
      return;
    }
    this.add('"');
    for (let start = 0; start < value.length; ) {
      const end = endOfSlice(value, start + sliceLength);
      this.add(JSON.stringify(value.slice(start, end)).slice(1, -1));
      start = end;
    }
    this.add('"');
  }

  digest(): string {
    this.#flush();
    return this.#hash.digest('hex');
  }

  #flush(): void {
    this.#hash.update(this.#gathered, 'utf8');
    this.#gathered = '';
  }
}

/** Never between the two halves of a surrogate pair. */
function endOfSlice(value: string, end: number): number {
  const last = value.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}
