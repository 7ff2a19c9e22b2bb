/** Reader of the setting that holds an identity provider's public keys (RFC 7517), for servers that can't fetch them. */
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { ConfigError } from './config-error.ts';

export interface PublicKeySet {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

/** Members that only private and symmetric keys have (RFC 7518 6). */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** JSON `{"keys":[…]}` as the provider's `jwks_uri` answers it; keys for encryption are left out. No value is ever quoted. */
export function publicKeySet(value: string, name: string): PublicKeySet {
  return keySetOf(parsed(value), name);
}

export function keySetOf(value: unknown, name: string): PublicKeySet {
  const { keys } = members(value);
  if (!Array.isArray(keys)) throw new ConfigError(`${name} must be a JSON Web Key Set: {"keys":[…]}`);
  const signing = keys.map(members).filter(({ use }) => use === undefined || use === 'sig');
  if (signing.length === 0) throw new ConfigError(`${name} must hold at least one key for signatures`);
  signing.forEach((key, index) => {
    assertPublicKey(key, `${name} key ${index + 1}`);
  });
  return { keys: signing };
}

function assertPublicKey(key: Readonly<Record<string, unknown>>, where: string): void {
  if (secretMembers.some((member) => Object.hasOwn(key, member)))
    throw new ConfigError(`${where} is not public, and only public keys belong here: take it out of use`);
  if (typeof key['kid'] !== 'string' || key['kid'] === '')
    throw new ConfigError(`${where} needs a kid: tokens name their key by it`);
  try {
    createPublicKey({ format: 'jwk', key: key satisfies JsonWebKey });
  } catch {
    throw new ConfigError(`${where} is not a public key of kind RSA, EC or OKP`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
