/**
 * `GET /ws`: who may open a socket. Refusals are plain HTTP answers before 101, with the same statuses as everywhere on
 * the AgentCore door.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Caller } from '../../application/run-service.ts';
import { type Fault, fault, toFault } from '../../errors/fault.ts';
import { chooseLanguage } from '../../language/choose-language.ts';
import type { Span } from '../../ports/telemetry.ts';
import { identifyCaller, requestIdOf, sessionHeader } from '../caller.ts';
import { rawRefusal } from '../raw-refusal.ts';
import { customPrefix } from '../request-context.ts';
import { logFault } from '../request-log.ts';
import { resourceAddress } from '../resource-metadata.ts';
import { Connection, type ConnectionParts } from './connection.ts';

const tokenProtocol = 'base64UrlBearerAuthorization';
const maxTokenChars = 8_192;

export interface UpgradeParts extends ConnectionParts {
  /** Exact origins that browsers may come from, besides the server's own. */
  readonly allowedOrigins: readonly string[];
  readonly maxMessageBytes: number;
  readonly maxSockets: number;
}

/** Owns all open sockets of the process. */
export class SocketDoor {
  readonly #server: WebSocketServer;
  readonly #parts: UpgradeParts;
  readonly #open = new Set<Connection>();

  constructor(parts: UpgradeParts) {
    this.#parts = parts;
    // Compression costs twelve times the memory of a socket and makes a hostile frame expand: off.
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: parts.maxMessageBytes,
      perMessageDeflate: false,
      // A browser that brings its token as a subprotocol wants its name back, and never the token itself.
      handleProtocols: (offered) => (offered.has(tokenProtocol) ? tokenProtocol : false),
    });
  }

  get count(): number {
    return this.#open.size;
  }

  /** Listener for the HTTP server's `upgrade` event. */
  readonly upgrade = (request: IncomingMessage, duplex: Duplex, head: Buffer): void => {
    const requestId = requestIdOf(request.headers, this.#parts.runtime.ids);
    const ignore = (): void => undefined;
    duplex.on('error', ignore);
    const span = this.#parts.telemetry.tracer.request('GET /ws', request.headers, {
      'http.request.method': 'GET',
      'http.route': '/ws',
      'agentcore_agui.request.id': requestId,
    });
    this.#admit(request, requestId)
      .then((caller) => {
        duplex.off('error', ignore);
        span.set({ 'session.id': caller.sessionId });
        this.#accept(request, duplex, head, { ...caller, trace: { span, isSocket: true } });
        endSpan(span, 101);
      })
      .catch((thrown: unknown) => {
        const problem = toFault(thrown);
        endSpan(span, problem.row.agentCore.status);
        this.#tellLog(problem, requestId, span);
        this.#refuse(request, duplex, problem, requestId);
      });
  };

  /** Says goodbye to all: 1001, going away. */
  closeAll(): void {
    for (const connection of this.#open) connection.close();
  }

  async #admit(request: IncomingMessage, requestId: Caller['requestId']): Promise<Caller> {
    const { phase } = this.#parts.service.health();
    if (phase !== 'ready') throw fault(phase === 'draining' ? 'server-draining' : 'server-starting');
    if (urlOf(request).pathname !== '/ws') throw fault('path-unknown');
    if (!isOriginAllowed(request, this.#parts.allowedOrigins)) throw fault('access-denied');
    const { maxSockets } = this.#parts;
    const assertRoom = (): void => {
      if (this.#open.size >= maxSockets) throw fault('too-many-sockets', { limit: maxSockets, seconds: 5 });
    };
    assertRoom();
    const { remoteAddress } = request.socket;
    const knock = { headers: headersOf(request), remoteAddress, requestId };
    const caller = await identifyCaller(knock, this.#parts.callers);
    // Others may have come in while this one was looked at.
    assertRoom();
    return caller;
  }

  #accept(request: IncomingMessage, duplex: Duplex, head: Buffer, caller: Caller): void {
    this.#server.handleUpgrade(request, duplex, head, (socket) => {
      const framing = urlOf(request).searchParams.get('framing') === 'sse' ? 'sse' : 'json';
      const { remoteAddress } = request.socket;
      const connection = new Connection({ socket, duplex, caller, remoteAddress, framing }, this.#parts);
      this.#open.add(connection);
      socket.once('close', () => this.#open.delete(connection));
    });
  }

  #tellLog(problem: Fault, requestId: string, span: Span): void {
    logFault(this.#parts.runtime.log, problem, { requestId, transport: 'ws', ...span.ids });
  }

  #refuse(request: IncomingMessage, duplex: Duplex, problem: Fault, requestId: string): void {
    const { fallbackLanguage, callers, runtime } = this.#parts;
    const { fault: name, code, cause } = problem;
    const level = name === 'internal' ? 'error' : cause === undefined ? 'debug' : 'info';
    runtime.log[level]('upgrade refused', { requestId, fault: name, code, cause });
    if (duplex.destroyed) return;
    const { metadataUrl } = resourceAddress(request, callers.publicAddress);
    const language = chooseLanguage({
      preferred: undefined,
      acceptLanguage: request.headers['accept-language'],
      fallback: fallbackLanguage,
    });
    const challenge = callers.identity.challenge(metadataUrl);
    duplex.end(rawRefusal(problem, { requestId, language, challenge, headers: [] }));
  }
}

function endSpan(span: Span, status: number): void {
  span.set({ 'http.response.status_code': status });
  span.end(status >= 500 ? String(status) : undefined);
}

function urlOf(request: IncomingMessage): URL {
  return URL.canParse(request.url ?? '/', 'http://any')
    ? new URL(request.url ?? '/', 'http://any')
    : new URL('http://any/');
}

/** A browser can't set headers: what it would have put there comes with the address and the subprotocols. */
function headersOf(request: IncomingMessage): IncomingHttpHeaders {
  return withSubprotocolToken(withQueryHeaders(request.headers, urlOf(request).searchParams));
}

/**
 * The session and the application's own headers as query parameters of the same names. A header wins; of a session that
 * both name differently an invalid one is left, so that it is refused, but not before the caller is known.
 */
function withQueryHeaders(headers: IncomingHttpHeaders, query: URLSearchParams): IncomingHttpHeaders {
  const brought: Record<string, string> = {};
  for (const [given, value] of query) {
    const name = given.toLowerCase();
    if (name !== sessionHeader && !name.startsWith(customPrefix)) continue;
    const known = headers[name] ?? brought[name];
    if (known === undefined) brought[name] = value;
    else if (name === sessionHeader && known !== value) brought[name] = '';
  }
  return { ...headers, ...brought };
}

/** A browser can't set headers: it brings the bearer token as a second subprotocol, in base64url. */
function withSubprotocolToken(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  if (headers.authorization !== undefined) return headers;
  const offered = headers['sec-websocket-protocol']?.split(',').map((each) => each.trim()) ?? [];
  const encoded = offered
    .find((each) => each.startsWith(`${tokenProtocol}.`))
    ?.slice(tokenProtocol.length + 1);
  if (encoded === undefined || encoded === '' || encoded.length > maxTokenChars) return headers;
  return { ...headers, authorization: `Bearer ${Buffer.from(encoded, 'base64url').toString('utf8')}` };
}

/** No origin (not a browser), the server's own, or one that is listed. */
function isOriginAllowed(request: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (allowed.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
