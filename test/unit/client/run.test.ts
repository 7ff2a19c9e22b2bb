/** Runs against a server that misbehaves, over both transports where both can show it. */
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { AgentCoreClient } from '../../../src/client/client.ts';
import { ClientError } from '../../../src/client/client-error.ts';
import type { ClientOptions } from '../../../src/client/client-options.ts';
import type { ReceivedEvent } from '../../../src/client/transport.ts';
import {
  answer,
  frames,
  inputOf,
  refusal,
  runOf,
  sse,
  startHostileServer,
  stream,
} from '../../support/hostile-server.ts';

const fast = { baseMs: 1, maxMs: 4 };
const run1 = runOf('thread-1', 'run-1', 'Grüße 👋');

function clientOf(url: string, options: Partial<ClientOptions> = {}): AgentCoreClient {
  return new AgentCoreClient({ target: { kind: 'url', url }, retry: fast, ...options });
}

async function collect(events: AsyncIterable<ReceivedEvent>): Promise<readonly ReceivedEvent[]> {
  const all: ReceivedEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

async function failureOf(events: AsyncIterable<ReceivedEvent>): Promise<ClientError> {
  try {
    await collect(events);
  } catch (thrown) {
    if (thrown instanceof ClientError) return thrown;
    throw thrown;
  }
  throw new Error('the run did not fail');
}

const whole = stream(run1.map((event) => sse(event)));
describe('a run over SSE', () => {
  it('gives the events and leaves behind the terminal one, though the server keeps the stream open', async () => {
    const server = await startHostileServer({
      http: [
        stream(
          run1.map((event) => sse(event)),
          'open',
        ),
      ],
    });

    const events = await collect(clientOf(server.url).run(inputOf()));

    expect(events).toEqual(run1);
    await server.left;
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/invocations' });
    expect(JSON.parse(server.requests[0]!.body)).toEqual(inputOf());
  });

  it.each(['\n', '\r\n', '\r'])(
    'reads line ends %j, single bytes, comments and split characters',
    async (end) => {
      const text = `: heartbeat\n\n${run1.map((event) => sse(event)).join('')}`.replaceAll('\n', end);
      const bytes = [...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte));
      const server = await startHostileServer({ http: [stream(bytes)] });

      expect(await collect(clientOf(server.url).run(inputOf()))).toEqual(run1);
    },
  );

  it('takes a last event without its blank line', async () => {
    const text = run1
      .map((event) => sse(event))
      .join('')
      .trimEnd();
    const server = await startHostileServer({ http: [stream([text])] });

    expect(await collect(clientOf(server.url).run(inputOf()))).toEqual(run1);
  });

  it.each(['clean', 'cut', 'reset'] as const)(
    'calls a stream that ends %s without a terminal event truncated',
    async (end) => {
      const server = await startHostileServer({ http: [stream([sse(run1[0]), sse(run1[1])], end)] });

      const problem = await failureOf(clientOf(server.url).run(inputOf()));

      expect(problem).toMatchObject({
        code: 'TRUNCATED',
        retryable: true,
        requestId: 'request-of-the-stream',
      });
      expect(server.requests).toHaveLength(1);
    },
  );

  it('calls a stream that ends inside an event truncated', async () => {
    const server = await startHostileServer({ http: [stream([sse(run1[0]), 'data: {"type":"RUN_FIN'])] });

    expect((await failureOf(clientOf(server.url).run(inputOf()))).code).toBe('TRUNCATED');
  });

  it.each([
    ['HTML', answer(200, '<html>', { 'content-type': 'text/html' })],
    ['a frame that is not JSON', stream([sse(run1[0]), 'data: [DONE\n\n'])],
    ['a list', stream(['data: []\n\n'])],
    ['an event without a type', stream(['data: {}\n\n'])],
  ])('calls %s a breach of the protocol and does not repeat it', async (_what, behaviour) => {
    const server = await startHostileServer({ http: [behaviour] });

    expect((await failureOf(clientOf(server.url).run(inputOf()))).code).toBe('PROTOCOL_ERROR');
    expect(server.requests).toHaveLength(1);
  });

  it('ends a stream on which nothing is heard any more', async () => {
    const server = await startHostileServer({ http: [stream([sse(run1[0])], 'open')] });

    const problem = await failureOf(clientOf(server.url, { silenceMs: 1_000 }).run(inputOf()));

    expect(problem.code).toBe('TRUNCATED');
    await server.left;
  });

  it('tells an abort and a time limit apart, and leaves the server', async () => {
    const server = await startHostileServer({ http: [stream([sse(run1[0])], 'open')] });
    const stop = new AbortController();

    const events = clientOf(server.url).run(inputOf(), { signal: stop.signal });
    expect((await events.next()).value).toEqual(run1[0]);
    stop.abort();

    expect((await failureOf(events)).code).toBe('ABORTED');
    await server.left;
    const late = clientOf(server.url).run(inputOf(), { signal: AbortSignal.timeout(20) });
    expect((await failureOf(late)).code).toBe('TIMEOUT');
  });

  it('sends session and headers, and nothing else than the caller asked for', async () => {
    const server = await startHostileServer({ http: [whole] });
    const sessionId = 'a'.repeat(33);

    await collect(clientOf(server.url, { sessionId, headers: { 'X-Tenant': 't' } }).run(inputOf()));

    expect(server.requests[0]?.headers).toMatchObject({
      'x-amzn-bedrock-agentcore-runtime-session-id': sessionId,
      'x-tenant': 't',
      accept: 'text/event-stream',
      'content-type': 'application/json',
    });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });
});

describe('a refusal before the stream', () => {
  it('is read out of its body, with code, fault, status and request id', async () => {
    const vendor = { fault: 'RESUME_REQUIRED', retryable: false };
    const server = await startHostileServer({
      http: [refusal(400, 'VALIDATION_ERROR', 'Invalid request data or parameters: answer first', vendor)],
    });

    const problem = await failureOf(clientOf(server.url).run(inputOf()));

    expect(problem).toMatchObject({
      code: 'VALIDATION_ERROR',
      fault: 'RESUME_REQUIRED',
      status: 400,
      requestId: 'request-of-the-refusal',
      retryable: false,
      message: 'Invalid request data or parameters: answer first',
    });
  });

  it('is retried while the session is being started or stopped, and not for the plain conflict', async () => {
    const busy = refusal(409, 'SESSION_BUSY', 'Session operation in progress, please retry');
    const plain = refusal(409, 'SESSION_BUSY', 'Resource conflict - Resource already exists');
    const server = await startHostileServer({ http: [busy, busy, whole] });
    const other = await startHostileServer({ http: [plain] });

    expect(await collect(clientOf(server.url).run(inputOf()))).toEqual(run1);
    expect(server.requests).toHaveLength(3);
    expect(await failureOf(clientOf(other.url).run(inputOf()))).toMatchObject({
      code: 'SESSION_BUSY',
      retryable: false,
    });
    expect(other.requests).toHaveLength(1);
  });

  it('waits as long as the server asks, and gives up when that is too long', async () => {
    const asks = (seconds: string) =>
      refusal(429, 'RATE_LIMIT_EXCEEDED', 'Too many requests from client', undefined, {
        'retry-after': seconds,
      });
    const server = await startHostileServer({ http: [asks('0'), whole] });
    const delays: number[] = [];

    await collect(clientOf(server.url, { onRetry: ({ delayMs }) => delays.push(delayMs) }).run(inputOf()));

    expect(delays).toEqual([0]);
    const slow = await startHostileServer({ http: [asks('3600')] });
    expect(await failureOf(clientOf(slow.url).run(inputOf()))).toMatchObject({
      retryAfterMs: 3_600_000,
      status: 429,
    });
  });

  it('ends the waiting when it is aborted', async () => {
    const busy = refusal(409, 'SESSION_BUSY', 'Session operation in progress, please retry');
    const server = await startHostileServer({ http: [busy] });
    const stop = new AbortController();

    const options = { retry: { baseMs: 60_000, maxMs: 60_000 }, onRetry: () => stop.abort() };
    const problem = await failureOf(clientOf(server.url, options).run(inputOf(), { signal: stop.signal }));

    expect(problem.code).toBe('ABORTED');
  });

  it('takes an HTML 502 for a fault of the server and sends nothing twice without need', async () => {
    const server = await startHostileServer({
      http: [answer(502, '<html>Bad Gateway</html>', { 'content-type': 'text/html' })],
    });

    expect(await failureOf(clientOf(server.url).run(inputOf()))).toMatchObject({
      code: 'INTERNAL_ERROR',
      status: 502,
    });
    expect(server.requests).toHaveLength(1);
    await failureOf(clientOf(server.url, { isIdempotent: true }).run(inputOf()));
    expect(server.requests).toHaveLength(5);
  });

  it('tries a cold start once more in the same session', async () => {
    const server = await startHostileServer({ http: [answer(424, '{"message":"cold"}'), whole] });
    const sessionId = 's'.repeat(40);

    expect(await collect(clientOf(server.url, { sessionId }).run(inputOf()))).toEqual(run1);
    const sent = server.requests.map(({ headers }) => headers['x-amzn-bedrock-agentcore-runtime-session-id']);
    expect(sent).toEqual([sessionId, sessionId]);
  });

  it('tries three times more where nobody listens', async () => {
    const retries: string[] = [];
    const client = clientOf(await deafUrl(), { onRetry: ({ problem }) => retries.push(problem.code) });

    expect(await failureOf(client.run(inputOf()))).toMatchObject({
      code: 'CONNECTION_FAILED',
      isUnsent: true,
    });
    expect(retries).toEqual(['CONNECTION_FAILED', 'CONNECTION_FAILED', 'CONNECTION_FAILED']);
  });
});

/** The address of a server that has just been there. */
async function deafUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an internet address.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

describe('a run over WebSocket', () => {
  it.each([
    ['raw JSON', run1.map((event) => JSON.stringify(event))],
    ['SSE text', run1.map((event) => sse(event))],
    ['SSE text without blank lines', run1.map((event) => sse(event).trimEnd())],
  ])('gives the same events from frames of %s', async (_what, texts) => {
    const server = await startHostileServer({ ws: [frames(texts)] });

    expect(await collect(clientOf(server.url, { transport: 'ws' }).run(inputOf()))).toEqual(run1);
    expect(JSON.parse(server.messages[0]!)).toEqual(inputOf());
    await server.left;
  });

  it.each([1000, 1001, 1011])(
    'calls a socket closed with %i without a terminal event truncated',
    async (code) => {
      const server = await startHostileServer({ ws: [frames([JSON.stringify(run1[0])], code)] });

      expect(await failureOf(clientOf(server.url, { transport: 'ws' }).run(inputOf()))).toMatchObject({
        code: 'TRUNCATED',
        closeCode: code,
      });
      expect(server.messages).toHaveLength(1);
    },
  );

  it.each([
    [1001, 2],
    [1011, 2],
    [1003, 1],
    [1007, 1],
    [1008, 1],
    [1009, 1],
  ])('closed with %i before any event is tried %i times', async (code, times) => {
    const server = await startHostileServer({
      ws: [frames([], code), frames(run1.map((event) => JSON.stringify(event)))],
    });

    const events = clientOf(server.url, { transport: 'ws' }).run(inputOf());
    if (times > 1) expect(await collect(events)).toEqual(run1);
    else expect((await failureOf(events)).closeCode).toBe(code);
    expect(server.messages).toHaveLength(times);
  });

  it('is refused like a run over SSE, where the refusal comes as the first frame', async () => {
    const event = (message: string) => JSON.stringify({ type: 'RUN_ERROR', code: 'SESSION_BUSY', message });
    const server = await startHostileServer({
      ws: [
        frames([event('Session operation in progress, please retry')]),
        frames([event('Resource conflict - Resource already exists')]),
      ],
    });

    const problem = await failureOf(clientOf(server.url, { transport: 'ws' }).run(inputOf()));

    expect(problem).toMatchObject({ code: 'SESSION_BUSY', retryable: false });
    expect(server.messages).toHaveLength(2);
  });

  it('reads why an upgrade was refused', async () => {
    const text =
      'HTTP/1.1 403 Forbidden\r\nx-amzn-requestid: r1\r\nx-amzn-errortype: AccessDeniedException:http://a\r\n';
    const body = '{"message":"no"}';
    const server = await startHostileServer({
      refusals: [`${text}content-length: ${body.length}\r\n\r\n${body}`],
    });

    expect(await failureOf(clientOf(server.url, { transport: 'ws' }).run(inputOf()))).toMatchObject({
      code: 'ACCESS_DENIED',
      status: 403,
      requestId: 'r1',
      message: 'no',
    });
  });

  it('ends with an error when the connection is reset, and does not disturb the process', async () => {
    const server = await startHostileServer({
      ws: [
        (socket) => {
          socket.send(JSON.stringify(run1[0]), () => socket.terminate());
        },
      ],
    });

    expect(await failureOf(clientOf(server.url, { transport: 'ws' }).run(inputOf()))).toMatchObject({
      code: 'TRUNCATED',
      closeCode: 1006,
    });
  });

  it('leaves at once when it is aborted', async () => {
    const server = await startHostileServer({ ws: [frames([JSON.stringify(run1[0])])] });
    const stop = new AbortController();

    const events = clientOf(server.url, { transport: 'ws' }).run(inputOf(), { signal: stop.signal });
    await events.next();
    stop.abort();

    expect((await failureOf(events)).code).toBe('ABORTED');
    await server.left;
  });
});
