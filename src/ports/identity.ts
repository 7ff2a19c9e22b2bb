/** Who is calling. */
export interface Credentials {
  /** The `Authorization` header as sent. */
  readonly authorization: string | undefined;
}

export interface Identity {
  /**
   * The caller's verified subject, or null where nobody is told from anybody else.
   * Rejects with fault `credentials-missing`, `credentials-invalid` or `access-denied`.
   */
  authenticate(credentials: Credentials): Promise<string | null>;
  /** Value of `WWW-Authenticate` for a 401, or undefined where there is nothing to ask for. */
  challenge(): string | undefined;
}
