/** The AgentCore door's good path: what a run's stream looks like to plain sockets and to the official clients. */
import { HttpAgent } from '@ag-ui/client';
import { EventSchemas } from '@ag-ui/core/schemas';
import { HttpAgent as OlderHttpAgent } from 'ag-ui-client-0.0.59';
import { describe, expect, it } from 'vitest';
import { call, eventsOf, input, openRun, run } from '../support/requests.ts';
import { aborted, ScriptedKernel, stateOf, submitted, textOf, turn } from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { verifiesOn } from './verifies.ts';

/** Byte for byte as the AgentCore AG-UI protocol contract prints it. */
const minimalRequest = `{
"threadId": "thread-123",
"runId": "run-456",
"messages": [{"id": "msg-1", "role": "user", "content": "Hello, agent!"}],
"tools": [],
"context": [],
"state": {},
"forwardedProps": {}
}`;

describe('a run by POST /invocations', () => {
  it('answers the minimal request of the contract with a lawful stream that ends in RUN_FINISHED', async () => {
    verifiesOn('agentcore', 'invocations.minimal-example', 'invocations.post');
    const server = await startServer();

    const answer = await run(`${server.url}/invocations`, minimalRequest);

    const events = eventsOf(answer.text);
    expect(answer.status).toBe(200);
    expect(events.at(0)).toEqual({
      type: 'RUN_STARTED',
      threadId: 'thread-123',
      runId: 'run-456',
      protocolVersion: '1.0',
    });
    expect(events.at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      threadId: 'thread-123',
      runId: 'run-456',
      outcome: { type: 'success' },
    });
    for (const event of events) expect(EventSchemas.safeParse(event)).toMatchObject({ success: true });
  });

  it('sends the headers that keep proxies from holding events back', async () => {
    verifiesOn('agentcore', 'invocations.content-type', 'transport.sse');
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });

    const answer = await run(`${server.url}/invocations`, input(), {
      'accept-encoding': 'gzip, deflate, br',
    });

    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers['x-powered-by']).toBeUndefined();
  });

  it('takes the request id of the platform over', async () => {
    verifiesOn('agentcore', 'errors.request-id');
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });

    const answer = await run(`${server.url}/invocations`, input(), {
      'X-Amzn-Bedrock-AgentCore-Runtime-Request-Id': 'platform-request-7',
    });

    expect(answer.headers['x-amzn-requestid']).toBe('platform-request-7');
  });

  it('shows the text of the kernel as one message and numbers its events', async () => {
    verifiesOn('agentcore', 'invocations.data-records');
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('Hel', 'lo')) } });

    const answer = await run(`${server.url}/invocations`, input());

    const text = eventsOf(answer.text).filter(({ type }) => type.startsWith('TEXT_MESSAGE'));
    expect(text.map(({ type, delta }) => [type, delta])).toEqual([
      ['TEXT_MESSAGE_START', undefined],
      ['TEXT_MESSAGE_CONTENT', 'Hel'],
      ['TEXT_MESSAGE_CONTENT', 'lo'],
      ['TEXT_MESSAGE_END', undefined],
    ]);
    const ids = [...answer.text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
    expect(ids).toEqual(ids.map((_id, index) => index + 1));
  });

  it.each([
    ['an event in disguise', 'x\n\ndata: {"type":"RUN_FINISHED","threadId":"t","runId":"r"}\n\n'],
    ['a carriage return', 'a\r\n\r\nb\rc'],
    ['line and paragraph separators', 'a\u2028b\u2029c'],
    ['a NUL and other controls', 'a\u0000b\u001bc'],
    ['text outside the basic plane', '🙂𝒳中文'],
  ])('carries a delta with %s unharmed', async (_what, text) => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn(text)) } });

    const answer = await run(`${server.url}/invocations`, input());

    const events = eventsOf(answer.text);
    expect(
      events
        .filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
        .map(({ delta }) => delta)
        .join(''),
    ).toBe(text);
    expect(events.filter(({ type }) => type === 'RUN_FINISHED')).toHaveLength(1);
  });

  it('carries a lone surrogate as an escape, so that the bytes stay UTF-8', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('a\ud800b')) } });

    const answer = await run(`${server.url}/invocations`, input());

    expect(answer.text).not.toContain('\ufffd');
    expect(eventsOf(answer.text).find(({ type }) => type === 'TEXT_MESSAGE_CONTENT')).toMatchObject({
      delta: 'a\ud800b',
    });
  });

  it('keeps an idle stream open with comments that are no events', async () => {
    const kernel = new ScriptedKernel(async function* (_send, names, signal) {
      yield [submitted(names)];
      await aborted(signal);
    });
    const server = await startServer({ environment: { AGUI_HEARTBEAT_S: '1' }, replace: { kernel } });
    const opened = await openRun(`${server.url}/invocations`, input());

    const text = await opened.until((sofar) => sofar.split(': heartbeat\n\n').length > 2);

    expect(eventsOf(text).map(({ type }) => type)).not.toContain('heartbeat');
    await opened.leave();
  });

  it('cancels the task of a client that leaves, and frees the thread', async () => {
    const kernel = new ScriptedKernel(async function* (_send, names, signal) {
      yield [submitted(names), textOf(names, 'thinking')];
      await aborted(signal);
    });
    const server = await startServer({ replace: { kernel } });
    const body = input();
    const opened = await openRun(`${server.url}/invocations`, body);
    await opened.until((text) => text.includes('thinking'));

    await opened.leave();
    await idle(server.url);

    expect(kernel.cancels).toEqual(['task-1']);
    expect(kernel.reading).toBe(0);
    expect((await openRun(`${server.url}/invocations`, input({ threadId: body['threadId'] }))).status).toBe(
      200,
    );
  });

  it('ends a cancelled run with its terminal event, in the words of the client', async () => {
    const kernel = new ScriptedKernel(async function* (_send, names, signal) {
      yield [submitted(names), textOf(names, 'thinking')];
      await aborted(signal);
    });
    const server = await startServer({ replace: { kernel } });

    for (const [version, terminal] of [
      ['1.0', { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } }],
      [undefined, { type: 'RUN_ERROR', code: 'CANCELLED' }],
    ] as const) {
      const body = input({ protocolVersion: version });
      const opened = await openRun(`${server.url}/invocations`, body);
      await opened.until((text) => text.includes('thinking'));

      const answer = await run(`${server.url}/invocations`, {
        control: 'cancel',
        threadId: body['threadId'],
        runId: body['runId'],
      });

      expect(JSON.parse(answer.text)).toMatchObject({ status: 'cancelled' });
      const events = eventsOf(await opened.ended);
      expect(events.at(-1)).toMatchObject(terminal);
      expect(events.at(-2)).toMatchObject({ type: 'TEXT_MESSAGE_END' });
    }
  });

  it('answers a cancel of what is over, or was never there, without an error', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });
    const body = input();
    await run(`${server.url}/invocations`, body);
    const cancel = (threadId: unknown, runId: unknown) =>
      run(`${server.url}/invocations`, { control: 'cancel', threadId, runId });

    const over = await cancel(body['threadId'], body['runId']);
    const unknownRun = await cancel(body['threadId'], 'other');
    const unknownThread = await cancel('other', body['runId']);

    expect([over, unknownRun, unknownThread].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([over, unknownRun, unknownThread].map(({ text }) => JSON.parse(text).status)).toEqual([
      'already_terminal',
      'not_found',
      'not_found',
    ]);
  });

  it.each([
    ['TASK_STATE_FAILED', 'A2A_EXECUTION_FAILED'],
    ['TASK_STATE_REJECTED', 'A2A_EXECUTION_FAILED'],
    ['TASK_STATE_AUTH_REQUIRED', 'A2A_EXECUTION_FAILED'],
  ] as const)('tells a task that ends in %s as AGENT_ERROR in the stream', async (state, fault) => {
    verifiesOn('agentcore', 'errors.runtime-status');
    const kernel = new ScriptedKernel(async function* (_send, names) {
      yield [submitted(names), textOf(names, 'so far'), stateOf(names, state)];
    });
    const server = await startServer({ replace: { kernel } });

    const answer = await run(`${server.url}/invocations`, input());

    const events = eventsOf(answer.text);
    expect(answer.status).toBe(200);
    expect(events.slice(-2)).toMatchObject([
      { type: 'TEXT_MESSAGE_END' },
      { type: 'RUN_ERROR', code: 'AGENT_ERROR', metadata: { 'agentcore-agui': { fault } } },
    ]);
  });

  it('never takes a stream that just stops for a success', async () => {
    const kernel = new ScriptedKernel(async function* (_send, names) {
      yield [submitted(names), textOf(names, 'and then')];
    });
    const server = await startServer({ replace: { kernel } });

    const answer = await run(`${server.url}/invocations`, input());

    expect(eventsOf(answer.text).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'AGENT_ERROR' });
    expect(kernel.sends).toHaveLength(1);
  });

  it('answers an input without messages at once, and without asking the kernel', async () => {
    const kernel = new ScriptedKernel(turn('hello'));
    const server = await startServer({ replace: { kernel } });

    const answer = await run(`${server.url}/invocations`, input({ messages: [] }));

    expect(eventsOf(answer.text).map(({ type }) => type)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
    expect(kernel.sends).toEqual([]);
  });
});

describe('the official clients', () => {
  it.each([
    ['@ag-ui/client 1.0.0', HttpAgent],
    ['@ag-ui/client 0.0.59', OlderHttpAgent],
  ] as const)('%s accepts a whole run of the embedded agent', async (_name, Agent) => {
    const server = await startServer();
    const agent = new Agent({ url: `${server.url}/invocations`, threadId: 'thread-of-a-client' });
    agent.addMessage({ id: 'message-1', role: 'user', content: 'Créer un modèle VPC' });

    const result = await agent.runAgent({});

    const roles = result.newMessages.map(({ role }) => role);
    expect(roles).toContain('assistant');
    expect(roles).toContain('tool');
  });
});

describe('GET /ping', () => {
  it('is Healthy without a stamp before the first run, HealthyBusy during it, and then keeps the stamp', async () => {
    verifiesOn(
      'agentcore',
      'ping.get',
      'ping.json',
      'ping.status',
      'ping.last-update',
      'ping.last-update-still',
    );
    const kernel = new ScriptedKernel(async function* (_send, names, signal) {
      yield [submitted(names)];
      await aborted(signal);
    });
    const server = await startServer({ replace: { kernel } });

    const answer = await call(`${server.url}/ping`, { method: 'GET' });
    const before = await ping(server.url);
    const opened = await openRun(`${server.url}/invocations`, input());
    const during = await ping(server.url);
    await opened.leave();
    const after = await idle(server.url);
    const later = await ping(server.url);

    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
    expect(before).toEqual({ status: 'Healthy' });
    expect(during).toEqual({ status: 'HealthyBusy', time_of_last_update: expect.any(Number) });
    expect(after).toEqual({ status: 'Healthy', time_of_last_update: expect.any(Number) });
    expect(later).toEqual(after);
    expect(Number.isInteger(after['time_of_last_update'])).toBe(true);
  });

  it('says 503 while the server drains', async () => {
    verifiesOn('agentcore', 'ping.status-code');
    const server = await startServer();

    server.parts.health.enter('draining');

    expect((await call(`${server.url}/ping`, { method: 'GET' })).status).toBe(503);
    const refused = await run(`${server.url}/invocations`, input());
    expect(refused.status).toBe(503);
    expect(eventsOf(refused.text)).toMatchObject([{ type: 'RUN_ERROR', code: 'INTERNAL_ERROR' }]);
  });
});

async function ping(url: string): Promise<Record<string, unknown>> {
  return JSON.parse((await call(`${url}/ping`, { method: 'GET' })).text) as Record<string, unknown>;
}

/** Asks until nothing runs any more; each question is an answered request, so this is no blind waiting. */
async function idle(url: string): Promise<Record<string, unknown>> {
  for (;;) {
    const answer = await ping(url);
    if (answer['status'] === 'Healthy') return answer;
  }
}
