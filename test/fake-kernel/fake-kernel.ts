/**
 * A scripted A2A 1.0 kernel on a real socket. `script` plays the turns; `on` and `once` take over single methods or paths
 * down to their bytes; `calls` shows everything that was asked, so that a test can prove what was never sent twice.
 *
 *     const fake = await startFakeKernel({ script: says('Hel', 'lo') });
 *     fake.once('GetTask', (exchange) => exchange.reset());
 *     expect(fake.callsOf('SendStreamingMessage')).toHaveLength(1);
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, type JsonObject, objectAt, stringAt } from '../../src/protocol/json.ts';
import { type Call, Exchange } from './exchange.ts';
import { messageOf, type Script, says, Turn } from './turn.ts';

export type Handler = (exchange: Exchange) => void | Promise<void>;

export interface FakeKernelOptions {
  readonly port?: number;
  readonly script?: Script;
  /** Asked for on every path when given. */
  readonly token?: string | undefined;
  /** Members that replace those of the default card. */
  readonly card?: JsonObject;
  /** Undefined for a kernel that has no sessions. */
  readonly sessionId?: string | undefined;
}

export class FakeKernel {
  readonly calls: Call[] = [];
  readonly tasks = new Map<string, Turn>();
  /** Answers of the pipeline state endpoint by task id. */
  readonly pipelines = new Map<string, { snapshot: JsonObject; events: readonly JsonObject[] }>();
  /** Session ids that ensure-restored can bring back. */
  readonly sessions = new Set<string>();
  script: Script;
  card: JsonObject;
  readonly #options: FakeKernelOptions;
  readonly #server: Server;
  readonly #handlers = new Map<string, Handler>();
  readonly #onces = new Map<string, Handler[]>();
  readonly #waiters = new Set<() => void>();
  #serial = 0;

  private constructor(options: FakeKernelOptions) {
    this.#options = options;
    this.script = options.script ?? says('Hello');
    this.card = options.card ?? {};
    this.#server = createServer((incoming, response) => void this.#receive(incoming, response));
    this.#installDefaults();
  }

  static async start(options: FakeKernelOptions = {}): Promise<FakeKernel> {
    const fake = new FakeKernel(options);
    await new Promise<void>((resolve, reject) => {
      fake.#server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    fake.card = { ...iacCodeCard(fake.url), ...options.card };
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** `method`: a JSON-RPC method, or `GET /path`. Replaces what the kernel does by itself. */
  on(method: string, handler: Handler): void {
    this.#handlers.set(method, handler);
  }

  /** For the next call only; several are used in the order given. */
  once(method: string, handler: Handler): void {
    this.#onces.set(method, [...(this.#onces.get(method) ?? []), handler]);
  }

  callsOf(method: string): readonly Call[] {
    return this.calls.filter((call) => call.method === method);
  }

  /** Resolves when `method` has been called `count` times. */
  called(method: string, count = 1): Promise<Call> {
    return new Promise((resolve) => {
      const look = (): void => {
        const call = this.callsOf(method)[count - 1];
        if (call === undefined) return;
        this.#waiters.delete(look);
        resolve(call);
      };
      this.#waiters.add(look);
      look();
    });
  }

  connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const url = new URL(incoming.url ?? '/', this.url);
    const text = Buffer.concat(chunks).toString('utf8');
    const body: unknown = text === '' ? {} : JSON.parse(text);
    const request = isJsonObject(body) ? body : {};
    const rpcMethod = stringAt(request, 'method');
    const call: Call = {
      method: rpcMethod ?? `${incoming.method} ${url.pathname}`,
      params: rpcMethod === undefined ? request : (objectAt(request, 'params') ?? {}),
      path: incoming.url ?? '/',
      query: url.searchParams,
      headers: incoming.headers,
    };
    this.calls.push(call);
    const exchange = new Exchange(call, request['id'] ?? null, incoming, response);
    for (const waiter of [...this.#waiters]) waiter();
    await this.#answer(exchange);
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { method, headers } = exchange.call;
    const { token } = this.#options;
    if (token !== undefined && headers.authorization !== `Bearer ${token}`) {
      return exchange.json({ error: 'Unauthorized' }, 401);
    }
    const handler = this.#onces.get(method)?.shift() ?? this.#handlers.get(method);
    if (handler !== undefined) return handler(exchange);
    if (method.includes(' ')) return exchange.json({ error: 'Not Found' }, 404);
    exchange.error(-32601, 'Method not found');
  }

  #installDefaults(): void {
    this.on('GET /.well-known/agent-card.json', (exchange) => exchange.json(this.card));
    this.on('GET /health', (exchange) =>
      exchange.json({ status: 'healthy', version: '0.0.0', mode: 'normal' }),
    );
    this.on('SendStreamingMessage', (exchange) => this.#send(exchange));
    this.on('SendMessage', (exchange) => this.#answerQuestion(exchange));
    this.on('GetTask', (exchange) => this.#withTask(exchange, (turn) => exchange.result(turn.task)));
    this.on('SubscribeToTask', (exchange) =>
      this.#withTask(exchange, (turn) => {
        if (!turn.isRunning) return exchange.error(-32001, 'Task is not active');
        exchange.frames({ task: turn.task });
        turn.attach(exchange);
      }),
    );
    this.on('CancelTask', (exchange) =>
      this.#withTask(exchange, (turn) => {
        if (!turn.isRunning) return exchange.error(-32002, 'Task cannot be canceled');
        turn.cancel();
        turn.isRunning = false;
        exchange.result(turn.task);
      }),
    );
    this.on('GET /iac-code/pipeline/state', (exchange) => this.#pipelineState(exchange));
    this.on('POST /iac-code/session/ensure-restored', (exchange) => {
      const isKnown = this.sessions.has(stringAt(exchange.call.params, 'sessionId') ?? '');
      exchange.json({ status: isKnown ? 'restored' : 'not_found' }, isKnown ? 200 : 404);
    });
  }

  async #send(exchange: Exchange): Promise<void> {
    const message = messageOf(exchange.call.params);
    const known = message.taskId === undefined ? undefined : this.tasks.get(message.taskId);
    if (known?.accepts(message) === true) {
      known.attach(exchange);
      return known.deliver(message);
    }
    if (message.taskId !== undefined && known === undefined) return exchange.error(-32001, 'Task not found');
    if (known !== undefined && (known.isOver || known.isRunning)) {
      return exchange.error(-32602, 'Task takes no message now');
    }
    const turn = known ?? this.#newTurn(message);
    turn.message = message;
    turn.isRunning = true;
    turn.attach(exchange);
    if (known === undefined) turn.emit(turn.frames.task('TASK_STATE_SUBMITTED'));
    await this.script(turn);
    turn.isRunning = false;
    turn.endStreams();
  }

  #newTurn(message: Turn['message']): Turn {
    this.#serial += 1;
    const names = {
      taskId: `task-${this.#serial}`,
      contextId: message.contextId ?? `context-${this.#serial}`,
    };
    const sessionId = 'sessionId' in this.#options ? this.#options.sessionId : `session-${names.contextId}`;
    const turn = new Turn(names, sessionId, message);
    this.tasks.set(names.taskId, turn);
    if (sessionId !== undefined) this.sessions.add(sessionId);
    return turn;
  }

  /** A message that wants no stream: an answer that is acknowledged at once. */
  #answerQuestion(exchange: Exchange): void {
    const message = messageOf(exchange.call.params);
    const turn = this.tasks.get(message.taskId ?? '');
    if (turn?.accepts(message) !== true) {
      exchange.error(-32602, 'Nothing waits for this answer');
      return;
    }
    turn.deliver(message);
    const data = { kind: 'permission_ack', accepted: true };
    const parts = [{ data, mediaType: 'application/json' }];
    exchange.result({ message: { messageId: 'ack', role: 'ROLE_AGENT', ...turn.names, parts } });
  }

  #withTask(exchange: Exchange, then: (turn: Turn) => void): void {
    const turn = this.tasks.get(stringAt(exchange.call.params, 'id') ?? '');
    if (turn === undefined) exchange.error(-32001, 'Task not found');
    else then(turn);
  }

  #pipelineState(exchange: Exchange): void {
    const { query } = exchange.call;
    const found = this.pipelines.get(query.get('taskId') ?? '');
    if (found === undefined) {
      exchange.json({ error: 'No pipeline' }, 404);
      return;
    }
    const after = Number(query.get('afterSequence') ?? 0);
    const events = found.events.filter((event) => Number(event['sequence']) > after);
    exchange.json({ snapshot: found.snapshot, events });
  }
}

/** The default card: an iac-code that was bound to another address than the one it is reached at. */
export function iacCodeCard(url: string): JsonObject {
  const { port } = new URL(url);
  return {
    name: 'iac-code',
    version: '0.0.0',
    supportedInterfaces: [
      { url: `http://0.0.0.0:${port}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `http://0.0.0.0:${port}`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    capabilities: {
      streaming: true,
      extensions: [{ uri: 'urn:iac-code:a2a:pipeline-events:v1' }],
    },
  };
}

/** A card of some other A2A 1.0 agent. */
export function plainCard(url: string, more: JsonObject = {}): JsonObject {
  return {
    name: 'plain',
    version: '1.2.3',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    ...more,
  };
}
