/** Ten thousand bodies, headers, frames and beginnings of requests: no crash, no fault of the server, nobody waits. */
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { MemoryThreadStore } from '../../src/outbound/memory/memory-thread-store.ts';
import { apiAudience, newKey, startIssuer } from '../support/oidc.ts';
import { call, input } from '../support/requests.ts';
import { ScriptedKernel, turn } from '../support/scripted-kernel.ts';
import { startServer, type TestServer } from '../support/servers.ts';
import { lawfulClaims, signed } from '../support/tokens.ts';

const maxMs = 1_000;
const counts = { bodies: 4_000, headers: 2_500, frames: 3_000, heads: 500 };
const patience = { timeout: 120_000 };
const quiet = { messagesPerSecond: 1_000_000 };

const startTarget = (environment: Record<string, string> = {}): Promise<TestServer> =>
  startServer({
    environment: { AGUI_MAX_BODY_BYTES: '65536', ...environment },
    replace: { kernel: new ScriptedKernel(turn('ok')), store: new MemoryThreadStore(), socketLimits: quiet },
  });

interface Shot {
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array;
}

function shoot(server: TestServer, agent: Agent, shot: Shot): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${server.url}${shot.path}`,
      { agent, method: shot.method, headers: shot.headers },
      (incoming) => {
        incoming.resume();
        incoming.once('end', () => resolve(incoming.statusCode ?? 0));
        incoming.once('error', reject);
      },
    );
    outgoing.once('error', reject);
    outgoing.end(shot.body);
  });
}

/** The status; a slow answer is asked for again, so that a busy machine does not decide. */
async function timed(ask: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const started = performance.now();
    const status = await ask();
    times.push(performance.now() - started);
    if ((times.at(-1) ?? 0) < maxMs) return status;
  }
  throw new Error(`took ${times.map(Math.round).join(', ')} ms`);
}

async function stillWell(server: TestServer): Promise<void> {
  expect((await call(`${server.url}/ping`, { method: 'GET' })).status).toBe(200);
  expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
}

function newAgent(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  onTestFinished(() => agent.destroy());
  return agent;
}

/** A lawful message with one place, at any depth, replaced or taken away. */
const spoilt = (whole: () => object) =>
  fc
    .tuple(
      fc.noBias(fc.nat(9_999)),
      fc.oneof(fc.constant(undefined), fc.string(), fc.jsonValue({ maxDepth: 3 })),
    )
    .map(([where, value]) => {
      const copy = JSON.parse(JSON.stringify(whole())) as Record<string, unknown>;
      const places: (() => void)[] = [];
      const walk = (node: unknown): void => {
        if (typeof node !== 'object' || node === null) return;
        for (const key of Object.keys(node)) {
          const holder = node as Record<string, unknown>;
          places.push(() => {
            if (value === undefined) delete holder[key];
            else holder[key] = value;
          });
          walk(holder[key]);
        }
      };
      walk(copy);
      places[where % places.length]?.();
      return JSON.stringify(copy);
    });

const wholeInput = () =>
  input({
    tools: [{ name: 't', description: 'd', parameters: { type: 'object' } }].slice(1),
    context: [{ description: 'd', value: 'v' }],
    messages: [
      { id: '1', role: 'user', content: [{ type: 'text', text: 'hello' }] },
      {
        id: '2',
        role: 'assistant',
        toolCalls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { id: '3', role: 'tool', toolCallId: 'c', content: 'result' },
      { id: '4', role: 'user', content: 'again' },
    ],
    forwardedProps: {
      iacCode: {
        schemaVersion: 1,
        rosInvocationId: 'i',
        cwd: '/tmp',
        thinking: { enabled: true, budget: 5 },
      },
    },
  });
const wholeResume = () =>
  input({
    messages: [],
    resume: [{ interruptId: 'q', status: 'resolved', payload: { decision: 'allow_once' } }],
  });
const wholeControl = () => ({ control: 'attach', threadId: 't', runId: 'r', after: 3, offset: 1 });

const text = fc.oneof(
  { weight: 4, arbitrary: spoilt(wholeInput) },
  { weight: 2, arbitrary: spoilt(wholeResume) },
  { weight: 1, arbitrary: spoilt(wholeControl) },
  { weight: 1, arbitrary: fc.nat(9).map(() => JSON.stringify(wholeInput())) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 6 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  { weight: 1, arbitrary: fc.nat(300).map((depth) => `${'[{"a":'.repeat(depth)}1`) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 2 }).map((json) => `{"__proto__":${json},"threadId":"t"}`) },
);
const bytes = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(text, fc.nat()).map(([whole, at]) => whole.slice(0, at % (whole.length + 1))),
  },
);
const path = fc.constantFrom('/invocations', '/', '/extensions/iac-code/v1/executions/x/cancel');

const headerValue = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.constantFrom(
    '',
    ',',
    ';',
    'a'.repeat(5_000),
    '*/*;q=2',
    'text/event-stream;q=0',
    'application/json;charset=x',
    'gzip',
    '../..',
    '%00',
    'NaN',
    '-1',
  ),
  fc.string({ unit: fc.constantFrom('=', ',', ';', '"', ' ', 'q', '0', '%', '-', '*', '/') }),
);
const headerName = fc.constantFrom(
  'accept',
  'accept-language',
  'authorization',
  'baggage',
  'content-type',
  'content-encoding',
  'cookie',
  'expect',
  'host',
  'origin',
  'traceparent',
  'tracestate',
  'access-control-request-method',
  'access-control-request-headers',
  'oauth2callbackurl',
  'workloadaccesstoken',
  'x-amzn-trace-id',
  'x-amzn-bedrock-agentcore-runtime-session-id',
  'x-amzn-bedrock-agentcore-runtime-request-id',
  'x-amzn-bedrock-agentcore-runtime-user-id',
  'x-amzn-bedrock-agentcore-runtime-custom-a',
  'x-forwarded-for',
  'sec-websocket-protocol',
);
/** What Node would not send as a header is no attempt on the server. */
const sendable = (value: string): string => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');

describe('anything that comes in', () => {
  it('as a body is answered below 500 within a second', patience, async () => {
    const server = await startTarget();
    const agent = newAgent();
    const headers = { 'content-type': 'application/json' };
    const seen = new Map<number, number>();

    await fc.assert(
      fc.asyncProperty(path, bytes, async (where, body) => {
        const status = await timed(() =>
          shoot(server, agent, { path: where, method: 'POST', headers, body }),
        );
        expect(status).toBeLessThan(500);
        seen.set(status, (seen.get(status) ?? 0) + 1);
      }),
      { numRuns: counts.bodies },
    );

    // Whole inputs are among them, and whole refusals of every kind.
    expect(seen.get(200)).toBeGreaterThan(counts.bodies / 100);
    expect(seen.get(400)).toBeGreaterThan(counts.bodies / 20);
    await stillWell(server);
  });

  it('as a header is answered below 500 within a second, and opens no door', patience, async () => {
    const key = newKey();
    const issuer = await startIssuer(key);
    const open = await startTarget({ AGUI_CORS_ORIGINS: 'https://a.example', AGUI_FORWARD_HEADERS: 'x-a' });
    const closed = await startTarget({
      AGUI_AUTH: 'jwt',
      AGUI_JWT_DISCOVERY_URL: issuer.discoveryUrl,
      AGUI_JWT_ALLOWED_AUDIENCE: apiAudience,
    });
    const agent = newAgent();
    const lawful = signed(key, lawfulClaims(issuer.issuer));
    const token = fc.oneof(
      headerValue,
      fc
        .tuple(
          fc.nat(),
          fc.string({ unit: fc.constantFrom('A', '.', '-', '=', 'z'), minLength: 1, maxLength: 3 }),
        )
        .map(
          // Never in the last characters: base64url has spare bits there, and the same signature other spellings.
          ([at, other]) => {
            const place = at % (lawful.length - 8);
            return lawful.startsWith(other, place)
              ? ''
              : lawful.slice(0, place) + other + lawful.slice(place + other.length);
          },
        ),
    );
    const shots = fc.tuple(
      path,
      fc.constantFrom('POST', 'GET', 'PUT', 'OPTIONS', 'HEAD'),
      fc.dictionary(headerName, headerValue, { maxKeys: 6 }),
      token,
    );

    await fc.assert(
      fc.asyncProperty(shots, async ([where, method, given, credential]) => {
        const { expect: _asks, ...headers } = Object.fromEntries(
          Object.entries(given).map(([name, value]) => [name, sendable(value)]),
        );
        const shot = {
          path: where,
          method,
          headers: { 'content-type': 'application/json', ...headers },
          body: method === 'POST' ? '{"control":"ping"}' : '',
        };
        expect(await timed(() => shoot(open, agent, shot))).toBeLessThan(500);
        const tried = { ...shot, path: '/invocations', method: 'POST', body: '{"control":"ping"}' };
        const authorization = sendable(`Bearer ${credential}`);
        const status = await timed(() =>
          shoot(closed, agent, { ...tried, headers: { ...tried.headers, authorization } }),
        );
        expect(status).toBe(authorization.trim() === `Bearer ${lawful}` ? 200 : 401);
      }),
      { numRuns: counts.headers / 2 },
    );

    await Promise.all([stillWell(open), stillWell(closed)]);
  });

  it('as a frame is answered within a second and leaves the others alone', patience, async () => {
    const server = await startTarget();
    const bystander = new WebSocket(`${server.url.replace('http', 'ws')}/ws`);
    onTestFinished(() => bystander.terminate());
    await new Promise((resolve) => bystander.once('open', resolve));
    let socket: WebSocket | undefined;
    onTestFinished(() => socket?.terminate());

    await fc.assert(
      fc.asyncProperty(bytes, async (frame) => {
        const used = socket ?? (await opened(server));
        socket = used;
        const answered = nextPong(used);
        used.send(frame, { binary: typeof frame !== 'string' });
        used.send('{"control":"ping"}');
        if ((await timed(async () => ((await answered) === 'closed' ? 1 : 0))) === 1) socket = undefined;
      }),
      { numRuns: counts.frames },
    );

    const pong = nextPong(bystander);
    bystander.send('{"control":"ping"}');
    expect(await pong).toBe('pong');
    await stillWell(server);
  });

  it('as the beginning of a request is answered or dropped within a second', patience, async () => {
    const server = await startTarget();
    const head = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }),
      fc.uint8Array({ minLength: 1, maxLength: 300 }).map((raw) => Buffer.from(raw).toString('latin1')),
      fc
        .tuple(path, fc.string({ maxLength: 60 }), fc.string({ maxLength: 60 }))
        .map(
          ([where, name, value]) =>
            `POST ${where} HTTP/1.1\r\nHost: x\r\n${name}: ${value}\r\nContent-Length: 3\r\n\r\n{}`,
        ),
      fc
        .string({ maxLength: 60 })
        .map(
          (target) =>
            `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: ${target}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
        ),
    );

    await fc.assert(
      fc.asyncProperty(head, async (raw) => {
        const answer = await new Promise<string>((resolve) => {
          const socket = connect(server.port, '127.0.0.1');
          let seen = '';
          socket.on('data', (chunk: Buffer) => {
            seen += chunk.toString('latin1');
          });
          socket.on('error', () => undefined);
          socket.once('close', () => resolve(seen));
          socket.end(Buffer.from(raw, 'latin1'));
        });
        expect(answer).not.toMatch(/^HTTP\/1\.1 5/);
      }),
      { numRuns: counts.heads },
    );

    await stillWell(server);
  });
});

async function opened(server: TestServer): Promise<WebSocket> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`);
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('open', resolve));
  return socket;
}

/** The answer to a ping that is sent behind something else; a frame that can't be a message closes the socket. */
function nextPong(socket: WebSocket): Promise<'pong' | 'closed'> {
  return new Promise((resolve) => {
    const onMessage = (data: unknown): void => {
      if (String(data).includes('"control":"pong"')) finish('pong');
    };
    const onClose = (): void => finish('closed');
    const finish = (how: 'pong' | 'closed'): void => {
      socket.off('message', onMessage).off('close', onClose);
      resolve(how);
    };
    socket.on('message', onMessage).once('close', onClose);
  });
}
