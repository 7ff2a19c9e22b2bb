/**
 * The calls that an agent takes: its card, JSON-RPC at the path that the card names, and plain JSON endpoints below its
 * base. Turns every way of failing into a `KernelError` and keeps the card. Knows nothing of tasks.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { KernelError } from '../../errors/kernel-error.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { mediaTypeOf } from '../../wire/media-type.ts';
import { type AgentCard, cardPath, readAgentCard } from './agent-card.ts';
import {
  isJsonResponse,
  isSuccess,
  mediaTypeError,
  parseObject,
  readBody,
  statusError,
  tryParse,
} from './http-answer.ts';
import { neededVersion, type RpcMethod, readRpcResponse, rpcRequest } from './json-rpc.ts';
import { abortedError, type HttpCall, type PinnedHttp } from './pinned-http.ts';
import type { StreamAnswer } from './rpc-stream.ts';

export interface ConnectionOptions {
  /** Origin and folder of the agent; ends in a slash. */
  readonly base: URL;
  readonly http: PinnedHttp;
  /** Sent with every call. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cardTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly onCard: (card: AgentCard) => void;
}

/** How one call is made. */
export interface CallManner {
  readonly isRepeatable: boolean;
  /** To the headers of the answer, and longest silence inside its body. */
  readonly timeoutMs: number;
}

/** Answer of a plain JSON endpoint; `body` is undefined when it is no JSON. */
export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly failure: KernelError | undefined;
}

const maxErrorBytes = 64 * 1024;
const errorBodyIdleMs = 5_000;

export class AgentConnection {
  readonly #options: ConnectionOptions;
  /** One card for all views of the agent. */
  readonly #known: { card: Promise<AgentCard> | undefined };

  constructor(
    options: ConnectionOptions,
    known: { card: Promise<AgentCard> | undefined } = { card: undefined },
  ) {
    this.#options = options;
    this.#known = known;
  }

  /** The same agent over the same connections, with further headers on every call. */
  withHeaders(headers: Readonly<Record<string, string>>): AgentConnection {
    return new AgentConnection(
      { ...this.#options, headers: { ...headers, ...this.#options.headers } },
      this.#known,
    );
  }

  /** The card as first read; fetched again after a failure. Callers share one fetch, each may give up alone. */
  card(signal: AbortSignal): Promise<AgentCard> {
    if (this.#known.card === undefined) {
      const fetched = this.#fetchCard();
      this.#known.card = fetched;
      fetched.then(this.#options.onCard, () => this.#forget(fetched));
    }
    return unlessAborted(this.#known.card, signal);
  }

  /** One response with a result. */
  async call(
    method: RpcMethod,
    params: JsonObject,
    manner: CallManner,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const { response, id } = await this.#post(method, params, manner, 'application/json', signal);
    return readRpcResponse(await this.#jsonText(response, method, manner), id);
  }

  /** A stream of responses. An agent that answers with one response gives a single result. */
  async stream(
    method: RpcMethod,
    params: JsonObject,
    manner: CallManner,
    signal: AbortSignal,
  ): Promise<StreamAnswer> {
    const accept = 'text/event-stream, application/json';
    const { response, id } = await this.#post(method, params, manner, accept, signal);
    if (mediaTypeOf(response.headers['content-type']) === 'text/event-stream') {
      return { kind: 'stream', response, id };
    }
    return { kind: 'single', result: readRpcResponse(await this.#jsonText(response, method, manner), id) };
  }

  /**
   * A GET, or a POST when there is a body, of a path below the base, or on the origin when it begins with a slash.
   * Statuses outside 2xx are an answer too.
   */
  async json(
    path: string,
    body: JsonObject | undefined,
    manner: CallManner,
    signal: AbortSignal,
  ): Promise<JsonAnswer> {
    const response = await this.#options.http.open(
      {
        method: body === undefined ? 'GET' : 'POST',
        path: path.startsWith('/') ? path : `${this.#options.base.pathname}${path}`,
        headers: { ...this.#options.headers, Accept: 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        isRepeatable: manner.isRepeatable,
        headersTimeoutMs: manner.timeoutMs,
      },
      signal,
    );
    const status = response.statusCode ?? 0;
    if (isSuccess(response)) {
      const text = await this.#jsonText(response, path, manner);
      return { status, body: parseObject(text, path), failure: undefined };
    }
    const failure = statusError(response, path.replace(/\?.*$/, ''));
    return { status, body: tryParse(await errorText(response)), failure };
  }

  async #fetchCard(): Promise<AgentCard> {
    const { base, cardTimeoutMs: timeoutMs } = this.#options;
    const signal = new AbortController().signal;
    const manner = { isRepeatable: true, timeoutMs };
    let found = await this.json(cardPath, undefined, manner, signal);
    // The standard's place is the root of the origin; agents that are mounted in a folder have it there.
    if (found.status === 404 && base.pathname !== '/') {
      found = await this.json(`/${cardPath}`, undefined, manner, signal);
    }
    if (found.failure !== undefined) throw found.failure;
    return readAgentCard(found.body as JsonObject, base);
  }

  #forget(card: Promise<AgentCard> | undefined): void {
    if (this.#known.card === card) this.#known.card = undefined;
  }

  async #post(
    method: RpcMethod,
    params: JsonObject,
    manner: CallManner,
    accept: string,
    signal: AbortSignal,
  ): Promise<{ response: IncomingMessage; id: string }> {
    const card = await this.card(signal);
    const used = this.#known.card;
    const id = randomUUID();
    const call: HttpCall = {
      method: 'POST',
      path: card.rpcPath,
      headers: { ...this.#options.headers, 'A2A-Version': card.protocolVersion, Accept: accept },
      body: rpcRequest(id, method, params),
      isRepeatable: manner.isRepeatable,
      headersTimeoutMs: manner.timeoutMs,
    };
    try {
      const response = await this.#options.http.open(call, signal);
      if (!isSuccess(response)) throw await rpcFailure(response, method, id);
      return { response, id };
    } catch (thrown) {
      // Another agent may stand there by now, or the same one at another path.
      const isAway = thrown instanceof KernelError && thrown.kind === 'unavailable';
      if (isAway && !signal.aborted) this.#forget(used);
      throw thrown;
    }
  }

  async #jsonText(response: IncomingMessage, what: string, { timeoutMs }: CallManner): Promise<string> {
    if (!isJsonResponse(response)) {
      response.destroy();
      throw mediaTypeError(response, what);
    }
    return readBody(response, { maxBytes: this.#options.maxBodyBytes, idleMs: timeoutMs });
  }
}

/** A status outside 2xx, or the JSON-RPC error that it carries. */
async function rpcFailure(response: IncomingMessage, method: string, id: string): Promise<KernelError> {
  const failure = statusError(response, method);
  const text = await errorText(response);
  const isAboutUs = response.statusCode === 401 || response.statusCode === 403;
  if (isAboutUs || !isJsonResponse(response)) return failure;
  try {
    readRpcResponse(text, id);
    return failure;
  } catch (thrown) {
    return thrown instanceof KernelError && thrown.rpcCode !== undefined ? thrown : failure;
  }
}

/** The body of a failure as far as it is worth reading; empty when it can't be read. */
async function errorText(response: IncomingMessage): Promise<string> {
  try {
    return await readBody(response, { maxBytes: maxErrorBytes, idleMs: errorBodyIdleMs });
  } catch (thrown) {
    if (thrown instanceof KernelError) return '';
    throw thrown;
  }
}

function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(abortedError(signal));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Header of every call that belongs to no JSON-RPC interface. */
export const versionHeader = { 'A2A-Version': neededVersion } as const;
