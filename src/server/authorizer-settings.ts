/** Readers of the settings that say which tokens count. The bounds are those of the platform's JWT authorizer. */

import { isTrustworthy } from '../outbound/identity/guarded-fetch.ts';
import type { ClaimRule } from '../outbound/identity/token-rules.ts';
import { ConfigError, shown } from './config-error.ts';

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

/** JSON list of `{"name","equals"}`, `{"name","contains"}` or `{"name","containsAny":[…]}`. */
export function claimRules(value: string, name: string): readonly ClaimRule[] {
  let list: unknown;
  try {
    list = JSON.parse(value);
  } catch {
    throw new ConfigError(`${name} must be a JSON list such as [{"name":"tenant","equals":"acme"}]`);
  }
  if (!Array.isArray(list)) throw new ConfigError(`${name} must be a JSON list`);
  return list.map((each: unknown, index) => claimRule(each, `${name}[${index}]`));
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
