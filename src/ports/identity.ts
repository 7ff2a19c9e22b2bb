/** Who is calling, and what a stranger is told. */
export interface Credentials {
  /** The `Authorization` header as sent. */
  readonly authorization: string | undefined;
}

/** What the credentials prove. */
export interface Principal {
  /** Unique over all issuers and stable over time; null where nobody is told from anybody else. */
  readonly subject: string | null;
  /** Unix milliseconds after which the proof no longer holds; undefined where it has no end. */
  readonly expiresAt: number | undefined;
}

export interface Identity {
  /**
   * Rejects with fault `credentials-missing` or `credentials-invalid` for somebody who is not known, `access-denied` for
   * somebody who is and may not, `identity-unavailable` when it can't be found out at the moment.
   */
  authenticate(credentials: Credentials): Promise<Principal>;
  /**
   * Value of `WWW-Authenticate` for a 401, or undefined where there is nothing to ask for. `metadataUrl` is where a client
   * finds out how to get credentials, for identities that have such a document.
   */
  challenge(metadataUrl: string): string | undefined;
  /** Where tokens come from, as RFC 9728 has it; undefined where there are no tokens to be had. */
  readonly tokenSource: TokenSource | undefined;
}

export interface TokenSource {
  /** Issuer identifiers of the authorization servers. */
  readonly issuers: readonly string[];
  /** Scopes of which a token needs one; empty = none. */
  readonly scopes: readonly string[];
}
