/** Opens the socket of a target with its credentials, in the way that the place where we run allows. */
import { withToken } from './bearer.ts';
import { invalidArgument } from './client-error.ts';
import type { Credentials } from './credentials.ts';
import { type Headers, mergeHeaders } from './headers.ts';
import { type Target, webSocketUrl } from './runtime-endpoint.ts';
import { sessionHeader } from './session-id.ts';
import type { OpenSocket, Socket } from './socket.ts';
import type { StreamRequest } from './transport.ts';

export interface SocketOpenerOptions {
  readonly target: Target;
  readonly credentials: Credentials;
  readonly headers: Headers;
  readonly fetcher: typeof fetch;
}

/** The subprotocol by which a browser brings its token: `<name>.<base64url>` beside `<name>`. */
const tokenProtocol = 'base64UrlBearerAuthorization';

/** Where we run. A browser's socket has no headers: session and token travel as the platform lets a browser send them. */
export type Place = 'node' | 'browser';

export async function openWebSocket(
  options: SocketOpenerOptions,
  { sessionId, headers: ofCall, signal }: Omit<StreamRequest, 'message'>,
  place: Place = placeOf(),
): Promise<Socket> {
  const { target, credentials, fetcher } = options;
  const open = await openerFor(place);
  const url = withSession(webSocketUrl(target), place === 'browser' ? sessionId : undefined);
  const session = sessionId === undefined ? {} : { [sessionHeader]: sessionId };
  const headers = mergeHeaders(options.headers, ofCall, session);
  switch (credentials.type) {
    case 'none':
      return open({ url, headers, protocols: [], signal });
    case 'bearer': {
      const send = (token: string | undefined): Promise<Socket> =>
        place === 'node'
          ? open({ url, headers: withBearer(headers, token), protocols: [], signal })
          : open({ url, headers: {}, protocols: tokenProtocols(token), signal });
      return withToken({ credentials, url, fetcher, signal, send });
    }
    case 'sigv4': {
      if (place === 'browser')
        throw invalidArgument('a browser can’t sign an upgrade: use a presigned address');
      const { signUpgrade } = await import('./sigv4-socket.ts');
      const signed = await signUpgrade({ target, credentials, headers });
      return open({ url, headers: signed, protocols: [], signal });
    }
    case 'presigned': {
      if (sessionId === undefined) throw invalidArgument('a signed address is made for a session: name one');
      return open({ url: parseSigned(await credentials.url(sessionId)), headers: {}, protocols: [], signal });
    }
  }
}

function placeOf(): Place {
  return typeof process !== 'undefined' && process.versions?.node !== undefined ? 'node' : 'browser';
}

async function openerFor(place: Place): Promise<OpenSocket> {
  return place === 'node'
    ? (await import('./node-socket.ts')).openNodeSocket
    : (await import('./browser-socket.ts')).openBrowserSocket;
}

function withBearer(
  headers: Readonly<Record<string, string>>,
  token: string | undefined,
): Record<string, string> {
  return token === undefined ? { ...headers } : { ...headers, authorization: `Bearer ${token}` };
}

/** A browser sets no headers; the platform takes the session from the address too. */
function withSession(url: URL, sessionId: string | undefined): URL {
  const whole = new URL(url);
  if (sessionId !== undefined) whole.searchParams.set(sessionHeader, sessionId);
  return whole;
}

function tokenProtocols(token: string | undefined): readonly string[] {
  if (token === undefined) return [];
  // A token is ASCII, which has been checked.
  const encoded = btoa(token).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return [`${tokenProtocol}.${encoded}`, tokenProtocol];
}

function parseSigned(text: string): URL {
  if (URL.canParse(text) && /^wss?:/.test(text)) return new URL(text);
  throw invalidArgument('a signed address begins with wss:// or ws://');
}
