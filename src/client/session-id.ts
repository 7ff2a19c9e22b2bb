/**
 * The id of an AgentCore session, made from who talks about what: the same tenant, user and thread always meet the same
 * session, and no two different ones share it. Nothing is padded: `a` and `a0` are different threads.
 */
import { invalidArgument } from './client-error.ts';

export interface SessionOwner {
  readonly tenant?: string;
  readonly user: string;
  readonly thread: string;
  /** Readable front of the id, at most 36 of `A-Z a-z 0-9 - _`, beginning with a letter or digit. */
  readonly prefix?: string;
}

/** The header that carries it. */
export const sessionHeader = 'X-Amzn-Bedrock-AgentCore-Runtime-Session-Id';

/**
 * 64 hexadecimal digits of SHA-256 behind the prefix: 64 to 100 characters. Needs Web Crypto (Node, or a page from a
 * secure origin). Throws `INVALID_ARGUMENT`.
 */
export async function makeSessionId({
  tenant = '',
  user,
  thread,
  prefix = '',
}: SessionOwner): Promise<string> {
  if (user === '' || thread === '') throw invalidArgument('a session id needs a user and a thread');
  if (prefix !== '' && !/^[A-Za-z0-9][A-Za-z0-9_-]{0,35}$/.test(prefix)) {
    throw invalidArgument(
      'the prefix of a session id is 1 to 36 of A-Z a-z 0-9 - _, a letter or digit first',
    );
  }
  // JSON keeps the three apart, whatever they contain, and escapes what has no UTF-8 form.
  const bytes = new TextEncoder().encode(JSON.stringify([tenant, user, thread]));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return prefix + Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** As the platform takes it: 33 to 256 characters. Throws `INVALID_ARGUMENT`. */
export function checkSessionId(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{32,255}$/.test(id)) return id;
  throw invalidArgument(
    'a session id has 33 to 256 of A-Z a-z 0-9 - _, a letter or digit first; the command session-id makes one',
  );
}
