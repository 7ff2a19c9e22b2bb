/**
 * A client of one agent, without any framework: runs as async generators of AG-UI events, and the controls beside them.
 * `AgentCoreAgent` puts it under AG-UI's own base class; the command line uses it as it is.
 */
import { isJsonObject, type JsonObject, stringAt } from '../protocol/json.ts';
import { boundedText } from './byte-stream.ts';
import type { Channel } from './channel.ts';
import { invalidArgument, isClientError } from './client-error.ts';
import { type ClientOptions, checkOptions, createChannel, createTransport } from './client-options.ts';
import type { Headers } from './headers.ts';
import { maxRefusalBytes } from './read-refusal.ts';
import { defaultRetryRules, type RetryRules } from './retry-policy.ts';
import { retrying } from './retrying.ts';
import { attachMessage, type Peer, RunStream } from './run-stream.ts';
import { checkSessionId, makeSessionId } from './session-id.ts';
import { type Cursor, protocolError, type ReceivedEvent, type Transport } from './transport.ts';

export interface CallOptions {
  /** Of this call, beside those of the client. */
  readonly headers?: Headers | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An AG-UI `RunAgentInput`; its other members pass by unchanged. */
export interface RunInput {
  readonly threadId: string;
  readonly runId: string;
}

export interface RunPlace {
  readonly threadId: string;
  readonly runId: string;
  /** What has been seen of it already. */
  readonly cursor?: Cursor | undefined;
}

export type CancelStatus = 'cancelled' | 'already_terminal' | 'not_found';

export class AgentCoreClient {
  readonly #options: ClientOptions;
  readonly #rules: RetryRules;
  readonly #transport: Transport;
  readonly #peer: Peer;
  /** Keeps the sessions of this client apart from those of all others. Made when needed: only secure origins can. */
  #own: string | undefined;
  #channel: Promise<Channel> | undefined;

  /** Throws `INVALID_ARGUMENT` for what can't be called, before anything is sent. */
  constructor(options: ClientOptions) {
    checkOptions(options);
    this.#options = options;
    this.#rules = { ...defaultRetryRules, ...options.retry };
    this.#peer = { isOurs: options.isIdempotent ?? false };
    this.#transport = createTransport(options, () => this.#http());
  }

  /** The server has shown that it knows runs by their ids: they can be cancelled and attached to. */
  get knowsRuns(): boolean {
    return this.#peer.isOurs;
  }

  /** The session of a thread, as it is sent. Rejects with `INVALID_ARGUMENT`. */
  async sessionOf(threadId: string): Promise<string | undefined> {
    const { sessionId, target } = this.#options;
    if (typeof sessionId === 'string') return sessionId;
    if (sessionId !== undefined) return checkSessionId(await sessionId(threadId));
    if (target.kind !== 'runtime') return undefined;
    this.#own ??= crypto.randomUUID();
    return makeSessionId({ user: this.#own, thread: threadId });
  }

  /** Runs the agent. Ends behind the terminal event; leaving early ends the connection. Throws `ClientError`. */
  run<Input extends RunInput>(input: Input, options: CallOptions = {}): AsyncGenerator<ReceivedEvent> {
    // An input is JSON by AG-UI's contract, and is written as such.
    return this.#stream(input, input as unknown as JsonObject, options);
  }

  /** A run that is going on, or has ended lately: what was missed since the cursor, then the rest. */
  attach({ threadId, runId, cursor }: RunPlace, options: CallOptions = {}): AsyncGenerator<ReceivedEvent> {
    return this.#stream({ threadId, runId }, attachMessage(threadId, runId, cursor), options);
  }

  /** Asks for a run's end. Its stream ends with its terminal event; asking twice is harmless. */
  async cancel(threadId: string, runId: string, options: CallOptions = {}): Promise<CancelStatus> {
    const answer = await this.#control({ control: 'cancel', threadId, runId }, threadId, options);
    const status = stringAt(answer, 'status');
    if (status === 'cancelled' || status === 'already_terminal' || status === 'not_found') return status;
    throw protocolError('the server does not know how to cancel a run');
  }

  /** Has the session's machine started before the first message. Any answer of the container will do. */
  async prewarm(threadId: string, options: CallOptions = {}): Promise<void> {
    try {
      await this.#control({ control: 'ping' }, threadId, options);
    } catch (thrown) {
      // A container that does not know our ping has been started all the same.
      const isAnswer = isClientError(thrown) && ['VALIDATION_ERROR', 'PROTOCOL_ERROR'].includes(thrown.code);
      if (!isAnswer) throw thrown;
    }
  }

  /** Ends the machine of a thread's session. Only at a runtime. */
  async stopSession(threadId: string, options: CallOptions = {}): Promise<'stopped' | 'already_ended'> {
    const sessionId = await this.sessionOf(threadId);
    if (sessionId === undefined || this.#options.target.kind !== 'runtime') {
      throw invalidArgument('a session can only be stopped at a runtime, by its ARN');
    }
    return this.#retrying(options, (channel, signal) => channel.stopSession({ sessionId, signal }));
  }

  async *#stream(
    { threadId, runId }: RunInput,
    message: JsonObject,
    { signal = neverAborted(), headers }: CallOptions,
  ): AsyncGenerator<ReceivedEvent> {
    const sessionId = await this.sessionOf(threadId);
    const parts = {
      transport: this.#transport,
      rules: this.#rules,
      peer: this.#peer,
      onRetry: this.#options.onRetry,
    };
    yield* new RunStream({ threadId, runId, message, sessionId, headers, signal }, parts).events();
  }

  async #control(message: JsonObject, threadId: string, options: CallOptions): Promise<JsonObject> {
    const sessionId = await this.sessionOf(threadId);
    const body = JSON.stringify(message);
    const accept = 'application/json, text/event-stream';
    const { headers } = options;
    return this.#retrying(options, async (channel, signal) => {
      const answer = await channel.invoke({ body, accept, sessionId, headers, signal });
      return parseAnswer(await boundedText(answer.body, maxRefusalBytes));
    });
  }

  async #retrying<Result>(
    { signal = neverAborted() }: CallOptions,
    send: (channel: Channel, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const channel = await this.#http();
    const { onRetry } = this.#options;
    return retrying({ rules: this.#rules, signal, onRetry, send: () => send(channel, signal) });
  }

  #http(): Promise<Channel> {
    this.#channel ??= createChannel(this.#options);
    return this.#channel;
  }
}

function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

function parseAnswer(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Not JSON either: said below.
  }
  throw protocolError('the server answered a control message with something else than a JSON object');
}
