/**
 * One issuer of tokens: its discovery document, its keys, and the check of signature, issuer and time. Nothing is fetched
 * before the first token comes (a container may be frozen and copied before that), and what was fetched grows old: after
 * ten minutes it is fetched anew in the background, so that a key that was withdrawn stops counting. An outage of the
 * issuer leaves the keys as they are.
 */
import { JwtVerifier } from 'aws-jwt-verify';
import { type JwksCache, SimpleJwksCache } from 'aws-jwt-verify/jwk';
import type { Clock } from '../../ports/runtime.ts';
import { type Documents, DocumentUnavailable, isTrustworthy } from './guarded-fetch.ts';
import type { Authorizer, TokenParts, TokenRules } from './token-rules.ts';

/** Tolerated difference between the issuer's clock and ours. */
export const clockSkewSeconds = 30;
const keysMaxAgeMs = 600_000;

export interface OpenIssuer {
  /** As the discovery document spells it. */
  readonly issuer: string;
  readonly loadedAt: number;
  readonly rules: TokenRules;
  readonly verify: (token: string) => Promise<TokenParts>;
}

export class TokenIssuer {
  readonly #authorizer: Authorizer;
  readonly #documents: Documents;
  readonly #clock: Clock;
  #loaded: OpenIssuer | undefined;
  #loading: Promise<OpenIssuer> | undefined;

  constructor(authorizer: Authorizer, documents: Documents, clock: Clock) {
    this.#authorizer = authorizer;
    this.#documents = documents;
    this.#clock = clock;
  }

  /** Its name, once it was reached. */
  get name(): string | undefined {
    return this.#loaded?.issuer;
  }

  /** The issuer with its keys. Rejects with `DocumentUnavailable` while it was never reached. */
  async open(): Promise<OpenIssuer> {
    if (this.#loaded === undefined) return this.#load();
    if (this.#clock.now() - this.#loaded.loadedAt > keysMaxAgeMs) this.#load().catch(ignore);
    return this.#loaded;
  }

  #load(): Promise<OpenIssuer> {
    this.#loading ??= this.#fetchAll().then(
      (loaded) => {
        this.#loading = undefined;
        this.#loaded = loaded;
        return loaded;
      },
      (thrown: unknown) => {
        this.#loading = undefined;
        throw thrown;
      },
    );
    return this.#loading;
  }

  async #fetchAll(): Promise<OpenIssuer> {
    const { discoveryUrl, rules } = this.#authorizer;
    const { issuer, jwksUri } = readDiscovery(await this.#documents.fetch(discoveryUrl));
    const documents = this.#documents;
    // The guard stands before the fetch and not in the library's waiting list, which shuts out new keys after one bad id.
    const jwksCache: JwksCache = new SimpleJwksCache({
      fetcher: { fetch: (uri: string) => documents.fetch(uri) },
      penaltyBox: {
        wait: async () => undefined,
        registerFailedAttempt: ignore,
        registerSuccessfulAttempt: ignore,
      },
    });
    await jwksCache.getJwks(jwksUri).catch((cause: unknown) => {
      throw cause instanceof DocumentUnavailable
        ? cause
        : new DocumentUnavailable('the keys of the identity provider can not be read', { cause });
    });
    const verifier = JwtVerifier.create(
      { issuer, jwksUri, audience: null, graceSeconds: clockSkewSeconds },
      { jwksCache },
    );
    return {
      issuer,
      loadedAt: this.#clock.now(),
      rules,
      verify: async (token) => {
        let header: TokenParts['header'] = {};
        const payload = await verifier.verify(token, {
          customJwtCheck: (parts: TokenParts) => {
            header = parts.header;
          },
        });
        return { header, payload };
      },
    };
  }
}

function readDiscovery(body: ArrayBuffer): { readonly issuer: string; readonly jwksUri: string } {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new DocumentUnavailable('the discovery document is not JSON');
  }
  const { issuer, jwks_uri: jwksUri } =
    typeof document === 'object' && document !== null
      ? (document as { issuer?: unknown; jwks_uri?: unknown })
      : {};
  if (typeof issuer !== 'string' || issuer === '' || typeof jwksUri !== 'string' || !isTrustworthy(jwksUri))
    throw new DocumentUnavailable('the discovery document has no issuer or no https jwks_uri');
  return { issuer, jwksUri };
}

function ignore(): void {
  // The keys as they are go on counting; the guard decides when the next attempt may be made.
}
