/**
 * A small AG-UI container that only echoes and keeps the whole contract, written for nothing but to be broken: a fault
 * takes one part's place. Knows nothing of our own server.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';

export type Event = Readonly<Record<string, unknown>> & { readonly type: string };
export type Input = Readonly<Record<string, unknown>>;

export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The parts; every one can be put in another's place. */
export interface Parts {
  readonly host: string;
  /** Unix seconds or whatever; undefined leaves it out. `changedAt` is right. */
  stamp(changedAt: number | undefined): unknown;
  pingBody(status: string, stamp: unknown): string;
  readonly pingStatus: number;
  readonly pingHeaders: Readonly<Record<string, string>>;
  /** How busy it says to be. */
  statusOf(running: number): string;
  events(input: Input, text: string): readonly Event[];
  /** What is remembered, for whom; the reply's text. */
  reply(prompt: string, memory: Map<string, string[]>, place: string): string;
  readonly headers: Readonly<Record<string, string>>;
  frame(event: Event): string | Buffer;
  /** Written behind the last event. */
  readonly tail: string;
  readonly closes: boolean;
  /** How long it thinks between the first event and the others, by the number of the run. */
  thinkMs(run: number): number;
  /** How long a ping takes. */
  pingMs(running: number): number;
  check(body: string, request: IncomingMessage): Input | Refusal;
  readonly maxBytes: number;
  socketFrames(events: readonly Event[]): readonly (string | Buffer)[];
  readonly hasSocket: boolean;
  readonly runsPerSocket: number;
  onBadFrame(socket: WebSocket): void;
  /** Called when a reader has left in the middle. */
  onLeft(threadId: string): void;
  isLocked(threadId: string): boolean;
}

const json = { 'content-type': 'application/json' };

export function refusal(status: number, code: string, message: string): Refusal {
  const body = `data: ${JSON.stringify({ type: 'RUN_ERROR', code, message })}\n\n`;
  return {
    status,
    headers: { 'content-type': 'text/event-stream', 'x-amzn-requestid': crypto.randomUUID() },
    body,
  };
}

export const invalid = (): Refusal => refusal(400, 'VALIDATION_ERROR', 'Invalid request data or parameters');

export const honest: Parts = {
  host: '0.0.0.0',
  stamp: (changedAt) => changedAt,
  pingBody: (status, stamp) => JSON.stringify({ status, time_of_last_update: stamp }),
  pingStatus: 200,
  pingHeaders: json,
  statusOf: (running) => (running > 0 ? 'HealthyBusy' : 'Healthy'),
  events: ({ threadId, runId }, text) => [
    { type: 'RUN_STARTED', threadId, runId },
    { type: 'TEXT_MESSAGE_START', messageId: `m-${String(runId)}`, role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: `m-${String(runId)}`, delta: text },
    { type: 'TEXT_MESSAGE_END', messageId: `m-${String(runId)}` },
    { type: 'RUN_FINISHED', threadId, runId },
  ],
  reply: (prompt) => prompt,
  headers: { 'content-type': 'text/event-stream' },
  frame: (event) => `data: ${JSON.stringify(event)}\n\n`,
  tail: '',
  closes: true,
  // Long enough once for a ping beside it, also on a busy machine.
  thinkMs: (run) => (run === 1 ? 400 : 20),
  pingMs: () => 0,
  check: checkInput,
  maxBytes: 100_000_000,
  socketFrames: (events) => events.map((event) => JSON.stringify(event)),
  hasSocket: true,
  runsPerSocket: Number.POSITIVE_INFINITY,
  onBadFrame: (socket) =>
    socket.send(JSON.stringify({ type: 'RUN_ERROR', code: 'VALIDATION_ERROR', message: 'no JSON' })),
  onLeft: () => undefined,
  isLocked: () => false,
};

export function checkInput(body: string, request: IncomingMessage): Input | Refusal {
  const session = request.headers['x-amzn-bedrock-agentcore-runtime-session-id'];
  if (typeof session === 'string' && session.length < 33) return invalid();
  try {
    const input: unknown = JSON.parse(body);
    return isLawful(input) ? input : invalid();
  } catch {
    return invalid();
  }
}

function isLawful(input: unknown): input is Input {
  const { threadId, runId, messages } = Object(input);
  return (
    typeof threadId === 'string' &&
    typeof runId === 'string' &&
    Array.isArray(messages) &&
    messages.every((each) => each.role === 'user' && typeof each.content === 'string')
  );
}

export interface Container {
  readonly url: string;
  stop(): void;
}

export async function startEcho(faults: Partial<Parts> = {}): Promise<Container> {
  const echo = new Echo({ ...honest, ...faults });
  return echo.start();
}

class Echo {
  readonly #parts: Parts;
  readonly #memory = new Map<string, string[]>();
  #running = 0;
  #runs = 0;
  #changedAt: number | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(): Promise<Container> {
    const server = createServer((request, response) => void this.#serve(request, response));
    const sockets = new WebSocketServer({ noServer: true });
    server.on('upgrade', (request, socket, head) => {
      if (this.#parts.hasSocket && request.url === '/ws') {
        sockets.handleUpgrade(request, socket, head, (open) => this.#talk(open, request));
      } else socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, this.#parts.host, resolve));
    const { port } = server.address() as AddressInfo;
    const stop = (): void => {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
    };
    return { url: `http://127.0.0.1:${port}`, stop };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/ping') return this.#ping(response);
    if (request.url !== '/invocations') return void response.writeHead(404).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (body.length > this.#parts.maxBytes) return refuse(response, invalid());
    const input = this.#parts.check(decode(body), request);
    if (isRefusal(input)) return refuse(response, input);
    if (this.#parts.isLocked(String(input['threadId'])))
      return refuse(response, refusal(409, 'SESSION_BUSY', 'busy'));
    await this.#work(() => this.#stream(input, request, response));
  }

  async #stream(input: Input, request: IncomingMessage, response: ServerResponse): Promise<void> {
    let hasLeft = false;
    response.on('close', () => {
      hasLeft = !response.writableFinished;
      if (hasLeft) this.#parts.onLeft(String(input['threadId']));
    });
    response.writeHead(200, this.#parts.headers);
    const [first, ...rest] = this.#eventsFor(input, request).map((event) => this.#parts.frame(event));
    if (first !== undefined) response.write(first);
    this.#runs += 1;
    await pause(this.#parts.thinkMs(this.#runs));
    for (const frame of [...rest, this.#parts.tail]) response.write(frame);
    if (this.#parts.closes) response.end();
  }

  #eventsFor(input: Input, request: IncomingMessage): readonly Event[] {
    const messages = input['messages'] as readonly { readonly content: string }[];
    const place = `${request.headers['x-amzn-bedrock-agentcore-runtime-session-id']} ${String(input['threadId'])}`;
    return this.#parts.events(input, this.#parts.reply(messages.at(-1)?.content ?? '', this.#memory, place));
  }

  #talk(socket: WebSocket, request: IncomingMessage): void {
    let runs = 0;
    socket.on('message', (data) => {
      const input = checkInput(data.toString(), request);
      if (isRefusal(input)) return this.#parts.onBadFrame(socket);
      runs += 1;
      if (runs > this.#parts.runsPerSocket) return socket.close(1000);
      void this.#work(async () => {
        this.#runs += 1;
        await pause(this.#parts.thinkMs(this.#runs));
        for (const frame of this.#parts.socketFrames(this.#eventsFor(input, request))) socket.send(frame);
      });
    });
  }

  async #work(task: () => Promise<void>): Promise<void> {
    this.#turn(1);
    await task();
    this.#turn(-1);
  }

  #turn(by: number): void {
    const before = this.#parts.statusOf(this.#running);
    this.#running += by;
    if (this.#parts.statusOf(this.#running) !== before) this.#changedAt = Math.floor(Date.now() / 1_000);
  }

  async #ping(response: ServerResponse): Promise<void> {
    await pause(this.#parts.pingMs(this.#running));
    const { pingStatus, pingHeaders, pingBody, statusOf, stamp } = this.#parts;
    response
      .writeHead(pingStatus, pingHeaders)
      .end(pingBody(statusOf(this.#running), stamp(this.#changedAt)));
  }
}

function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return '';
  }
}

function isRefusal(value: Input | Refusal): value is Refusal {
  return typeof value.status === 'number' && 'body' in value;
}

function refuse(response: ServerResponse, { status, headers, body }: Refusal): void {
  response.writeHead(status, headers).end(body);
}
