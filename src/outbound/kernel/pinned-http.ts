/**
 * HTTP to one origin, and to no other: redirects are not followed, link-local addresses are not connected to.
 *
 * Calls that must not happen twice get a connection of their own: on a pooled one that the peer closes in the same
 * moment nobody can know whether the request was read. Other calls share a pool, and are repeated once when a pooled
 * connection turns out to be dead. Both kinds are repeated when no connection came about at all, since then nothing was
 * sent. node:http rather than fetch: less than half the CPU per event, and no limit on the silence of a stream.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { KernelError } from '../../errors/kernel-error.ts';
import type { OutgoingHeaders } from '../../ports/telemetry.ts';

export interface HttpCall {
  readonly method: 'GET' | 'POST';
  /** Path and query on the origin. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** May reach the agent twice without harm. */
  readonly isRepeatable: boolean;
  /** From the connection to the headers of the response; `Infinity` waits for ever. */
  readonly headersTimeoutMs: number;
}

export interface PinnedHttpOptions {
  /** Only its origin is used. */
  readonly origin: URL;
  readonly lookup: LookupFunction;
  readonly connectTimeoutMs: number;
  /** Headers that belong to the moment of a call, such as the trace that it is part of. */
  readonly outgoing?: OutgoingHeaders | undefined;
  /** Pauses before the connection is tried again; none for a caller that tries again by itself. */
  readonly connectRetryDelaysMs: readonly number[];
}

type Outcome =
  | { readonly kind: 'answered'; readonly response: http.IncomingMessage }
  | { readonly kind: 'failed'; readonly error: KernelError; readonly isRepeatable: boolean };

/** Failures that come before a connection and may be gone a moment later. */
const passingFailures = new Set(['ECONNREFUSED', 'EAI_AGAIN']);
/** How a pooled connection fails that the peer has closed meanwhile. */
const deadConnection = new Set(['ECONNRESET', 'EPIPE']);
/** Finds dead peers on streams that may be silent for hours. */
const tcpKeepAliveMs = 30_000;
const maxIdleSockets = 32;

export class PinnedHttp {
  readonly #options: PinnedHttpOptions;
  readonly #pool: http.Agent;
  readonly #fresh: http.Agent;
  readonly #open = new Set<http.ClientRequest>();
  #isClosed = false;

  constructor(options: PinnedHttpOptions) {
    this.#options = options;
    const { Agent } = options.origin.protocol === 'https:' ? https : http;
    this.#pool = new Agent({ keepAlive: true, maxFreeSockets: maxIdleSockets });
    this.#fresh = new Agent({ keepAlive: false });
  }

  /**
   * Resolves when the response's headers are there; its body is the caller's to read or to destroy. The signal ends the
   * exchange at any time, the body included. Rejects with `unavailable`.
   */
  async open(call: HttpCall, signal: AbortSignal): Promise<http.IncomingMessage> {
    let agent = call.isRepeatable ? this.#pool : this.#fresh;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#attempt(call, agent, signal);
      if (outcome.kind === 'answered') return outcome.response;
      const delayMs = this.#options.connectRetryDelaysMs[attempt];
      if (!outcome.isRepeatable || delayMs === undefined || signal.aborted || this.#isClosed)
        throw outcome.error;
      agent = this.#fresh;
      await pause(delayMs, signal);
    }
  }

  /** Breaks off everything that is open. */
  close(): void {
    this.#isClosed = true;
    for (const request of this.#open) request.destroy();
    this.#pool.destroy();
    this.#fresh.destroy();
  }

  #attempt(call: HttpCall, agent: http.Agent, signal: AbortSignal): Promise<Outcome> {
    if (this.#isClosed)
      return Promise.resolve(failed(new KernelError('unavailable', 'the kernel is closed')));
    if (signal.aborted) return Promise.resolve(failed(abortedError(signal)));
    const body = call.body === undefined ? undefined : Buffer.from(call.body);
    const request = this.#request(call, agent, body);
    this.#watch(request, signal);
    return new Promise((resolve) => {
      const times = this.#limitTimes(request, call.headersTimeoutMs);
      request.once('response', (response) => {
        times.end();
        // The reader hears of errors by its own listener; a response that nobody reads must not throw them.
        response.on('error', () => undefined);
        resolve({ kind: 'answered', response });
      });
      // Stays for the life of the request: a late error of an answered request belongs to its response.
      request.on('error', (cause: NodeJS.ErrnoException) => {
        times.end();
        const isRepeatable = times.isConnected()
          ? call.isRepeatable && request.reusedSocket && deadConnection.has(cause.code ?? '')
          : passingFailures.has(cause.code ?? '');
        const error = signal.aborted ? abortedError(signal) : toKernelError(cause);
        resolve({ kind: 'failed', error, isRepeatable });
      });
      request.end(body);
    });
  }

  #request(call: HttpCall, agent: http.Agent, body: Buffer | undefined): http.ClientRequest {
    const { origin, lookup } = this.#options;
    const { request } = origin.protocol === 'https:' ? https : http;
    return request({
      protocol: origin.protocol,
      hostname: origin.hostname.replace(/^\[|\]$/g, ''),
      port: origin.port === '' ? undefined : origin.port,
      method: call.method,
      path: call.path,
      headers: {
        ...this.#options.outgoing?.(),
        ...call.headers,
        'Accept-Encoding': 'identity',
        ...(body === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': String(body.byteLength) }),
      },
      agent,
      lookup,
    });
  }

  /** Ties the request to the signal and to `close`, until it is over. */
  #watch(request: http.ClientRequest, signal: AbortSignal): void {
    const abort = (): void => {
      request.destroy();
    };
    this.#open.add(request);
    signal.addEventListener('abort', abort, { once: true });
    request.once('close', () => {
      signal.removeEventListener('abort', abort);
      this.#open.delete(request);
    });
  }

  /** One timer: first for the connection, then for the headers. */
  #limitTimes(request: http.ClientRequest, headersTimeoutMs: number): Times {
    let timer: NodeJS.Timeout | undefined;
    let isConnected = false;
    const limit = (ms: number, what: string): void => {
      clearTimeout(timer);
      if (!Number.isFinite(ms)) return;
      const give = (): void => {
        request.destroy(new KernelError('unavailable', `${what} within ${ms} ms`));
      };
      timer = setTimeout(give, ms);
    };
    const connected = (): void => {
      isConnected = true;
      limit(headersTimeoutMs, 'the agent did not answer');
    };
    limit(this.#options.connectTimeoutMs, 'no connection to the agent');
    request.once('socket', (socket) => {
      if (request.reusedSocket) return connected();
      socket.setKeepAlive(true, tcpKeepAliveMs);
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected);
    });
    return { isConnected: () => isConnected, end: () => clearTimeout(timer) };
  }
}

interface Times {
  readonly isConnected: () => boolean;
  readonly end: () => void;
}

function failed(error: KernelError): Outcome {
  return { kind: 'failed', error, isRepeatable: false };
}

export function abortedError(signal: AbortSignal): KernelError {
  return new KernelError('unavailable', 'the call was given up', { cause: signal.reason });
}

/** What a broken exchange means. */
export function toKernelError(cause: NodeJS.ErrnoException): KernelError {
  if (cause instanceof KernelError) return cause;
  const code = cause.code ?? cause.name;
  if (code.startsWith('HPE_')) {
    return new KernelError('unavailable', `the agent's answer is not HTTP (${code})`, { cause });
  }
  return new KernelError('unavailable', `no connection to the agent, or it broke (${code})`, { cause });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
