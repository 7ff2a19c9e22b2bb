/** Where a client that was refused finds out how to get a token: the address for the challenge, and the document there. */
import type { IncomingMessage } from 'node:http';
import type { TokenSource } from '../ports/identity.ts';
import type { JsonObject } from '../protocol/json.ts';

export interface ResourceAddress {
  /** What tokens are for, as clients address it. */
  readonly resource: string;
  readonly metadataUrl: string;
}

export const metadataPath = '/.well-known/oauth-protected-resource';

/** `fixed` where the deployment knows its address, else the one that this request used. */
export function resourceAddress(
  request: IncomingMessage,
  fixed: ResourceAddress | undefined,
): ResourceAddress {
  if (fixed !== undefined) return fixed;
  const resource = `http://${hostOf(request)}`;
  return { resource, metadataUrl: `${resource}${metadataPath}` };
}

/** RFC 9728 section 2. */
export function metadataDocument({ resource }: ResourceAddress, source: TokenSource): JsonObject {
  return {
    resource,
    authorization_servers: [...source.issuers],
    ...(source.scopes.length === 0 ? {} : { scopes_supported: [...source.scopes] }),
    bearer_methods_supported: ['header'],
  };
}

/** A host as it may stand inside a quoted header value. */
function hostOf({ headers, socket }: IncomingMessage): string {
  const { host } = headers;
  if (host !== undefined && /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/.test(host)) return host;
  return `localhost:${socket.localPort}`;
}
