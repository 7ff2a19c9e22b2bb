/**
 * Small JSON documents of an identity provider, fetched so that nobody outside can make us fetch: a few at once, then one
 * every ten seconds for each address. Only https, or http on this machine. Bounded in size and time; no redirects.
 */
import type { Clock } from '../../ports/runtime.ts';

export interface FetchLimits {
  /** Fetches of one address that may follow each other at once. */
  readonly burst: number;
  /** After that, one more for each of these. */
  readonly refillMs: number;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export const defaultFetchLimits: FetchLimits = {
  burst: 4,
  refillMs: 10_000,
  timeoutMs: 5_000,
  maxBytes: 1_048_576,
};

/** The document could not be had, or may not be asked for again yet after it could not be had. */
export class DocumentUnavailable extends Error {
  override readonly name = 'DocumentUnavailable';
}

/** It was had a moment ago and may not be asked for again yet. */
export class FetchedLately extends Error {
  override readonly name = 'FetchedLately';
}

interface Account {
  tokens: number;
  countedAt: number;
  failure: DocumentUnavailable | undefined;
}

/** Where an identity provider's documents come from. */
export interface Documents {
  /** The body. Rejects with `DocumentUnavailable` or `FetchedLately`. */
  fetch(url: string): Promise<ArrayBuffer>;
}

export class GuardedFetch implements Documents {
  readonly #clock: Clock;
  readonly #limits: FetchLimits;
  /** One account for each address that the settings or a discovery document name: a handful. */
  readonly #accounts = new Map<string, Account>();

  constructor(clock: Clock, limits: Partial<FetchLimits> = {}) {
    this.#clock = clock;
    this.#limits = { ...defaultFetchLimits, ...limits };
  }

  /** The body. Rejects with `DocumentUnavailable` or `FetchedLately`. */
  async fetch(url: string): Promise<ArrayBuffer> {
    const account = this.#account(url);
    if (account.tokens < 1) throw account.failure ?? new FetchedLately('fetched lately');
    account.tokens -= 1;
    try {
      const body = await this.#body(url);
      account.failure = undefined;
      return body;
    } catch (cause) {
      account.failure = new DocumentUnavailable('a document of the identity provider is not to be had', {
        cause,
      });
      throw account.failure;
    }
  }

  #account(url: string): Account {
    const { burst, refillMs } = this.#limits;
    const now = this.#clock.now();
    const account = this.#accounts.get(url) ?? { tokens: burst, countedAt: now, failure: undefined };
    this.#accounts.set(url, account);
    const elapsed = Math.max(0, now - account.countedAt);
    account.tokens = Math.min(burst, account.tokens + elapsed / refillMs);
    account.countedAt = now;
    return account;
  }

  async #body(url: string): Promise<ArrayBuffer> {
    if (!isTrustworthy(url)) throw new TypeError('not an https address');
    const { timeoutMs, maxBytes } = this.#limits;
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, {
      signal,
      redirect: 'error',
      headers: { accept: 'application/json' },
    });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw new DocumentUnavailable(`HTTP ${response.status}`);
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.byteLength;
      // Leaving the loop cancels the rest.
      if (size > maxBytes) throw new DocumentUnavailable('the document is too large');
      chunks.push(chunk);
    }
    return new Uint8Array(Buffer.concat(chunks)).buffer;
  }
}

/** Keys that come over a line that others can write on prove nothing. */
export function isTrustworthy(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') return false;
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isHere);
}
