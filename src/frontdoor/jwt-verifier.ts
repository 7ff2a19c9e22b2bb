/**
 * Verifies bearer tokens as a runtime's `customJWTAuthorizer` says: keys and issuer by real OIDC discovery, signature and
 * times by aws-jwt-verify, then audience, client, scopes and claims. All lists that are given must be met; inside a list
 * one is enough. Throws `PlatformError`; never repeats the token.
 *
 * Sources: inbound JWT authorizer of AgentCore Runtime; RFC 6750 3.1 for what is 401 and what is 403.
 */
import { JwtVerifier } from 'aws-jwt-verify';
import { FetchError, JwtBaseError, JwtExpiredError, JwtInvalidScopeError } from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { assertNever } from '../errors/assert-never.ts';
import { isJsonObject, type JsonObject, listAt, stringAt } from '../protocol/json.ts';
import type { JwtAuthorizer } from './door-config.ts';
import { PlatformError } from './platform-error.ts';

const fetchTimeoutMs = 10_000;
const graceSeconds = 30;

export interface VerifiedToken {
  readonly subject: string | undefined;
  readonly issuer: string;
}

export interface Discovery {
  readonly issuer: string;
  readonly jwksUri: string;
}

export class TokenVerifier {
  readonly #rules: JwtAuthorizer;
  readonly #keys: SimpleJwksCache;
  #discovery: Promise<Discovery> | undefined;

  constructor(rules: JwtAuthorizer) {
    this.#rules = rules;
    this.#keys = new SimpleJwksCache({ fetcher: { fetch: (uri) => get(uri) } });
  }

  /** The provider's own description; asked for once, and again after a failure. */
  async discover(): Promise<Discovery> {
    this.#discovery ??= readDiscovery(this.#rules.discoveryUrl);
    try {
      return await this.#discovery;
    } catch (cause) {
      this.#discovery = undefined;
      throw unavailable(cause);
    }
  }

  async verify(token: string): Promise<VerifiedToken> {
    const { issuer, jwksUri } = await this.discover();
    const { allowedAudience, allowedScopes } = this.#rules;
    // An empty list would mean that no scope will do.
    const scopes = allowedScopes === undefined ? {} : { scope: allowedScopes };
    const verifier = JwtVerifier.create(
      { issuer, jwksUri, audience: allowedAudience ?? null, graceSeconds, ...scopes },
      { jwksCache: this.#keys },
    );
    let claims: JsonObject;
    try {
      // The claims of a token are JSON.
      claims = (await verifier.verify(token)) as JsonObject;
    } catch (cause) {
      throw refusal(cause);
    }
    this.#checkClient(claims);
    this.#checkClaims(claims);
    return { subject: stringAt(claims, 'sub'), issuer };
  }

  #checkClient(claims: JsonObject): void {
    const { allowedClients } = this.#rules;
    const client = stringAt(claims, 'client_id');
    if (allowedClients === undefined || (client !== undefined && allowedClients.includes(client))) return;
    throw unauthorized('the claim client_id is not one of the allowed clients');
  }

  #checkClaims(claims: JsonObject): void {
    const missed = this.#rules.customClaims?.find((rule) => !isMet(rule, claims));
    if (missed === undefined) return;
    throw new PlatformError(
      'AccessDeniedException',
      `the claim ${missed.inboundTokenClaimName} is not as required`,
    );
  }
}

type ClaimRule = NonNullable<JwtAuthorizer['customClaims']>[number];

function isMet(
  { inboundTokenClaimName: name, authorizingClaimMatchValue: match }: ClaimRule,
  claims: JsonObject,
) {
  switch (match.claimMatchOperator) {
    case 'EQUALS':
      return claims[name] === match.claimMatchValue.matchValueString;
    case 'CONTAINS':
      return listAt(claims, name).includes(match.claimMatchValue.matchValueString);
    case 'CONTAINS_ANY':
      return match.claimMatchValue.matchValueStringList.some((each) => listAt(claims, name).includes(each));
    default:
      return assertNever(match);
  }
}

function refusal(cause: unknown): PlatformError {
  if (cause instanceof FetchError) return unavailable(cause);
  if (cause instanceof JwtInvalidScopeError) {
    return new PlatformError('AccessDeniedException', 'the token has none of the allowed scopes', { cause });
  }
  if (cause instanceof JwtExpiredError) return unauthorized('the token has expired', cause);
  // Names like JwtInvalidAudienceError say what is wrong; the messages quote the token.
  if (cause instanceof JwtBaseError)
    return unauthorized(`the token is not valid (${cause.constructor.name})`, cause);
  return unauthorized('the token is not valid', cause);
}

function unauthorized(detail: string, cause?: unknown): PlatformError {
  return new PlatformError('UnauthorizedException', detail, { cause });
}

function unavailable(cause: unknown): PlatformError {
  if (cause instanceof PlatformError) return cause;
  return new PlatformError('InternalServerException', 'the identity provider could not be asked', { cause });
}

async function readDiscovery(url: string): Promise<Discovery> {
  const document: unknown = JSON.parse(new TextDecoder().decode(await get(url)));
  const issuer = isJsonObject(document) ? stringAt(document, 'issuer') : undefined;
  const jwksUri = isJsonObject(document) ? stringAt(document, 'jwks_uri') : undefined;
  if (issuer !== undefined && jwksUri !== undefined) return { issuer, jwksUri };
  throw new PlatformError('InternalServerException', 'the discovery document names no issuer or no keys');
}

async function get(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(fetchTimeoutMs) });
  if (!response.ok) throw new FetchError(url, `status ${response.status}`);
  return response.arrayBuffer();
}
