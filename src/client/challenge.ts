/**
 * What a 401 says about where tokens come from: the `Bearer` challenge of `WWW-Authenticate`, and the protected resource
 * metadata that it points to. Only reads; tokens are the business of the caller's provider.
 *
 * Sources: RFC 6750 3, RFC 9728 2 and 5.1.
 */
import { isJsonObject, type JsonObject, listAt } from '../protocol/json.ts';
import { boundedText, chunksOf } from './byte-stream.ts';

export interface Challenge {
  readonly error?: string;
  readonly scopes: readonly string[];
  readonly resourceMetadataUrl?: string;
  /** RFC 9728 document, when it could be read. */
  readonly resourceMetadata?: JsonObject;
  readonly authorizationServers: readonly string[];
}

const maxMetadataBytes = 64 * 1024;
const metadataTimeoutMs = 10_000;

/** Reads the first `Bearer` challenge. Undefined when there is none. */
export function parseChallenge(header: string | undefined): Challenge | undefined {
  const start = header === undefined ? -1 : header.search(/(?:^|[\s,])Bearer(?:\s|,|$)/i);
  if (header === undefined || start < 0) return undefined;
  const rest = header.slice(start).replace(/^[\s,]*Bearer\s*/i, '');
  const found = new Map<string, string>();
  const parameter = /\s*,?\s*([A-Za-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/y;
  for (let match = parameter.exec(rest); match !== null; match = parameter.exec(rest)) {
    const [, name = '', quoted, bare] = match;
    found.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '');
  }
  const error = found.get('error');
  const url = found.get('resource_metadata');
  return {
    ...(error === undefined ? {} : { error }),
    ...(url === undefined ? {} : { resourceMetadataUrl: url }),
    scopes: found.get('scope')?.split(' ').filter(Boolean) ?? [],
    authorizationServers: [],
  };
}

/**
 * Adds the resource metadata. Never throws for what the document's server does: a challenge without metadata may still
 * be enough for a provider that knows where it gets its tokens.
 */
export async function discover(
  challenge: Challenge,
  asked: URL,
  fetcher: typeof fetch,
  signal: AbortSignal,
): Promise<Challenge> {
  const { resourceMetadataUrl } = challenge;
  if (resourceMetadataUrl === undefined || !isSafe(resourceMetadataUrl, asked)) return challenge;
  try {
    const response = await fetcher(resourceMetadataUrl, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(metadataTimeoutMs)]),
    });
    const text = response.ok ? await boundedText(chunksOf(response.body), maxMetadataBytes) : '';
    const document: unknown = JSON.parse(text);
    return isJsonObject(document) ? withMetadata(challenge, document) : challenge;
  } catch {
    // As promised above; the 401 itself is told when no token comes of it.
    return challenge;
  }
}

function withMetadata(challenge: Challenge, document: JsonObject): Challenge {
  const scopes = texts(document, 'scopes_supported');
  return {
    ...challenge,
    resourceMetadata: document,
    authorizationServers: texts(document, 'authorization_servers'),
    scopes: challenge.scopes.length > 0 ? challenge.scopes : scopes,
  };
}

function texts(document: JsonObject, name: string): readonly string[] {
  return listAt(document, name).filter((each) => typeof each === 'string');
}

/** HTTPS, or the very server that was called: a refusal must not send us to some plain address in the caller's network. */
function isSafe(url: string, asked: URL): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, origin } = new URL(url);
  const askedOrigin = new URL(asked.href.replace(/^ws/, 'http')).origin;
  return protocol === 'https:' || origin === askedOrigin;
}
