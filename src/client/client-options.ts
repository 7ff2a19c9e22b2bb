/** What a client can be told, and what of it can't be: found out before anything is sent. */
import type { Channel } from './channel.ts';
import { invalidArgument } from './client-error.ts';
import type { Credentials } from './credentials.ts';
import { FetchChannel } from './fetch-channel.ts';
import type { Headers } from './headers.ts';
import type { RetryRules } from './retry-policy.ts';
import type { RetryNotice } from './run-stream.ts';
import { invocationsUrl, type Target, webSocketUrl } from './runtime-endpoint.ts';
import { checkSessionId } from './session-id.ts';
import { SseTransport } from './sse-transport.ts';
import type { Transport } from './transport.ts';
import { openWebSocket } from './web-socket-opener.ts';
import { WsTransport } from './ws-transport.ts';

export interface ClientOptions {
  readonly target: Target;
  /** Default `none`. */
  readonly credentials?: Credentials | undefined;
  /** Default `sse`. */
  readonly transport?: 'sse' | 'ws' | undefined;
  /**
   * AgentCore session: fixed, or by thread. Default: none for a container's address; for a runtime one for each thread,
   * which no other client shares. Give one (`makeSessionId`) to come back to a session from elsewhere.
   */
  readonly sessionId?: string | ((threadId: string) => string | Promise<string>) | undefined;
  /** Added to every request; a browser's WebSocket can't carry them. */
  readonly headers?: Headers | undefined;
  readonly retry?: Partial<RetryRules> | undefined;
  /** Whether the server knows a run that is sent twice. Default: found out, by the marks that only our server makes. */
  readonly isIdempotent?: boolean | undefined;
  /** The longest silence of a stream in milliseconds, 0 for any. Default 15 minutes. */
  readonly silenceMs?: number | undefined;
  /** Called before each wait for another attempt. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** Stands in for the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

const defaultSilenceMs = 15 * 60 * 1_000;

/** Throws `INVALID_ARGUMENT`. */
export function checkOptions({ target, credentials, transport, sessionId }: ClientOptions): void {
  invocationsUrl(target);
  webSocketUrl(target);
  if (typeof sessionId === 'string') checkSessionId(sessionId);
  if (credentials?.type === 'sigv4' && target.kind !== 'runtime') {
    throw invalidArgument('signed calls go to a runtime: give its ARN');
  }
  if (credentials?.type === 'presigned' && transport !== 'ws') {
    throw invalidArgument('a signed address opens a WebSocket: choose the transport ws');
  }
}

/** The way over HTTP, for everything but a WebSocket. */
export async function createChannel(options: ClientOptions): Promise<Channel> {
  const { target, credentials = { type: 'none' }, headers = {} } = options;
  switch (credentials.type) {
    case 'none':
    case 'bearer':
      return new FetchChannel({ target, credentials, headers, fetcher: fetcherOf(options) });
    case 'sigv4': {
      const { SigV4Channel } = await import('./sigv4-channel.ts');
      return new SigV4Channel({ target, credentials, headers });
    }
    case 'presigned':
      throw invalidArgument('a signed address opens a WebSocket and nothing else');
  }
}

export function createTransport(options: ClientOptions, channel: () => Promise<Channel>): Transport {
  const { transport = 'sse', silenceMs = defaultSilenceMs } = options;
  if (transport === 'sse') return new SseTransport(channel, silenceMs);
  const { target, credentials = { type: 'none' }, headers = {} } = options;
  const opener = { target, credentials, headers, fetcher: fetcherOf(options) };
  return new WsTransport({ silenceMs, connect: (request) => openWebSocket(opener, request) });
}

/** A browser's `fetch` must not be called as somebody's method. */
function fetcherOf({ fetch: given }: ClientOptions): typeof fetch {
  return given ?? ((input, init) => globalThis.fetch(input, init));
}
