/**
 * What an identity provider publishes, taken from the settings instead of the network: for a server without a way out.
 * Keys that are not there are unknown until the settings change; none is fetched.
 */
import type { Documents } from './guarded-fetch.ts';

export interface FixedKeys {
  /** `iss` of the provider's tokens, letter by letter. */
  readonly issuer: string;
  /** RFC 7517. */
  readonly keySet: { readonly keys: readonly Readonly<Record<string, unknown>>[] };
}

/** An address below `.invalid` (RFC 2606): it only has to be told from the discovery document's. */
const keysUrl = 'https://keys.invalid/jwks.json';

export function fixedDocuments({ issuer, keySet }: FixedKeys): Documents {
  const discovery = json({ issuer, jwks_uri: keysUrl });
  const keys = json(keySet);
  return { fetch: async (url) => (url === keysUrl ? keys : discovery) };
}

function json(value: unknown): ArrayBuffer {
  return new TextEncoder().encode(JSON.stringify(value)).buffer;
}
