/** The AgentCore door's errors: each one a `RUN_ERROR` event in an event stream, with the documented HTTP status. */
import { describe, expect, it } from 'vitest';
import { call, eventsOf, input, openRun, run } from '../support/requests.ts';
import { aborted, ScriptedKernel, submitted, turn } from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { verifiesOn } from './verifies.ts';

const session = { 'X-Amzn-Bedrock-AgentCore-Runtime-Session-Id': 'a'.repeat(33) };

describe('POST /invocations refuses', () => {
  const refused: readonly {
    readonly what: string;
    readonly body?: string | Uint8Array;
    readonly headers?: Readonly<Record<string, string>>;
    readonly fault: string;
  }[] = [
    { what: 'an empty body', body: '', fault: 'INVALID_JSON' },
    { what: 'broken JSON', body: '{"threadId":', fault: 'INVALID_JSON' },
    { what: 'a list', body: '[]', fault: 'INVALID_INPUT' },
    { what: 'null', body: 'null', fault: 'INVALID_INPUT' },
    { what: 'a string', body: '"hello"', fault: 'INVALID_INPUT' },
    { what: 'an empty object', body: '{}', fault: 'INVALID_INPUT' },
    {
      what: 'bytes that are not UTF-8',
      body: Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d),
      fault: 'INVALID_JSON',
    },
    { what: 'JSON nested 10,000 deep', body: '['.repeat(10_000) + ']'.repeat(10_000), fault: 'INVALID_JSON' },
    { what: 'a __proto__ key', body: '{"__proto__":{"isAdmin":true}}', fault: 'INVALID_JSON' },
    {
      what: 'a __proto__ key deep inside',
      body: JSON.stringify(input()).replace('"state":{}', '"state":{"a":[{"__proto__":1}]}'),
      fault: 'INVALID_JSON',
    },
    { what: 'an empty thread id', body: JSON.stringify(input({ threadId: '' })), fault: 'INVALID_INPUT' },
    {
      what: 'a run id of 1,025 characters',
      body: JSON.stringify(input({ runId: 'r'.repeat(1_025) })),
      fault: 'INVALID_INPUT',
    },
    {
      what: 'a thread id that is a number',
      body: JSON.stringify(input({ threadId: 7 })),
      fault: 'INVALID_INPUT',
    },
    {
      what: 'messages that are no list',
      body: JSON.stringify(input({ messages: {} })),
      fault: 'INVALID_INPUT',
    },
    {
      what: 'a message of an unknown role',
      body: JSON.stringify(input({ messages: [{ id: 'm', role: 'wizard', content: '' }] })),
      fault: 'INVALID_INPUT',
    },
    {
      what: 'a foreign major protocol version',
      body: JSON.stringify(input({ protocolVersion: '2.0' })),
      fault: 'INVALID_INPUT',
    },
    {
      what: 'client tools that the kernel can not use',
      body: JSON.stringify(input({ tools: [{ name: 't', description: 'd' }] })),
      fault: 'INVALID_INPUT',
    },
    {
      what: 'an unknown member of the iac-code extension',
      body: JSON.stringify(
        input({
          forwardedProps: { iacCode: { schemaVersion: 1, rosInvocationId: 'i', cwd: '/tmp', bogus: 1 } },
        }),
      ),
      fault: 'INVALID_INPUT',
    },
    {
      what: 'a workspace outside the allowed roots',
      body: JSON.stringify(
        input({ forwardedProps: { iacCode: { schemaVersion: 1, rosInvocationId: 'i', cwd: '/etc' } } }),
      ),
      fault: 'INVALID_INPUT',
    },
    {
      what: 'a relative workspace',
      body: JSON.stringify(
        input({ forwardedProps: { iacCode: { schemaVersion: 1, rosInvocationId: 'i', cwd: 'here' } } }),
      ),
      fault: 'INVALID_INPUT',
    },
    { what: 'an unknown control message', body: '{"control":"reboot"}', fault: 'INVALID_INPUT' },
    { what: 'a cancel without a run', body: '{"control":"cancel","threadId":"t"}', fault: 'INVALID_INPUT' },
    {
      what: 'a body that says it is text',
      body: '{}',
      headers: { 'content-type': 'text/plain' },
      fault: 'UNSUPPORTED_MEDIA_TYPE',
    },
    {
      what: 'a compressed body',
      body: '{}',
      headers: { 'content-encoding': 'gzip' },
      fault: 'UNSUPPORTED_MEDIA_TYPE',
    },
    {
      what: 'a session id of 32 characters',
      body: '{}',
      headers: { 'X-Amzn-Bedrock-AgentCore-Runtime-Session-Id': 's'.repeat(32) },
      fault: 'INVALID_INPUT',
    },
    {
      what: 'a session id with a slash',
      body: '{}',
      headers: { 'X-Amzn-Bedrock-AgentCore-Runtime-Session-Id': `${'s'.repeat(33)}/` },
      fault: 'INVALID_INPUT',
    },
    {
      what: 'a client that takes no event stream',
      body: JSON.stringify(input()),
      headers: { accept: 'application/json;q=1, text/event-stream;q=0' },
      fault: 'INVALID_INPUT',
    },
  ];

  it.each(refused)('$what with VALIDATION_ERROR 400, and nothing runs', async ({ body, headers, fault }) => {
    verifiesOn(
      'agentcore',
      'errors.always-sse',
      'errors.connection-level-status',
      'errors.request-id',
      'invocations.raw-payload',
      'http.json-body',
    );
    const kernel = new ScriptedKernel(turn('hello'));
    const server = await startServer({ replace: { kernel } });

    const answer = await call(`${server.url}/invocations`, { body, headers });

    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect(answer.headers['x-amzn-requestid']).toMatch(/^[0-9a-f-]{36}$/);
    expect(eventsOf(answer.text)).toEqual([
      {
        type: 'RUN_ERROR',
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(/^Invalid request data or parameters: ./),
        metadata: { 'agentcore-agui': expect.objectContaining({ fault, retryable: false }) },
      },
    ]);
    expect(answer.text).not.toMatch(/\bat \S+ \(|node_modules|\/src\/|SyntaxError/);
    expect(kernel.sends).toEqual([]);
  });

  it('a body over the limit with VALIDATION_ERROR 400, whether its length is announced or not', async () => {
    const server = await startServer({ environment: { AGUI_MAX_BODY_BYTES: '2048' } });
    const body = JSON.stringify(input({ state: { padding: 'x'.repeat(4_000) } }));

    const announced = await run(`${server.url}/invocations`, body);
    const chunked = await call(`${server.url}/invocations`, {
      body,
      headers: { 'transfer-encoding': 'chunked' },
    });

    for (const answer of [announced, chunked]) {
      expect(answer.status).toBe(400);
      expect(eventsOf(answer.text)).toMatchObject([
        { type: 'RUN_ERROR', metadata: { 'agentcore-agui': { fault: 'REQUEST_TOO_LARGE' } } },
      ]);
    }
  });

  it('a body of exactly the limit is not too large', async () => {
    const server = await startServer({
      environment: { AGUI_MAX_BODY_BYTES: '2048' },
      replace: { kernel: new ScriptedKernel(turn('hello')) },
    });
    const bare = JSON.stringify(input({ state: '' }));
    const body = bare.replace('"state":""', `"state":"${'x'.repeat(2_048 - bare.length)}"`);

    const answer = await run(`${server.url}/invocations`, body);

    expect(body).toHaveLength(2_048);
    expect(answer.status).toBe(200);
  });

  it('a caller without the token with UNAUTHORIZED 401 and a challenge, before it looks at anything else', async () => {
    verifiesOn('agentcore', 'errors.unauthorized', 'oauth.status', 'oauth.event');
    const kernel = new ScriptedKernel(turn('hello'));
    const server = await startServer({
      environment: { AGUI_AUTH_TOKEN: 'correct horse' },
      replace: { kernel },
    });

    const none = await run(`${server.url}/invocations`, 'not even json');
    const wrong = await run(`${server.url}/invocations`, input(), { authorization: 'Bearer wrong' });
    const right = await run(`${server.url}/invocations`, input(), { authorization: 'bearer correct horse' });

    for (const answer of [none, wrong]) {
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(eventsOf(answer.text)).toMatchObject([
        {
          type: 'RUN_ERROR',
          code: 'UNAUTHORIZED',
          message: expect.stringMatching(/^Authentication required or invalid credentials/),
        },
      ]);
    }
    expect(right.status).toBe(200);
  });

  it('a request without a session where one is required', async () => {
    const server = await startServer({
      environment: { AGUI_REQUIRE_SESSION: 'true' },
      replace: { kernel: new ScriptedKernel(turn('hello')) },
    });

    const without = await run(`${server.url}/invocations`, input());
    const within = await run(`${server.url}/invocations`, input(), session);

    expect(without.status).toBe(400);
    expect(within.status).toBe(200);
  });

  it('a second run on a busy thread with the retryable SESSION_BUSY 409', async () => {
    const kernel = new ScriptedKernel(async function* (_send, names, signal) {
      yield [submitted(names)];
      await aborted(signal);
    });
    const server = await startServer({ replace: { kernel } });
    const first = input();
    const opened = await openRun(`${server.url}/invocations`, first);

    const second = await run(`${server.url}/invocations`, input({ threadId: first['threadId'] }));

    expect(second.status).toBe(409);
    expect(eventsOf(second.text)).toMatchObject([
      {
        code: 'SESSION_BUSY',
        message: 'Session operation in progress, please retry',
        metadata: { 'agentcore-agui': { fault: 'THREAD_BUSY', retryable: true } },
      },
    ]);
    await opened.leave();
  });

  it('a run id that was used before with the plain SESSION_BUSY 409', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });
    const body = input();
    await run(`${server.url}/invocations`, body);

    const same = await run(`${server.url}/invocations`, body);
    const other = await run(`${server.url}/invocations`, { ...body, state: { other: true } });

    for (const [answer, fault] of [
      [same, 'DUPLICATE_RUN_ID'],
      [other, 'RUN_ID_CONFLICT'],
    ] as const) {
      expect(answer.status).toBe(409);
      expect(eventsOf(answer.text)).toMatchObject([
        {
          code: 'SESSION_BUSY',
          message: 'Resource conflict - Resource already exists',
          metadata: { 'agentcore-agui': { fault, retryable: false } },
        },
      ]);
    }
  });

  it('more runs at once than it may with SERVICE_QUOTA_EXCEEDED 429', async () => {
    const kernel = new ScriptedKernel(async function* (_send, names, signal) {
      yield [submitted(names)];
      await aborted(signal);
    });
    const server = await startServer({ environment: { AGUI_MAX_RUNS: '1' }, replace: { kernel } });
    const opened = await openRun(`${server.url}/invocations`, input());

    const answer = await run(`${server.url}/invocations`, input());

    expect(answer.status).toBe(429);
    expect(eventsOf(answer.text)).toMatchObject([{ code: 'SERVICE_QUOTA_EXCEEDED' }]);
    await opened.leave();
  });

  it('a path that it does not know with 404, and a method with 405 that names the right one', async () => {
    const server = await startServer();

    const path = await call(`${server.url}/invocation`);
    const method = await call(`${server.url}/invocations`, { method: 'GET' });

    expect(path.status).toBe(404);
    expect(method.status).toBe(405);
    expect(method.headers['allow']).toBe('POST');
    expect(eventsOf(method.text)).toMatchObject([{ type: 'RUN_ERROR' }]);
  });

  it('a request without an upgrade for /ws with 426, which names the protocol', async () => {
    const server = await startServer();

    const answer = await call(`${server.url}/ws`, { method: 'GET' });

    expect(answer.status).toBe(426);
    expect(answer.headers['upgrade']).toBe('websocket');
    expect(eventsOf(answer.text)).toMatchObject([{ type: 'RUN_ERROR', code: 'VALIDATION_ERROR' }]);
  });
});
