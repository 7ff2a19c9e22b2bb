/** `GET /.well-known/oauth-protected-resource` (RFC 9728): open to everybody, because it is for who has no token yet. */
import { fault } from '../../errors/fault.ts';
import type { CallerRules } from '../caller.ts';
import { metadataDocument, resourceAddress } from '../resource-metadata.ts';
import type { Exchange } from './exchange.ts';

/** Throws `path-unknown` where callers need no token of a provider. */
export function metadataRoute(exchange: Exchange, { identity, publicAddress }: CallerRules): void {
  const { tokenSource } = identity;
  if (tokenSource === undefined) throw fault('path-unknown');
  exchange.sendJson(200, metadataDocument(resourceAddress(exchange.request, publicAddress), tokenSource));
}
