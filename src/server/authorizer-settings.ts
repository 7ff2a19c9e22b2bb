/** Readers of the settings that say which tokens count. The bounds are those of the platform's JWT authorizer. */

import type { FixedKeys } from '../outbound/identity/fixed-documents.ts';
import { isTrustworthy } from '../outbound/identity/guarded-fetch.ts';
import {
  type Authorizer,
  type ClaimRule,
  issuerByAddress,
  type TokenRules,
} from '../outbound/identity/token-rules.ts';
import { ConfigError, shown } from './config-error.ts';
import { keySetOf } from './key-set.ts';

export function discoveryUrls(value: string, name: string): readonly string[] {
  const urls = commaList(value);
  for (const url of urls) {
    if (!isTrustworthy(url) || !/^[^?#]+\/\.well-known\/openid-configuration$/.test(url)) {
      throw new ConfigError(
        `${name} must hold https addresses that end in /.well-known/openid-configuration, not "${shown(url)}"`,
      );
    }
  }
  if (new Set(urls).size < urls.length) throw new ConfigError(`${name} must not hold an address twice`);
  return urls;
}

export function names(value: string, name: string): readonly string[] {
  const list = commaList(value);
  const bad = list.find((each) => each.length > 255 || /\s/.test(each));
  if (bad !== undefined)
    throw new ConfigError(`${name} must hold names without spaces, separated by commas, not "${shown(bad)}"`);
  return list;
}

/** RFC 6749 3.3. */
export function scopes(value: string, name: string): readonly string[] {
  const list = commaList(value);
  const bad = list.find((each) => !/^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/.test(each));
  if (bad !== undefined)
    throw new ConfigError(`${name} must hold OAuth scopes, separated by commas, not "${shown(bad)}"`);
  return list;
}

const claimName = /^[A-Za-z0-9_.:-]{1,255}$/;
const matchValue = /^[A-Za-z0-9_.-]{1,255}$/;

/**
 * JSON list of `{"discoveryUrl","allowedClients","allowedAudience","allowedScopes","customClaims"}`, for issuers with rules of
 * their own. The members are those of `auth` in the settings of `infra`.
 */
export function authorizers(value: string, name: string): readonly Authorizer[] {
  const list = jsonList(value, name, '[{"discoveryUrl":"https://…","allowedClients":["…"]}]');
  const found = list.map((each, index) => authorizer(each, `${name}[${index}]`));
  discoveryUrls(found.map(({ discoveryUrl }) => discoveryUrl).join(','), name);
  return found;
}

const members = [
  'discoveryUrl',
  'allowedClients',
  'allowedAudience',
  'allowedScopes',
  'customClaims',
  'issuer',
  'keySet',
];

function authorizer(value: unknown, where: string): Authorizer {
  const given: Readonly<Record<string, unknown>> =
    typeof value === 'object' && value !== null ? { ...value } : {};
  const unknown = Object.keys(given).find((key) => !members.includes(key));
  if (unknown !== undefined)
    throw new ConfigError(
      `${where} has the unknown member "${shown(unknown)}"; known: ${members.join(', ')}`,
    );
  const { discoveryUrl, customClaims = [] } = given;
  if (typeof discoveryUrl !== 'string') throw new ConfigError(`${where}.discoveryUrl must be an address`);
  if (!Array.isArray(customClaims)) throw new ConfigError(`${where}.customClaims must be a list`);
  return {
    discoveryUrl,
    fixedKeys: fixedKeysOf(given, discoveryUrl, where),
    rules: {
      clients: names(textList(given, 'allowedClients', where), `${where}.allowedClients`),
      audience: names(textList(given, 'allowedAudience', where), `${where}.allowedAudience`),
      scopes: scopes(textList(given, 'allowedScopes', where), `${where}.allowedScopes`),
      claims: customClaims.map((each: unknown, at) => claimRule(each, `${where}.customClaims[${at}]`)),
    },
  };
}

function fixedKeysOf(
  { issuer, keySet }: Readonly<Record<string, unknown>>,
  discoveryUrl: string,
  where: string,
): FixedKeys | undefined {
  if (issuer !== undefined && typeof issuer !== 'string')
    throw new ConfigError(`${where}.issuer must be the iss of the provider's tokens`);
  if (keySet === undefined && issuer !== undefined)
    throw new ConfigError(`${where}.issuer has a meaning only together with keySet`);
  return keySet === undefined
    ? undefined
    : { issuer: issuer ?? issuerByAddress(discoveryUrl), keySet: keySetOf(keySet, `${where}.keySet`) };
}

/** A list of texts as the comma list that the settings of one issuer hold. */
function textList(given: Readonly<Record<string, unknown>>, member: string, where: string): string {
  const list: unknown = given[member] ?? [];
  if (!Array.isArray(list) || !list.every((each) => typeof each === 'string' && !each.includes(',')))
    throw new ConfigError(`${where}.${member} must be a list of texts`);
  return list.join(',');
}

/** Without one of the two lists, every token that the provider signs for any service would do. */
export function isSelective({ clients, audience }: TokenRules): boolean {
  return clients.length + audience.length > 0;
}

function jsonList(value: string, name: string, example: string): readonly unknown[] {
  let list: unknown;
  try {
    list = JSON.parse(value);
  } catch {
    // Said below, without the value.
  }
  if (!Array.isArray(list)) throw new ConfigError(`${name} must be a JSON list such as ${example}`);
  return list;
}

/** JSON list of `{"name","equals"}`, `{"name","contains"}` or `{"name","containsAny":[…]}`. */
export function claimRules(value: string, name: string): readonly ClaimRule[] {
  const list = jsonList(value, name, '[{"name":"tenant","equals":"acme"}]');
  return list.map((each, index) => claimRule(each, `${name}[${index}]`));
}

function claimRule(value: unknown, where: string): ClaimRule {
  const given: Readonly<Record<string, unknown>> =
    typeof value === 'object' && value !== null ? { ...value } : {};
  const [kind, ...others] = Object.keys(given).filter((key) => key !== 'name');
  const { name } = given;
  if (typeof name !== 'string' || !claimName.test(name))
    throw new ConfigError(`${where} needs the name of a claim: letters, digits, _ . : -`);
  const wanted = kind === undefined ? undefined : given[kind];
  if (others.length === 0 && kind === 'equals' && isMatchValue(wanted)) return { name, equals: wanted };
  if (others.length === 0 && kind === 'contains' && isMatchValue(wanted)) return { name, contains: wanted };
  if (others.length === 0 && kind === 'containsAny' && Array.isArray(wanted)) {
    const list: readonly unknown[] = wanted;
    if (list.length > 0 && list.every(isMatchValue)) return { name, containsAny: list.filter(isMatchValue) };
  }
  throw new ConfigError(
    `${where} needs one of equals, contains (a text of letters, digits, _ . -) and containsAny (a list of such texts)`,
  );
}

function isMatchValue(value: unknown): value is string {
  return typeof value === 'string' && matchValue.test(value);
}

function commaList(value: string): readonly string[] {
  return value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
