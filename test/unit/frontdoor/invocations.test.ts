/** An invocation on its way through the front door: what reaches the container, what comes back, and within which limits. */
import { describe, expect, it } from 'vitest';
import { arn, runtimeInput, startDoor, type TestDoor } from '../../support/front-door.ts';
import type { Wish } from '../../support/scripted-container.ts';
import {
  invocations,
  runErrorOf,
  type SignedCall,
  sessionId,
  signedFetch,
} from '../../support/signed-fetch.ts';

const ask = (door: TestDoor, wish: Wish, more: SignedCall = {}) =>
  signedFetch(door.url, { ...more, body: JSON.stringify(wish) });

async function headersSeen(door: TestDoor, headers: Record<string, string>): Promise<Record<string, string>> {
  const answer = await signedFetch(door.url, { headers });
  return ((await answer.json()) as { headers: Record<string, string> }).headers;
}

describe('what reaches the container', () => {
  const custom = 'X-Amzn-Bedrock-AgentCore-Runtime-Custom-Tenant';
  const sent = {
    [custom]: 'acme',
    'X-App': 'app',
    'X-Other': 'other',
    accept: 'text/event-stream',
    'content-type': 'application/json',
    origin: 'https://page.example',
    cookie: 'a=b',
    'x-forwarded-for': '1.2.3.4',
    traceparent: '00-a-b-01',
    baggage: 'k=v',
    'Mcp-Session-Id': 'm1',
  };

  it('is what the platform lets through, the session and an id of the request', async () => {
    const door = await startDoor([
      runtimeInput({ requestHeaderAllowlist: [custom, 'x-app', 'Authorization'] }),
    ]);

    const seen = await headersSeen(door, sent);

    expect(Object.keys(seen).sort()).toEqual([
      'accept',
      'baggage',
      'connection',
      'content-length',
      'content-type',
      'host',
      'mcp-session-id',
      'traceparent',
      'x-amzn-bedrock-agentcore-runtime-custom-tenant',
      'x-amzn-bedrock-agentcore-runtime-request-id',
      'x-amzn-bedrock-agentcore-runtime-session-id',
      'x-app',
    ]);
    expect(seen).toMatchObject({ 'x-amzn-bedrock-agentcore-runtime-session-id': sessionId, 'x-app': 'app' });
  });

  it('has no custom header that is not listed, and none that is longer than 4 KB', async () => {
    const bare = await headersSeen(await startDoor(), sent);
    const long = await headersSeen(await startDoor([runtimeInput({ requestHeaderAllowlist: ['x-app'] })]), {
      'x-app': 'x'.repeat(4_097),
    });

    expect(Object.keys({ ...bare, ...long }).filter((name) => /custom|x-app/.test(name))).toEqual([]);
  });

  it('is a body up to the limit', async () => {
    const door = await startDoor([runtimeInput({ limits: { payloadBytes: 1_000 } })]);
    const body = JSON.stringify({ do: 'stream' }).padEnd(1_000);

    const whole = await signedFetch(door.url, { body });
    const tooLarge = await signedFetch(door.url, { body: `${body} ` });

    expect([whole.status, tooLarge.status]).toEqual([200, 400]);
    expect(runErrorOf(await tooLarge.text())).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it.each(['short', 's'.repeat(257), `${'s'.repeat(40)}!`])(
    'is nothing at all with the session id %s',
    async (session) => {
      const door = await startDoor();

      const refused = await signedFetch(door.url, { session });

      expect(refused.status).toBe(400);
      expect(runErrorOf(await refused.text())).toMatchObject({ code: 'VALIDATION_ERROR' });
      expect(door.sessions()).toEqual([]);
    },
  );
});

describe('what comes back', () => {
  it('arrives while the container is still speaking', async () => {
    const door = await startDoor();

    const answer = await ask(door, { do: 'stream-open', events: 1 });
    const reader = answer.body!.getReader();
    const { value } = await reader.read();
    await reader.cancel();

    expect(new TextDecoder().decode(value)).toBe('data: {"type":"RAW","index":0,"text":""}\n\n');
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
  });

  it('ends with an agent error when the container dies between two events', async () => {
    const door = await startDoor();

    const text = await (await ask(door, { do: 'stream-then-die', events: 2 })).text();

    const events = text
      .trim()
      .split('\n\n')
      .map((frame) => JSON.parse(frame.slice(6)) as { type: string; code?: string });
    expect(events.map(({ type, code }) => code ?? type)).toEqual(['RAW', 'RAW', 'AGENT_ERROR']);
  });

  it('breaks off when the container dies inside an event', async () => {
    const door = await startDoor();

    const answer = await ask(door, { do: 'half-event-then-die' });

    await expect(answer.text()).rejects.toThrow();
  });

  it('is the container’s own refusal, or an agent error where it is told so', async () => {
    const passing = await startDoor();
    const telling = await startDoor([runtimeInput({ containerErrors: 'agent-error' })]);

    const passed = await ask(passing, { do: 'status', status: 422 });
    const told = await ask(telling, { do: 'status', status: 422 });

    expect([passed.status, told.status]).toEqual([422, 200]);
    expect(runErrorOf(await passed.text())).toMatchObject({ code: 'VALIDATION_ERROR', message: 'own' });
    expect(runErrorOf(await told.text())).toMatchObject({ code: 'AGENT_ERROR' });
  });

  it('is bounded in time: an answer that does not begin, and a stream that does not end', async () => {
    const slow = await startDoor([runtimeInput({ limits: { synchronousSeconds: 0.3 } })]);
    const long = await startDoor([runtimeInput({ limits: { streamingSeconds: 0.5 } })]);

    const hanging = await ask(slow, { do: 'hang' });
    const open = await ask(long, { do: 'stream-open', events: 1 });

    expect(runErrorOf(await hanging.text())).toMatchObject({
      code: 'AGENT_ERROR',
      message: expect.stringContaining('too long'),
    });
    expect(await open.text()).toMatch(
      /"RAW".*\n\ndata: \{"type":"RUN_ERROR","code":"AGENT_ERROR".*too long"\}\n\n$/,
    );
  });

  it('is bounded in size: one event, and an answer in one piece', async () => {
    const door = await startDoor([runtimeInput({ limits: { chunkBytes: 1_000, payloadBytes: 1_000 } })]);

    const small = await ask(door, { do: 'stream', events: 9, bytes: 900 });
    const large = await ask(door, { do: 'stream', events: 1, bytes: 1_000 });
    const echo = await ask(door, { do: 'echo' }, { headers: { traceparent: 'x'.repeat(1_000) } });

    expect((await small.text()).match(/RAW/g)).toHaveLength(9);
    await expect(large.text()).rejects.toThrow();
    await expect(echo.text()).rejects.toThrow();
  });
});

it.each(['hang', 'stream-open'] as const)(
  'a caller that leaves is told to a container that does %s',
  async (wish) => {
    const door = await startDoor();
    const leave = new AbortController();

    const call = ask(door, { do: wish }, { signal: leave.signal });
    call.catch(() => undefined);
    await door.seen('container-output');
    leave.abort();
    await expect(call.then((answer) => answer.text())).rejects.toThrow();
    await door.said('the caller has left');

    const said = door.log.filter(({ event }) => event === 'container-output').map(({ text }) => text);
    expect(said.join('')).toBe(`${wish}\nthe caller has left\n`);
  },
);

describe('an address', () => {
  it.each([
    ['/runtimes/unknown/invocations', 404, /no such runtime/],
    [invocations.replace('AbCdEf', 'Other'), 404, /no such runtime/],
    [`${invocations}?qualifier=nope`, 404, /no endpoint with the name nope/],
    [`/runtimes/${arn}/invocations`, 404, /must be percent-encoded/],
    ['/runtimes/agent-AbCdEf/invocations', 404, /accountId is needed/],
    ['/runtimes/%ff/invocations', 400, /percent-encoded UTF-8/],
    ['/elsewhere', 404, /no such operation/],
    [invocations.replace('invocations', 'ws'), 404, /is a GET/],
  ])('%s is refused with %i in the native form', async (path, status, message) => {
    const door = await startDoor();

    const answer = await fetch(`${door.url}${path}`, { method: 'POST', body: '{}' });

    expect(answer.status).toBe(status);
    expect(((await answer.json()) as { message: string }).message).toMatch(message);
    expect(answer.headers.get('x-amzn-errortype')).toMatch(/^(ResourceNotFound|Validation)Exception$/);
  });

  it('may hold the runtime’s id with its account', async () => {
    const door = await startDoor();

    expect(
      (await signedFetch(door.url, { path: '/runtimes/agent-AbCdEf/invocations?accountId=123456789012' }))
        .status,
    ).toBe(200);
  });
});
