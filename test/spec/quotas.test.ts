/** What is too much at once, and how it is told. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { apiAudience, newKey, startIssuer } from '../support/oidc.ts';
import { call, eventsOf, input, openRun, run } from '../support/requests.ts';
import { aborted, ScriptedKernel, submitted } from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { openSocket, refusedUpgrade } from '../support/sockets.ts';
import { lawfulClaims, signed } from '../support/tokens.ts';
import { verifies } from './verifies.ts';

const sessionHeader = 'x-amzn-bedrock-agentcore-runtime-session-id';
const session = (name: string) => ({ [sessionHeader]: `session-${name}-`.padEnd(40, '0') });

describe('requests per second', () => {
  it('are counted for each subject, over HTTP and sockets together, and refused with the time to wait', async () => {
    verifies('errors.rate-limit');
    const key = newKey();
    const issuer = await startIssuer(key);
    const server = await startServer({
      environment: {
        AGUI_AUTH: 'jwt',
        AGUI_JWT_DISCOVERY_URL: issuer.discoveryUrl,
        AGUI_JWT_ALLOWED_AUDIENCE: apiAudience,
        AGUI_RATE_LIMIT: '3',
      },
    });
    const as = (sub: string) => ({
      authorization: `Bearer ${signed(key, lawfulClaims(issuer.issuer, { sub }))}`,
    });
    const ping = { control: 'ping' };
    await run(`${server.url}/invocations`, ping, as('warm-up'));

    // One window may end among them, and then twice the rate is let in.
    const socket = await openSocket(`${server.url}/ws`, as('ann'));
    for (let index = 0; index < 20; index += 1) socket.send(ping);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => run(`${server.url}/invocations`, ping, as('ann'))),
    );
    const other = await run(`${server.url}/invocations`, ping, as('bob'));
    await socket.until((events) => events.length === 20);

    const refused = answers.filter(({ status }) => status === 429);
    const told = socket.events.filter(({ code }) => code === 'RATE_LIMIT_EXCEEDED');
    expect(refused.length + told.length).toBeGreaterThanOrEqual(34);
    expect(Math.min(refused.length, told.length)).toBeGreaterThanOrEqual(14);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect(eventsOf(refused[0]?.text ?? '')).toMatchObject([
      { type: 'RUN_ERROR', code: 'RATE_LIMIT_EXCEEDED' },
    ]);
    expect(other.status).toBe(200);
  });

  it('are counted for each address where nobody is told apart, on the iac-code door too', async () => {
    const server = await startServer({ environment: { AGUI_RATE_LIMIT: '2' } });

    const answers = await Promise.all(Array.from({ length: 20 }, () => run(`${server.url}/`, {})));

    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(16);
    expect(answers.filter(({ status }) => status === 400).length).toBe(20 - refused.length);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect(JSON.parse(refused[0]?.text ?? '')).toMatchObject({ error: { code: 'RATE_LIMITED' } });
  });
});

describe('quotas', () => {
  it('hold for sessions and for the threads of each, and leave what is open alone', async () => {
    verifies('errors.service-quota');
    const server = await startServer({ environment: { AGUI_MAX_SESSIONS: '2', AGUI_MAX_THREADS: '2' } });
    const url = `${server.url}/invocations`;
    const first = input();
    await run(url, first, session('a'));
    await run(url, input(), session('a'));
    await run(url, input(), session('b'));

    const thread = await run(url, input(), session('a'));
    const third = await run(url, input(), session('c'));
    const known = await run(url, input({ threadId: first['threadId'] }), session('a'));
    const nowhere = await run(url, input());

    expect([thread.status, third.status, known.status, nowhere.status]).toEqual([429, 429, 200, 200]);
    for (const answer of [thread, third]) {
      expect(answer.headers['retry-after']).toBe('60');
      expect(eventsOf(answer.text)).toMatchObject([{ type: 'RUN_ERROR', code: 'SERVICE_QUOTA_EXCEEDED' }]);
    }
  });

  it('hold for runs and for sockets, each with a time to come back', async () => {
    const waiting = new ScriptedKernel(async function* (_send, names, signal) {
      yield [submitted(names)];
      await aborted(signal);
    });
    const server = await startServer({
      environment: { AGUI_MAX_RUNS: '1', AGUI_MAX_SOCKETS: '1' },
      replace: { kernel: waiting },
    });
    const open = await openRun(`${server.url}/invocations`, input());
    await openSocket(`${server.url}/ws`);

    const secondRun = await run(`${server.url}/invocations`, input());
    const secondSocket = await refusedUpgrade(`${server.url}/ws`);
    await open.leave();

    expect([secondRun.status, secondSocket.status]).toEqual([429, 429]);
    expect([secondRun.headers['retry-after'], secondSocket.headers['retry-after']]).toEqual(['5', '5']);
  });
});

describe('headers', () => {
  it('may be as many and as long as the platform lets through', async () => {
    const server = await startServer();
    const headers = Object.fromEntries(
      Array.from({ length: 20 }, (_none, index) => [
        `x-amzn-bedrock-agentcore-runtime-custom-${index}`,
        'v'.repeat(4_096),
      ]),
    );

    const answer = await run(`${server.url}/invocations`, { control: 'ping' }, headers);

    expect(answer.status).toBe(200);
  });

  it('that are longer than that are refused in the words of the door', async () => {
    const server = await startServer();

    const answer = await call(`${server.url}/invocations`, {
      headers: { 'x-long': 'v'.repeat(200_000) },
      body: '{}',
    });

    expect(answer.status).toBe(400);
    expect(eventsOf(answer.text)).toMatchObject([{ type: 'RUN_ERROR', code: 'VALIDATION_ERROR' }]);
  });

  it('that are no HTTP get a clean 400', async () => {
    const server = await startServer();
    const socket = connect(server.port, '127.0.0.1');
    socket.end('NOT HTTP AT ALL\r\n\r\n');

    let text = '';
    for await (const chunk of socket) text += String(chunk);

    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(eventsOf(text.slice(text.indexOf('\r\n\r\n') + 4))).toMatchObject([
      { type: 'RUN_ERROR', code: 'VALIDATION_ERROR' },
    ]);
  });
});

describe('the session of a socket', () => {
  const name = 'X-Amzn-Bedrock-AgentCore-Runtime-Session-Id';
  const id = 's'.repeat(40);

  it('may come with the address, as browsers can only do it', async () => {
    const server = await startServer({ environment: { AGUI_REQUIRE_SESSION: 'true' } });
    const body = input();
    const socket = await openSocket(`${server.url}/ws?${name}=${id}`);

    socket.send(body);
    await socket.until((events) => events.some(({ type }) => type === 'RUN_FINISHED'));
    const names = { threadId: body['threadId'], runId: body['runId'] };
    const attach = { control: 'attach', ...names };
    const inside = await run(`${server.url}/invocations`, attach, { [sessionHeader]: id });
    const outside = await run(`${server.url}/invocations`, attach, { [sessionHeader]: 'x'.repeat(40) });

    expect([inside.status, outside.status]).toEqual([200, 400]);
  });

  it('must be the same where header and address name one', async () => {
    const server = await startServer();

    const both = await openSocket(`${server.url}/ws?${name.toLowerCase()}=${id}`, { [sessionHeader]: id });
    const torn = await refusedUpgrade(`${server.url}/ws?${name}=${id}`, {
      [sessionHeader]: 'x'.repeat(40),
    });
    const bad = await refusedUpgrade(`${server.url}/ws?${name}=short`);

    expect(both.socket.readyState).toBe(both.socket.OPEN);
    expect([torn.status, bad.status]).toEqual([400, 400]);
  });
});
