/**
 * The way to the subject: plain HTTP and WebSocket to one address, with credentials where given. Every answer is
 * evidence, whatever its status; nothing is thrown for what the subject does, and nothing is retried.
 */
import { withToken } from '../client/bearer.ts';
import { boundedText, chunksOf } from '../client/byte-stream.ts';
import { noConnection } from '../client/fetch-channel.ts';
import { maxRefusalBytes, readRefusal } from '../client/read-refusal.ts';
import { invocationsUrl, type Target } from '../client/runtime-endpoint.ts';
import { sessionHeader } from '../client/session-id.ts';
import type { Socket } from '../client/socket.ts';
import { openWebSocket } from '../client/web-socket-opener.ts';
import { type Arrival, type Ending, type Exchange, excerpt } from './exchange.ts';
import type { Settings } from './settings.ts';

export interface Request {
  readonly method?: 'GET' | 'POST';
  /** Beside `/invocations`; default `invocations` itself. */
  readonly operation?: 'invocations' | 'ping';
  /** Sent as it is. Anything that is not text or bytes is sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sessionId?: string;
  /** Without the credentials. */
  readonly isAnonymous?: boolean;
  readonly timeoutMs?: number;
  /** Called at each piece of the body; true ends the connection, as a user who goes away does. */
  readonly leaveAt?: (arrivals: readonly Arrival[]) => boolean;
}

export class Site {
  readonly #settings: Settings;
  readonly #target: Extract<Target, { kind: 'url' }>;
  readonly #signal: AbortSignal;
  #token: Promise<string | undefined> | undefined;
  /** What must never be shown. */
  #secret: string | undefined;

  constructor(settings: Settings, signal: AbortSignal) {
    this.#settings = settings;
    this.#target = { kind: 'url', url: settings.url };
    this.#signal = signal;
  }

  get url(): URL {
    return invocationsUrl(this.#target);
  }

  /** The data plane hands on only invocations and sockets: its own answer to `/ping` would say nothing. */
  get isBehindPlatform(): boolean {
    return /\/runtimes\/[^/]+\/invocations\/?$/.test(this.url.pathname);
  }

  get hasCredentials(): boolean {
    return this.#settings.credentials.type === 'bearer';
  }

  /** Throws `ClientError` when no token can be had. */
  async request(request: Request): Promise<Exchange> {
    const url = this.#urlOf(request.operation ?? 'invocations');
    const method = request.method ?? 'POST';
    const headers = await this.#headersOf(request, method);
    const { body } = request;
    const payload =
      body === undefined || typeof body === 'string' || body instanceof Uint8Array
        ? body
        : JSON.stringify(body);
    const sent = describeRequest(method, url, headers, payload);
    const init: RequestInit = { method, headers, redirect: 'manual' };
    if (payload !== undefined) init.body = payload;
    return exchange(url, init, {
      ...request,
      sent,
      timeoutMs: request.timeoutMs ?? this.#settings.answerMs,
      signal: this.#signal,
    });
  }

  /** Throws `ClientError`: the refusal, or that no socket could be had. */
  async open(sessionId: string): Promise<Socket> {
    const token = await this.#tokenOnce();
    return openWebSocket(
      {
        target: this.#target,
        credentials: token === undefined ? { type: 'none' } : { type: 'bearer', token },
        headers: this.#settings.headers,
        fetcher: fetch,
      },
      {
        sessionId,
        headers: {},
        signal: AbortSignal.any([this.#signal, AbortSignal.timeout(this.#settings.answerMs)]),
      },
    );
  }

  /** The text without the token. */
  mask(text: string): string {
    return this.#secret === undefined ? text : text.replaceAll(this.#secret, '‹token›');
  }

  #urlOf(operation: string): URL {
    const { url } = this;
    if (operation !== 'invocations') {
      const path = url.pathname.replace(/\/+$/, '');
      url.pathname = `${path.replace(/\/invocations$/, '')}/${operation}`;
    }
    return url;
  }

  async #headersOf(request: Request, method: string): Promise<Headers> {
    const headers = new Headers(this.#settings.headers);
    if (method === 'POST') {
      headers.set('content-type', 'application/json');
      headers.set('accept', 'text/event-stream');
    }
    if (request.sessionId !== undefined) headers.set(sessionHeader, request.sessionId);
    for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name, value);
    const token = request.isAnonymous === true ? undefined : await this.#tokenOnce();
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    return headers;
  }

  #tokenOnce(): Promise<string | undefined> {
    this.#token ??= this.#fetchToken();
    return this.#token;
  }

  /** One call may be needed to learn from the server's challenge where tokens come from. */
  async #fetchToken(): Promise<string | undefined> {
    const { credentials } = this.#settings;
    if (credentials.type !== 'bearer') return undefined;
    const token = await withToken({
      credentials,
      url: this.url,
      fetcher: fetch,
      signal: this.#signal,
      send: async (given) => {
        if (given === undefined) await this.#expectWelcome();
        return given;
      },
    });
    this.#secret = token;
    return token;
  }

  async #expectWelcome(): Promise<void> {
    const headers = { 'content-type': 'application/json', ...this.#settings.headers };
    const response = await fetch(this.url, { method: 'POST', headers, body: '{}', signal: this.#signal });
    const body = await boundedText(chunksOf(response.body), maxRefusalBytes);
    if (response.status !== 401) return;
    throw readRefusal({ status: 401, header: (name) => response.headers.get(name) ?? undefined, body });
  }
}

interface Sending extends Request {
  readonly sent: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function exchange(url: URL, init: RequestInit, sending: Sending): Promise<Exchange> {
  const { sent, timeoutMs, leaveAt } = sending;
  const limit = AbortSignal.timeout(timeoutMs);
  const leaving = new AbortController();
  const signal = AbortSignal.any([sending.signal, limit, leaving.signal]);
  const begun = performance.now();
  const arrivals: Arrival[] = [];
  const since = (): number => performance.now() - begun;
  let response: Response | undefined;
  let ending: Ending = 'complete';
  let problem: string | undefined;
  try {
    response = await fetch(url, { ...init, signal });
    for await (const bytes of chunksOf(response.body)) {
      arrivals.push({ at: since(), bytes });
      if (leaveAt?.(arrivals) !== true) continue;
      leaving.abort();
      ending = 'left';
      break;
    }
  } catch (thrown) {
    ending = limit.aborted || sending.signal.aborted ? 'timeout' : 'broken';
    problem = ending === 'timeout' ? `no answer within ${timeoutMs / 1_000} s` : noConnection(thrown).message;
  }
  const headers = response?.headers ?? new Headers();
  return { sent, status: response?.status, headers, arrivals, ending, took: since(), problem };
}

function describeRequest(
  method: string,
  url: URL,
  headers: Headers,
  body: string | Uint8Array | undefined,
): string {
  const lines = [...headers]
    .filter(([name]) => name !== 'authorization')
    .map(([name, value]) => `${name}: ${value}`);
  const hidden = headers.has('authorization') ? ['authorization: Bearer ‹token›'] : [];
  const text = body instanceof Uint8Array ? `${body.length} bytes: ${JSON.stringify(latin1(body))}` : body;
  return [`${method} ${url.pathname}${url.search}`, ...lines, ...hidden, excerpt(text ?? '')]
    .join('\n')
    .trimEnd();
}

function latin1(bytes: Uint8Array): string {
  return excerpt(Buffer.from(bytes.subarray(0, 200)).toString('latin1'), 200);
}
