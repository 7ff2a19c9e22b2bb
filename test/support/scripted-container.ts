/**
 * A container as small as one can be, run as a process by the front door: says what reached it, and misbehaves on demand.
 * The port is its first argument; `SCRIPT` in the environment is JSON, see `Script`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocketServer } from 'ws';

export interface Script {
  /** Body of `/ping`; `{now}` becomes the present second. Default Healthy. */
  readonly ping?: string;
  readonly pingStatus?: number;
  /** The process ends before it listens. */
  readonly crash?: boolean;
  readonly refuseSockets?: boolean;
  readonly ignoreTerm?: boolean;
}

/** What a body may ask for. */
export interface Wish {
  readonly do:
    | 'echo'
    | 'stream'
    | 'stream-then-die'
    | 'half-event-then-die'
    | 'hang'
    | 'stream-open'
    | 'die'
    | 'status';
  readonly events?: number;
  readonly bytes?: number;
  readonly status?: number;
}

const script = JSON.parse(process.env['SCRIPT'] ?? '{}') as Script;
if (script.crash === true) process.exit(3);
if (script.ignoreTerm === true) process.on('SIGTERM', () => undefined);
let calls = 0;

const server = createServer((request, response) => {
  if (request.url === '/ping') {
    const body = script.ping ?? '{"status":"Healthy"}';
    response.writeHead(script.pingStatus ?? 200, { 'content-type': 'application/json' });
    response.end(body.replace('{now}', String(Math.floor(Date.now() / 1_000))));
  } else {
    void answer(request, response);
  }
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  calls += 1;
  response.once('close', () => {
    if (!response.writableFinished) process.stdout.write('the caller has left\n');
  });
  const body = Buffer.concat(await request.toArray()).toString();
  const wish = wishIn(body);
  const count = wish.events ?? 3;
  const event = (index: number) =>
    `data: ${JSON.stringify({ type: 'RAW', index, text: 'x'.repeat(wish.bytes ?? 0) })}\n\n`;
  if (wish.do === 'hang' || wish.do === 'stream-open') process.stdout.write(`${wish.do}\n`);
  if (wish.do === 'hang') return;
  if (wish.do === 'die') process.exit(1);
  if (wish.do === 'status') {
    response.writeHead(wish.status ?? 500, { 'content-type': 'text/event-stream' });
    return void response.end('data: {"type":"RUN_ERROR","code":"VALIDATION_ERROR","message":"own"}\n\n');
  }
  if (wish.do === 'echo') {
    const seen = {
      method: request.method,
      url: request.url,
      headers: request.headers,
      body,
      calls,
      env: process.env,
    };
    response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'a=b' });
    return void response.end(JSON.stringify(seen));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let index = 0; index < count; index += 1) response.write(event(index));
  if (wish.do === 'half-event-then-die') response.write('data: {"type":');
  if (wish.do === 'stream') response.end();
  if (!wish.do.endsWith('-die')) return;
  // What was written must have left the process.
  await pause(50);
  process.exit(1);
}

function wishIn(body: string): Wish {
  try {
    const value = JSON.parse(body) as Partial<Wish>;
    return { ...value, do: value.do ?? 'echo' };
  } catch {
    return { do: 'echo' };
  }
}

const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => false });
server.on('upgrade', (request, socket, head) => {
  if (script.refuseSockets === true)
    return void socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
  sockets.handleUpgrade(request, socket, head, (ws) => {
    ws.send(JSON.stringify({ headers: request.headers, url: request.url }));
    ws.on('close', (code) => process.stdout.write(`socket closed ${code}\n`));
    ws.on('message', (data) => {
      const text = data.toString();
      if (text === 'die') process.exit(1);
      if (text === 'bye') return ws.close(4_000, 'own code');
      if (text.startsWith('big ')) return ws.send('x'.repeat(Number(text.slice(4))));
      ws.send(text);
    });
  });
});

server.listen(Number(process.argv[2]), '127.0.0.1');
