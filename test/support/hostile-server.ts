/**
 * A server that misbehaves as told: real sockets on loopback. Each HTTP request takes the next behaviour, the last one
 * stays; each WebSocket likewise. What arrived is kept for the test to look at.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type HttpBehaviour = (response: ServerResponse, request: SeenRequest) => void | Promise<void>;
/** Called with the first message of a socket. */
export type WsBehaviour = (socket: WebSocket, message: string) => void | Promise<void>;

export interface HostileServer {
  readonly url: string;
  /** Requests with their bodies, and upgrades without. */
  readonly requests: readonly SeenRequest[];
  /** First messages of the sockets. */
  readonly messages: readonly string[];
  /** Resolves when the last request's connection has been left by the client. */
  readonly left: Promise<void>;
}

export interface HostilePlan {
  readonly http?: readonly HttpBehaviour[];
  readonly ws?: readonly WsBehaviour[];
  /** Answers to upgrades that come before sockets are opened, as raw HTTP; each is used once. */
  readonly refusals?: readonly string[];
}

export async function startHostileServer(plan: HostilePlan): Promise<HostileServer> {
  const requests: SeenRequest[] = [];
  const messages: string[] = [];
  const left = Promise.withResolvers<void>();
  const behave = inTurn(plan.http ?? []);
  const behaveWs = inTurn(plan.ws ?? []);
  const refusals = [...(plan.refusals ?? [])];

  const server = createServer(async (request, response) => {
    const seen = await read(request);
    requests.push(seen);
    response.on('close', () => {
      if (!response.writableFinished) left.resolve();
    });
    await behave()(response, seen);
  });
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => [...offered].at(-1) ?? false,
  });
  server.on('upgrade', (request, duplex, head) => {
    requests.push(seenOf(request, ''));
    duplex.on('error', () => undefined);
    const refusal = refusals.shift();
    if (refusal !== undefined) return duplex.end(refusal);
    return sockets.handleUpgrade(request, duplex, head, (socket) => {
      const act = behaveWs();
      socket.on('error', () => undefined);
      socket.on('close', () => left.resolve());
      socket.once('message', (data) => {
        messages.push(data.toString());
        void act(socket, data.toString());
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    server.close();
  });
  // A listening TCP server has an internet address.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, messages, left: left.promise };
}

function inTurn<Behaviour>(behaviours: readonly Behaviour[]): () => Behaviour {
  let turn = 0;
  return () => {
    const behaviour = behaviours[Math.min(turn, behaviours.length - 1)];
    turn += 1;
    if (behaviour === undefined) throw new Error('the test has no behaviour for this');
    return behaviour;
  };
}

async function read(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return seenOf(request, Buffer.concat(chunks).toString());
}

function seenOf({ method = '', url = '', headers }: IncomingMessage, body: string): SeenRequest {
  return { method, path: url, headers, body };
}

export const sse = (event: unknown, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(event)}\n\n`;

/** One whole answer. */
export const answer =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpBehaviour =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

export const runError = (code: string, message: string, vendor?: object): string =>
  sse({
    type: 'RUN_ERROR',
    code,
    message,
    ...(vendor === undefined ? {} : { metadata: { 'agentcore-agui': vendor } }),
  });

/** A refusal in the form of AG-UI runtimes. */
export const refusal = (
  status: number,
  code: string,
  message: string,
  vendor?: object,
  headers: Readonly<Record<string, string>> = {},
): HttpBehaviour =>
  answer(status, runError(code, message, vendor), {
    'content-type': 'text/event-stream',
    'x-amzn-requestid': 'request-of-the-refusal',
    ...headers,
  });

/** How a stream ends: as it should, without its last chunk, by a reset, or never. */
export type StreamEnd = 'clean' | 'cut' | 'reset' | 'open';

/** A stream in these very pieces, each flushed on its own. */
export const stream =
  (pieces: readonly (string | Uint8Array)[], end: StreamEnd = 'clean'): HttpBehaviour =>
  async (response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'x-amzn-requestid': 'request-of-the-stream',
    });
    for (const piece of pieces) await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    if (end === 'clean') response.end();
    // By a turn of the loop later, so that what was written leaves first.
    else if (end === 'cut') setImmediate(() => response.socket?.destroy());
    else if (end === 'reset') setImmediate(() => response.socket?.resetAndDestroy());
  };

/** Sends these very frames to whoever sends a message, and closes when a code is given. */
export const frames =
  (texts: readonly string[], code?: number): WsBehaviour =>
  (socket) => {
    for (const text of texts) socket.send(text);
    if (code !== undefined) socket.close(code);
  };

/** The events of one lawful run that says `text`. */
export function runOf(threadId: string, runId: string, text: string): readonly Record<string, unknown>[] {
  return [
    { type: 'RUN_STARTED', threadId, runId, protocolVersion: '1.0' },
    { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: text },
    { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
    { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'success' } },
  ];
}

/** A `RunAgentInput` as every client may send it. */
export function inputOf(
  threadId = 'thread-1',
  runId = 'run-1',
  text = 'hello',
): Record<string, unknown> & {
  readonly threadId: string;
  readonly runId: string;
} {
  return {
    threadId,
    runId,
    protocolVersion: '1.0',
    state: {},
    messages: [{ id: 'u1', role: 'user', content: text }],
    tools: [],
    context: [],
    forwardedProps: {},
  };
}
