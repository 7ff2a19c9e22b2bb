/**
 * The one place where something is made safe to be written down, for logs and spans alike: members with a secret's name are
 * masked in any case and at any depth, secrets inside texts by their shape or because the process knows them, errors are
 * reduced to type, message and causes, and nothing is longer than a line should be. Message text of users and agents is
 * never given to a log in the first place.
 */
import { Fault } from '../../errors/fault.ts';
import type { SecretKeeper } from '../../ports/runtime.ts';

const secretName =
  /authorization|cookie|token|secret|password|passwd|passphrase|api[-_]?key|access[-_]?key|credential|signature|private[-_]?key/i;
const mask = '[redacted]';
const maxText = 2_000;
const maxDepth = 6;
const maxMembers = 50;
/** Shorter values are no secrets, and would make any text unreadable. */
const shortestSecret = 6;

/** Shapes of secrets in a text. What stands in `$1` is kept. */
const shapes: readonly RegExp[] = [
  /(\b(?:bearer|basic)\s+)[^\s"',;]+/gi,
  // What a URL carries in front of its host.
  /(\/\/)[^\s/@]+(?=@)/g,
  // A member of a query, of a form or of JSON by its name. Bounded, so that no text makes it search for long.
  /((?:(?<![\w.-])[\w.-]{0,60}?(?:token|secret|signature|password|passwd|credential|api[-_]?key|access[-_]?key)[\w.-]{0,60}|[?&](?:code|sig|key|state))\\?["']?\s{0,3}[=:]\s{0,3}\\?["']?)(?!bearer |basic )[^\s"'&,;}\])\\]+/gi,
  // JSON Web Tokens, also without their signature.
  /()\beyJ[\w-]{6,}\.[\w-]{6,}(?:\.[\w-]*)?/g,
  // Keys of AWS, Alibaba Cloud and of model providers, by their prefixes.
  /()\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /()\bLTAI[A-Za-z0-9]{12,30}\b/g,
  /()\bsk-[\w-]{16,}/g,
];

export class Redaction implements SecretKeeper {
  /** How many asked for each to be concealed. */
  readonly #secrets = new Map<string, number>();

  /** `known` are this process's own secrets: masked wherever they stand, for ever. */
  constructor(known: readonly string[] = []) {
    this.conceal(known);
  }

  conceal(values: readonly string[]): () => void {
    const secrets = values.filter((each) => each.length >= shortestSecret);
    for (const each of secrets) this.#secrets.set(each, (this.#secrets.get(each) ?? 0) + 1);
    let isConcealed = true;
    return () => {
      if (!isConcealed) return;
      isConcealed = false;
      for (const each of secrets) this.#letGo(each);
    };
  }

  /** The value without secrets, circles and excess, ready for JSON. */
  readonly redact = (value: unknown): unknown =>
    redactValue(value, (text) => redactText(text, this.#secrets.keys()), 0);

  #letGo(secret: string): void {
    const others = (this.#secrets.get(secret) ?? 1) - 1;
    if (others === 0) this.#secrets.delete(secret);
    else this.#secrets.set(secret, others);
  }
}

function redactText(text: string, secrets: Iterable<string>): string {
  let safe = text;
  for (const secret of secrets) safe = safe.replaceAll(secret, mask);
  safe = safe.slice(0, maxText * 2);
  for (const shape of shapes) safe = safe.replace(shape, `$1${mask}`);
  return safe.length > maxText ? `${safe.slice(0, maxText)}…` : safe;
}

type SafeText = (text: string) => string;

function redactValue(value: unknown, safeText: SafeText, depth: number): unknown {
  if (typeof value === 'string') return safeText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '[deep]';
  if (value instanceof Error) return describeError(value, safeText, depth);
  if (value instanceof URL) return safeText(value.href);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof Set || Array.isArray(value))
    return [...value].slice(0, maxMembers).map((each) => redactValue(each, safeText, depth + 1));
  return redactMembers(membersOf(value), safeText, depth);
}

function redactMembers(
  members: readonly (readonly [string, unknown])[],
  safeText: SafeText,
  depth: number,
): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  for (const [key, member] of members.slice(0, maxMembers)) {
    safe[safeText(key)] = isSecret(key, member) ? mask : redactValue(member, safeText, depth + 1);
  }
  return safe;
}

/** Numbers are counts, such as those of a model's tokens. */
function isSecret(name: string, value: unknown): boolean {
  if (value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean')
    return false;
  return secretName.test(name);
}

function membersOf(value: object): readonly (readonly [string, unknown])[] {
  try {
    if (isPairs(value)) return [...value].map(([key, member]) => [String(key), member]);
    return Object.entries(value);
  } catch {
    // A getter that throws is no reason not to write the line.
    return [];
  }
}

/** By its tag: to name the class `Headers` has node load all of its fetch, which the first line of a log would wait for. */
function isPairs(value: object): value is Iterable<[unknown, unknown]> {
  if (value instanceof Map || value instanceof URLSearchParams) return true;
  return Object.prototype.toString.call(value) === '[object Headers]';
}

function describeError(error: Error, safeText: SafeText, depth: number): Record<string, unknown> {
  const code = 'code' in error ? error.code : undefined;
  const isQuoting = error instanceof SyntaxError;
  return {
    type: error.name,
    // A JSON parser's message quotes the text that it read, which may be a user's.
    ...(isQuoting ? {} : { message: safeText(error.message) }),
    ...(error instanceof Fault ? { fault: error.fault } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.cause === undefined ? {} : { cause: redactValue(error.cause, safeText, depth + 1) }),
    ...(error instanceof AggregateError ? { errors: redactValue(error.errors, safeText, depth + 1) } : {}),
    ...(error instanceof Fault || isQuoting || !error.stack ? {} : { stack: safeText(error.stack) }),
  };
}
