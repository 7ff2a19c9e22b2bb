/**
 * Which verified tokens are let in: the rules of the platform's JWT authorizer, so that one set of settings means the same
 * on both sides. All rules that are set must hold; inside a list one match is enough. Pure.
 */

import type { FixedKeys } from './fixed-documents.ts';

/** A rule about one further claim; the three forms are those of the platform's authorizer. */
export type ClaimRule =
  /** The claim is this text. */
  | { readonly name: string; readonly equals: string }
  /** The claim is a list that holds this text. */
  | { readonly name: string; readonly contains: string }
  /** The claim is a list that holds one of these texts. */
  | { readonly name: string; readonly containsAny: readonly string[] };

export interface TokenRules {
  /** Compared with `client_id`; empty = not checked. */
  readonly clients: readonly string[];
  /** Compared with `aud`; empty = not checked. */
  readonly audience: readonly string[];
  /** One of them must be in `scope` or `scp`; empty = not checked. */
  readonly scopes: readonly string[];
  readonly claims: readonly ClaimRule[];
}

/** One issuer, and which of its tokens are let in. */
export interface Authorizer {
  /** Ends in `/.well-known/openid-configuration`. */
  readonly discoveryUrl: string;
  readonly rules: TokenRules;
  /** Undefined where the issuer is asked for its documents. */
  readonly fixedKeys?: FixedKeys | undefined;
}

const discoverySuffix = '/.well-known/openid-configuration';

/** OpenID Connect Discovery 4.3: the document's address is the issuer and a fixed path. */
export function issuerByAddress(discoveryUrl: string): string {
  return discoveryUrl.slice(0, -discoverySuffix.length);
}

export interface TokenParts {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * `foreign`: not a token for this service, another one is needed. `forbidden`: a token for this service whose bearer may
 * not. `reason` is a fixed word for the log and holds nothing of the token.
 */
export type Judgement =
  | { readonly kind: 'fits' }
  | { readonly kind: 'foreign' | 'forbidden'; readonly reason: string };

const foreign = (reason: string): Judgement => ({ kind: 'foreign', reason });

/** Signature, issuer and time are checked before. */
export function judgeToken(token: TokenParts, rules: TokenRules): Judgement {
  const { header, payload } = token;
  // RFC 7515 4.1.11: who does not understand a critical extension must refuse; none is understood here.
  if (header['crit'] !== undefined) return foreign('critical header');
  if (typeof payload['exp'] !== 'number') return foreign('no expiry');
  if (typeof payload['sub'] !== 'string' || payload['sub'] === '') return foreign('no subject');
  if (isIdToken(token)) return foreign('id token');
  if (rules.audience.length > 0 && !overlaps(textsOf(payload['aud']), rules.audience))
    return foreign('audience');
  if (rules.clients.length > 0 && !overlaps(textsOf(payload['client_id']), rules.clients))
    return foreign('client');
  if (rules.scopes.length > 0 && !overlaps(scopesOf(payload), rules.scopes))
    return { kind: 'forbidden', reason: 'scope' };
  return rules.claims.every((rule) => isMet(rule, payload))
    ? { kind: 'fits' }
    : { kind: 'forbidden', reason: 'claim' };
}

/**
 * A token that tells a client who signed in is not meant for a service. Cognito says so in `token_use`, Keycloak in a claim
 * `typ`; elsewhere the marks are those of OpenID Connect Core 3.3.2.11. `nonce` marks one only without a scope, because
 * some providers repeat it in access tokens.
 */
function isIdToken({ header, payload }: TokenParts): boolean {
  const use = payload['token_use'];
  if (use !== undefined) return use !== 'access';
  const type = textsOf(payload['typ'])[0]?.toLowerCase();
  if (type === 'id' || type === 'refresh' || type === 'logout') return true;
  // RFC 9068: the type that only access tokens have.
  if (/^(application\/)?at\+jwt$/i.test(textsOf(header['typ'])[0] ?? '')) return false;
  if (['at_hash', 'c_hash', 's_hash'].some((name) => payload[name] !== undefined)) return true;
  return payload['nonce'] !== undefined && scopesOf(payload).length === 0;
}

/** `scope` is one text with spaces (RFC 8693); Entra and Okta say `scp`, as a text or a list. */
function scopesOf(payload: TokenParts['payload']): readonly string[] {
  return [...textsOf(payload['scope']), ...textsOf(payload['scp'])].flatMap((text) =>
    text.split(' ').filter((each) => each !== ''),
  );
}

function isMet(rule: ClaimRule, payload: TokenParts['payload']): boolean {
  const claim = Object.hasOwn(payload, rule.name) ? payload[rule.name] : undefined;
  if ('equals' in rule) return claim === rule.equals;
  const held = Array.isArray(claim) ? textsOf(claim) : [];
  return overlaps(held, 'contains' in rule ? [rule.contains] : rule.containsAny);
}

function textsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each) => typeof each === 'string');
}

function overlaps(held: readonly string[], wanted: readonly string[]): boolean {
  return held.some((each) => wanted.includes(each));
}
