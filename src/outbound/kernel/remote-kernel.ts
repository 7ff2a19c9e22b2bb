/**
 * An A2A 1.0 agent somewhere else, over JSON-RPC and SSE. Finds the agent by its card, sends the user's message exactly
 * once whatever happens, and takes iac-code's own endpoints where the agent has them. What a broken stream means and
 * whether to take it up again is the engine's decision.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { LookupFunction } from 'node:net';
import { KernelError } from '../../errors/kernel-error.ts';
import type {
  Kernel,
  KernelBatch,
  KernelDescription,
  KernelProfile,
  KernelSend,
  SessionRestore,
} from '../../ports/kernel.ts';
import type { Log } from '../../ports/runtime.ts';
import type { OutgoingHeaders } from '../../ports/telemetry.ts';
import type { A2aMessage } from '../../protocol/a2a.ts';
import { isJsonObject, type JsonObject, stringAt } from '../../protocol/json.ts';
import type { RequestContext } from '../../protocol/request-context.ts';
import { AgentConnection, versionHeader } from './agent-connection.ts';
import { createGuardedLookup, parseKernelUrl } from './network-guard.ts';
import { PinnedHttp } from './pinned-http.ts';
import { RpcStream, type StreamAnswer } from './rpc-stream.ts';
import { createMask, type Mask, maskError } from './secret-mask.ts';

export interface KernelTimeouts {
  /** Name service, TCP and TLS together. */
  readonly connectMs: number;
  /** From the connection to the headers of a stream. Streams themselves may be silent for ever. */
  readonly headersMs: number;
  readonly cardMs: number;
  readonly answerMs: number;
  readonly snapshotMs: number;
  /** iac-code needs 30 s when several streams are attached to the task. */
  readonly cancelMs: number;
  readonly restoreMs: number;
}

export const defaultTimeouts: KernelTimeouts = {
  connectMs: 10_000,
  headersMs: 60_000,
  cardMs: 10_000,
  answerMs: 10_000,
  snapshotMs: 10_000,
  cancelMs: 35_000,
  restoreMs: 60_000,
};

export interface RemoteKernelOptions {
  /** Origin and folder of the agent, http or https. */
  readonly url: string;
  /** Sent as a bearer token, to this origin only. */
  readonly token?: string;
  /** Default: found out by the agent card. */
  readonly profile?: KernelProfile;
  /** Sent with every call, such as an API key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that belong to the moment of a call, such as the trace that it is part of. */
  readonly outgoing?: OutgoingHeaders;
  readonly log: Log;
  readonly timeouts?: Partial<KernelTimeouts>;
  /** Name resolution; default is the system's. Its answers are checked either way. */
  readonly lookup?: LookupFunction;
  /** Largest answer and largest frame of a stream. */
  readonly maxFrameBytes?: number;
}

/** What one request of a kernel that is there already goes through. */
interface KernelView {
  readonly http: PinnedHttp;
  readonly agent: AgentConnection;
  readonly forwarded: Readonly<Record<string, string>>;
}

const defaultMaxFrameBytes = 64 * 1024 * 1024;
const connectRetryDelaysMs = [100, 300];
/** How much of a task's history a snapshot brings along. */
const historyLength = 100;

export class RemoteKernel implements Kernel {
  readonly #options: RemoteKernelOptions;
  readonly #timeouts: KernelTimeouts;
  readonly #http: PinnedHttp;
  readonly #agent: AgentConnection;
  readonly #mask: Mask;
  readonly #maxFrameBytes: number;

  /**
   * Throws `TypeError` for a URL, token or header that can't be used. Nothing is connected yet. `view` is for one request
   * of a kernel that is there already.
   */
  constructor(options: RemoteKernelOptions, view?: KernelView) {
    const base = parseKernelUrl(options.url);
    const headers = requestHeaders(options);
    this.#options = options;
    this.#timeouts = { ...defaultTimeouts, ...options.timeouts };
    this.#maxFrameBytes = options.maxFrameBytes ?? defaultMaxFrameBytes;
    const secrets = [...Object.values(options.headers ?? {}), ...Object.values(view?.forwarded ?? {})];
    this.#mask = createMask([options.token, ...secrets]);
    this.#http =
      view?.http ??
      new PinnedHttp({
        origin: base,
        lookup: createGuardedLookup(options.lookup),
        connectTimeoutMs: this.#timeouts.connectMs,
        connectRetryDelaysMs,
        outgoing: options.outgoing,
      });
    this.#agent =
      view?.agent ??
      new AgentConnection({
        base,
        http: this.#http,
        headers,
        cardTimeoutMs: this.#timeouts.cardMs,
        maxBodyBytes: this.#maxFrameBytes,
        onCard: ({ name, version, profile, protocolVersion }) => {
          options.log.info('kernel found', { name: this.#mask(name), version, profile, protocolVersion });
        },
      });
  }

  /** With the headers that the deployment passes on; the same agent where the request has none of them. */
  onBehalfOf({ forwarded }: RequestContext): RemoteKernel {
    if (Object.keys(forwarded).length === 0) return this;
    const agent = this.#agent.withHeaders(forwarded);
    return new RemoteKernel(this.#options, { http: this.#http, agent, forwarded });
  }

  describe(signal: AbortSignal): Promise<KernelDescription> {
    return this.#guard(async () => {
      const { name, version, profile } = await this.#agent.card(signal);
      return {
        name,
        version,
        profile: this.#options.profile ?? profile,
        accepts: { tools: false, context: false, state: false },
      };
    });
  }

  send({ message }: KernelSend, signal: AbortSignal): AsyncIterable<KernelBatch> {
    return this.#stream(signal, async (leaving) => {
      const { canStream } = await this.#agent.card(leaving);
      const timeoutMs = this.#timeouts.headersMs;
      const params = { message };
      if (canStream) {
        return this.#agent.stream(
          'SendStreamingMessage',
          params,
          { isRepeatable: false, timeoutMs },
          leaving,
        );
      }
      // The agent is silent until its turn is over.
      const manner = { isRepeatable: false, timeoutMs: Number.POSITIVE_INFINITY };
      return { kind: 'single', result: await this.#agent.call('SendMessage', params, manner, leaving) };
    });
  }

  answer(message: A2aMessage, signal: AbortSignal): Promise<JsonObject> {
    const manner = { isRepeatable: false, timeoutMs: this.#timeouts.answerMs };
    return this.#guard(() => this.#agent.call('SendMessage', { message }, manner, signal));
  }

  follow(taskId: string, signal: AbortSignal): AsyncIterable<KernelBatch> {
    return this.#stream(signal, async (leaving) => {
      const { canStream } = await this.#agent.card(leaving);
      if (!canStream) return { kind: 'single', result: { task: await this.#getTask(taskId, leaving) } };
      const manner = { isRepeatable: true, timeoutMs: this.#timeouts.headersMs };
      return this.#agent.stream('SubscribeToTask', { id: taskId }, manner, leaving);
    });
  }

  snapshot(taskId: string, signal: AbortSignal): Promise<JsonObject> {
    return this.#guard(() => this.#getTask(taskId, signal));
  }

  cancel(taskId: string, signal: AbortSignal): Promise<JsonObject> {
    // Not repeatable: the second of two cancels is refused, and would hide that the first one worked.
    const manner = { isRepeatable: false, timeoutMs: this.#timeouts.cancelMs };
    return this.#guard(() => this.#agent.call('CancelTask', { id: taskId }, manner, signal));
  }

  pipelineState(taskId: string, afterSequence: number, signal: AbortSignal): Promise<JsonObject | undefined> {
    return this.#guard(async () => {
      const query = new URLSearchParams({ taskId, afterSequence: String(afterSequence) });
      const manner = { isRepeatable: true, timeoutMs: this.#timeouts.snapshotMs };
      const answer = await this.#agent.json(`iac-code/pipeline/state?${query}`, undefined, manner, signal);
      if (answer.status === 404 || answer.status === 405) return undefined;
      if (answer.failure !== undefined) throw answer.failure;
      return isJsonObject(answer.body) ? answer.body : undefined;
    });
  }

  ensureRestored(request: SessionRestore, signal: AbortSignal): Promise<'ready' | 'missing' | 'absent'> {
    return this.#guard(async () => {
      const body = { cwd: request.cwd, sessionId: request.sessionId, taskId: request.taskId };
      const manner = { isRepeatable: true, timeoutMs: this.#timeouts.restoreMs };
      const answer = await this.#agent.json('iac-code/session/ensure-restored', body, manner, signal);
      const status = isJsonObject(answer.body) ? stringAt(answer.body, 'status') : undefined;
      // The endpoint says in JSON that it does not know the session; a server without the endpoint says something else.
      if (answer.status === 404 && status === 'not_found') return 'missing';
      if (answer.status === 404 || answer.status === 405) return 'absent';
      if (answer.failure !== undefined) throw answer.failure;
      if (status === 'current' || status === 'restored') return 'ready';
      throw new KernelError('breach', 'ensure-restored: the agent answered with an unknown status');
    });
  }

  async close(): Promise<void> {
    this.#http.close();
  }

  #getTask(id: string, signal: AbortSignal): Promise<JsonObject> {
    const manner = { isRepeatable: true, timeoutMs: this.#timeouts.snapshotMs };
    return this.#agent.call('GetTask', { id, historyLength }, manner, signal);
  }

  #stream(
    signal: AbortSignal,
    open: (leaving: AbortSignal) => Promise<StreamAnswer>,
  ): AsyncIterable<KernelBatch> {
    return new RpcStream({
      open,
      signal,
      toError: (thrown) => maskError(thrown, this.#mask),
      maxFrameChars: this.#maxFrameBytes,
    });
  }

  async #guard<Value>(call: () => Promise<Value>): Promise<Value> {
    try {
      return await call();
    } catch (thrown) {
      throw maskError(thrown, this.#mask);
    }
  }
}

function requestHeaders({ token, headers }: RemoteKernelOptions): Record<string, string> {
  const all: Record<string, string> = { ...versionHeader, ...headers };
  if (token !== undefined) all['Authorization'] = `Bearer ${token}`;
  for (const [name, value] of Object.entries(all)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  return all;
}
