/** HTTP by `fetch`, without credentials or with a bearer token. For browsers and Node. */
import { withToken } from './bearer.ts';
import { boundedText, chunksOf } from './byte-stream.ts';
import type { Channel, HttpAnswer, Invocation, StopCall } from './channel.ts';
import { abortError, ClientError, invalidArgument, isClientError } from './client-error.ts';
import type { Credentials } from './credentials.ts';
import { type Headers, mergeHeaders } from './headers.ts';
import { maxRefusalBytes, readRefusal } from './read-refusal.ts';
import { invocationsUrl, stopSessionUrl, type Target } from './runtime-endpoint.ts';
import { sessionHeader } from './session-id.ts';

export interface FetchChannelOptions {
  readonly target: Target;
  readonly credentials: Extract<Credentials, { type: 'none' | 'bearer' }>;
  readonly headers: Headers;
  readonly fetcher: typeof fetch;
}

interface Post {
  readonly url: URL;
  readonly body: string;
  readonly accept: string;
  readonly sessionId: string | undefined;
  readonly headers?: Headers | undefined;
  readonly signal: AbortSignal;
}

export class FetchChannel implements Channel {
  readonly #options: FetchChannelOptions;

  constructor(options: FetchChannelOptions) {
    this.#options = options;
  }

  async invoke({ body, accept, sessionId, headers, signal }: Invocation): Promise<HttpAnswer> {
    return this.#post({
      url: invocationsUrl(this.#options.target),
      body,
      accept,
      sessionId,
      headers,
      signal,
    });
  }

  async stopSession({ sessionId, signal }: StopCall): Promise<'stopped' | 'already_ended'> {
    const url = stopSessionUrl(this.#options.target);
    if (url === undefined) throw invalidArgument('a session can only be stopped at a runtime, by its ARN');
    // The operation's idempotency token: the session itself, so that stopping twice is stopping once.
    const body = JSON.stringify({ clientToken: sessionId });
    try {
      const answer = await this.#post({ url, body, accept: 'application/json', sessionId, signal });
      await boundedText(answer.body, maxRefusalBytes);
      return 'stopped';
    } catch (thrown) {
      if (isClientError(thrown) && thrown.status === 404) return 'already_ended';
      throw thrown;
    }
  }

  #post(post: Post): Promise<HttpAnswer> {
    const { credentials, fetcher } = this.#options;
    if (credentials.type === 'none') return this.#send(post, undefined);
    const { url, signal } = post;
    return withToken({ credentials, url, fetcher, signal, send: (token) => this.#send(post, token) });
  }

  async #send(post: Post, token: string | undefined): Promise<HttpAnswer> {
    const { url, body, accept, sessionId, signal } = post;
    const headers = mergeHeaders(
      this.#options.headers,
      post.headers,
      { 'content-type': 'application/json', accept },
      sessionId === undefined ? {} : { [sessionHeader]: sessionId },
      token === undefined ? {} : { authorization: `Bearer ${token}` },
    );
    let response: Response;
    try {
      response = await this.#options.fetcher(url, { method: 'POST', headers, body, signal });
    } catch (cause) {
      throw signal.aborted ? abortError(signal) : noConnection(cause);
    }
    const header = (name: string): string | undefined => response.headers.get(name) ?? undefined;
    if (response.ok) {
      return {
        status: response.status,
        contentType: header('content-type'),
        requestId: header('x-amzn-requestid'),
        body: chunksOf(response.body),
      };
    }
    const text = await boundedText(chunksOf(response.body), maxRefusalBytes);
    throw signal.aborted ? abortError(signal) : readRefusal({ status: response.status, header, body: text });
  }
}

/** Causes of which Node says that no connection came about. A browser does not tell: there it may have. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function noConnection(cause: unknown): ClientError {
  const code = systemCodeOf(cause);
  return new ClientError({
    code: 'CONNECTION_FAILED',
    message:
      code === undefined ? 'the server could not be reached' : `the server could not be reached (${code})`,
    isUnsent: code !== undefined && neverConnected.has(code),
    retryable: true,
    cause,
  });
}

/** Node hides the system's word one or two causes deep, and behind several addresses in a list. */
function systemCodeOf(thrown: unknown, depth = 0): string | undefined {
  if (!(thrown instanceof Error) || depth > 3) return undefined;
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code;
  const inner = thrown instanceof AggregateError ? thrown.errors[0] : thrown.cause;
  return systemCodeOf(inner, depth + 1);
}
