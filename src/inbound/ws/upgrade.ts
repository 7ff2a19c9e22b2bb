/**
 * `GET /ws`: who may open a socket. Refusals are plain HTTP answers before 101, with the same statuses as everywhere on
 * the AgentCore door.
 */
import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Caller } from '../../application/run-service.ts';
import { type Fault, fault, toFault } from '../../errors/fault.ts';
import { chooseLanguage, type Language } from '../../language/choose-language.ts';
import { eventStreamMediaType, sseFrame } from '../../wire/sse-frame.ts';
import { type CallerRules, identifyCaller, requestIdOf, sessionHeader } from '../caller.ts';
import { toRunError } from '../stream/dialect.ts';
import { Connection, type ConnectionParts } from './connection.ts';

const tokenProtocol = 'base64UrlBearerAuthorization';
const maxTokenChars = 8_192;

export interface UpgradeParts extends ConnectionParts {
  readonly callers: CallerRules;
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
    this.#admit(request, requestId)
      .then((caller) => {
        duplex.off('error', ignore);
        this.#accept(request, duplex, head, caller);
      })
      .catch((thrown: unknown) => this.#refuse(request, duplex, toFault(thrown), requestId));
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
    if (this.#open.size >= maxSockets) throw fault('too-many-sockets', { limit: maxSockets, seconds: 5 });
    const headers = withQuerySession(withSubprotocolToken(request.headers), urlOf(request));
    return identifyCaller(headers, requestId, this.#parts.callers);
  }

  #accept(request: IncomingMessage, duplex: Duplex, head: Buffer, caller: Caller): void {
    this.#server.handleUpgrade(request, duplex, head, (socket) => {
      const framing = urlOf(request).searchParams.get('framing') === 'sse' ? 'sse' : 'json';
      const connection = new Connection({ socket, duplex, caller, framing }, this.#parts);
      this.#open.add(connection);
      socket.once('close', () => this.#open.delete(connection));
    });
  }

  #refuse(request: IncomingMessage, duplex: Duplex, problem: Fault, requestId: string): void {
    if (duplex.destroyed) return;
    const { status } = problem.row.agentCore;
    const language: Language = chooseLanguage({
      preferred: undefined,
      acceptLanguage: request.headers['accept-language'],
      fallback: this.#parts.fallbackLanguage,
    });
    const audience = {
      door: 'agentcore',
      language,
      requestId,
      threadId: undefined,
      runId: undefined,
      isModern: true,
    } as const;
    const body = sseFrame(JSON.stringify(toRunError(problem, audience)));
    const challenge = status === 401 ? this.#parts.callers.identity.challenge() : undefined;
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
      `Content-Type: ${eventStreamMediaType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `x-amzn-requestid: ${requestId}`,
      ...(status === 429 ? [`Retry-After: ${problem.detail.seconds ?? 5}`] : []),
      ...(challenge === undefined ? [] : [`WWW-Authenticate: ${challenge}`]),
      'Connection: close',
    ];
    duplex.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
}

function urlOf(request: IncomingMessage): URL {
  return URL.canParse(request.url ?? '/', 'http://any')
    ? new URL(request.url ?? '/', 'http://any')
    : new URL('http://any/');
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

/** For the same reason a browser names its session in the address, as it does at the platform. */
function withQuerySession(headers: IncomingHttpHeaders, { searchParams }: URL): IncomingHttpHeaders {
  if (headers[sessionHeader] !== undefined) return headers;
  for (const [name, value] of searchParams) {
    if (name.toLowerCase() === sessionHeader) return { ...headers, [sessionHeader]: value };
  }
  return headers;
}

/** No origin (not a browser), the server's own, or one that is listed. */
function isOriginAllowed(request: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (allowed.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
