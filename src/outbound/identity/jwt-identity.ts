/**
 * Callers with tokens of OpenID Connect providers, checked as the platform's JWT authorizer checks them. A token counts
 * only when everything about it does: signature by a key that its issuer publishes now, issuer, time, the kind of token, and
 * the rules of the settings. Nothing of a token is kept or logged; the log gets one fixed word.
 */

import {
  JwtExpiredError,
  JwtInvalidIssuerError,
  JwtInvalidSignatureAlgorithmError,
  JwtInvalidSignatureError,
  JwtNotBeforeError,
  KidNotFoundInJwksError,
} from 'aws-jwt-verify/error';
import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';
import { type Fault, fault } from '../../errors/fault.ts';
import type { Credentials, Identity, Principal, TokenSource } from '../../ports/identity.ts';
import type { Clock } from '../../ports/runtime.ts';
import { bearerToken } from './bearer-token.ts';
import { fixedDocuments } from './fixed-documents.ts';
import { DocumentUnavailable, FetchedLately, type FetchLimits, GuardedFetch } from './guarded-fetch.ts';
import { clockSkewSeconds, type OpenIssuer, TokenIssuer } from './token-issuer.ts';
import {
  type Authorizer,
  issuerByAddress,
  judgeToken,
  type TokenParts,
  type TokenRules,
} from './token-rules.ts';

export interface JwtIdentityOptions {
  /** No address twice. */
  readonly authorizers: readonly Authorizer[];
  readonly clock: Clock;
  readonly fetchLimits?: Partial<FetchLimits>;
}

export class JwtIdentity implements Identity {
  readonly tokenSource: TokenSource;
  readonly #issuers: readonly TokenIssuer[];

  constructor({ authorizers, clock, fetchLimits }: JwtIdentityOptions) {
    const documents = new GuardedFetch(clock, fetchLimits);
    this.#issuers = authorizers.map(
      (each) => new TokenIssuer(each, each.fixedKeys ? fixedDocuments(each.fixedKeys) : documents, clock),
    );
    const issuers = authorizers.map((each) => each.fixedKeys?.issuer ?? issuerByAddress(each.discoveryUrl));
    const scopes = [...new Set(authorizers.flatMap(({ rules }) => rules.scopes))];
    this.tokenSource = { issuers, scopes };
  }

  async authenticate({ authorization }: Credentials): Promise<Principal> {
    const { token, rules } = await this.#verified(bearerToken(authorization));
    const judgement = judgeToken(token, rules);
    if (judgement.kind === 'foreign') throw refusal(judgement.reason);
    if (judgement.kind === 'forbidden') throw fault('access-denied', {}, new TokenRefused(judgement.reason));
    const { iss, sub, exp } = token.payload;
    return { subject: `${iss}|${sub}`, expiresAt: (Number(exp) + clockSkewSeconds) * 1_000 };
  }

  /** The form of RFC 9728 5.1, as the AgentCore contract has it. */
  challenge(metadataUrl: string): string {
    return `Bearer resource_metadata="${metadataUrl}"`;
  }

  async #verified(text: string): Promise<{ readonly token: TokenParts; readonly rules: TokenRules }> {
    const { rules, verify } = await this.#issuerOf(unverifiedIssuer(text));
    try {
      return { token: await verify(text), rules };
    } catch (thrown) {
      throw thrown instanceof DocumentUnavailable ? unavailable(thrown) : refusal(reasonOf(thrown));
    }
  }

  /** Asks only issuers that were never reached for their name; one that is away does not hold up the others. */
  async #issuerOf(name: string): Promise<OpenIssuer> {
    const known = this.#issuers.find((each) => each.name === name);
    if (known !== undefined) return known.open();
    const fresh = this.#issuers.filter((each) => each.name === undefined);
    const opened = await Promise.allSettled(fresh.map((each) => each.open()));
    let missing: unknown;
    for (const each of opened) {
      if (each.status === 'rejected') missing = each.reason;
      else if (each.value.issuer === name) return each.value;
    }
    throw missing === undefined ? refusal('issuer') : unavailable(missing);
  }
}

/** Why a token was refused, in a fixed word; its own class, so that no message of the library gets into a log. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
  /** Where it was thrown says nothing, and anybody can have it logged any number of times. */
  override readonly stack = '';
}

function refusal(reason: string): Fault {
  return fault('credentials-invalid', {}, new TokenRefused(reason));
}

function unavailable(cause: unknown): Fault {
  return fault('identity-unavailable', {}, cause);
}

function unverifiedIssuer(token: string): string {
  try {
    const { iss } = decomposeUnverifiedJwt(token).payload;
    if (typeof iss === 'string') return iss;
  } catch {
    // The library's message quotes the token.
    throw refusal('malformed');
  }
  throw refusal('issuer');
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof JwtExpiredError) return 'expired';
  if (thrown instanceof JwtNotBeforeError) return 'not yet valid';
  if (thrown instanceof JwtInvalidIssuerError) return 'issuer';
  if (thrown instanceof JwtInvalidSignatureAlgorithmError) return 'algorithm';
  if (thrown instanceof JwtInvalidSignatureError) return 'signature';
  if (thrown instanceof KidNotFoundInJwksError || thrown instanceof FetchedLately) return 'unknown key';
  return 'malformed';
}
