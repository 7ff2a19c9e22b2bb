/** The whole check as a program uses it: our own server, credentials, limits, and what is not there. */
import { describe, expect, it } from 'vitest';
import { allChecks } from '../../../src/check/all-checks.ts';
import { runChecks } from '../../../src/check/run-checks.ts';
import { requirements } from '../../spec/requirements.ts';
import { honest, type Parts, refusal, startEcho } from '../../support/echo-container.ts';
import { startServer } from '../../support/servers.ts';
import { checkEcho, deadAddress, failureOf, failuresOf, settingsFor } from './check-containers.ts';

const token = 'the-token-of-this-test';
const bearer = { credentials: { type: 'bearer', token } } as const;

const guarded = (refused: ReturnType<typeof refusal>): Partial<Parts> => ({
  check: (body, request) =>
    request.headers.authorization === `Bearer ${token}` ? honest.check(body, request) : refused,
});

const unauthorized = refusal(401, 'UNAUTHORIZED', 'Authentication required or invalid credentials');
const challenge = { 'www-authenticate': 'Bearer resource_metadata="https://example.com/prm"' };

describe('a whole check', () => {
  it('finds nothing in our own server, by SSE and by WebSocket', async () => {
    const server = await startServer({ environment: { AGUI_HOST: '0.0.0.0' } });

    const report = await runChecks({ settings: settingsFor(server.url) });

    expect(failuresOf(report)).toEqual([]);
    expect(report.counts).toMatchObject({ error: 0, warning: 0, info: 0, unproven: 0 });
    expect(report.counts.passed).toBeGreaterThan(48);
  });

  it('finds nothing in our own server that asks for a token, and proves how it refuses', async () => {
    const environment = { AGUI_HOST: '0.0.0.0', AGUI_AUTH: 'bearer', AGUI_AUTH_TOKEN: token };
    const server = await startServer({ environment });

    const report = await runChecks({
      settings: settingsFor(server.url, bearer),
      only: ['oauth', 'ws', 'errors'],
    });

    expect(failuresOf(report)).toEqual([]);
    expect(report.results.find(({ id }) => id === 'oauth.event')?.outcome.kind).toBe('passed');
  });

  it('spells each sentence as our manifest of the contract does', () => {
    const known = new Map(
      Object.entries<{ readonly sentence: string; readonly source: string }>(requirements),
    );
    const shared = allChecks.filter(({ id }) => known.has(id));

    expect(shared.length).toBeGreaterThan(25);
    for (const { id, sentence, source } of shared)
      expect({ id, sentence, source }).toEqual({ id, ...pick(known.get(id)) });
  });

  it('has one id for each check', () => {
    const ids = allChecks.map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
  });
});

function pick(requirement: { readonly sentence: string; readonly source: string } | undefined) {
  return { sentence: requirement?.sentence, source: requirement?.source };
}

describe('a check of a container that asks for a token', () => {
  it('finds a refusal without a challenge', async () => {
    const report = await checkEcho(guarded(unauthorized), { ...bearer, hasWebSocket: false });

    expect(failuresOf(report)).toEqual(['oauth.www-authenticate']);
  });

  it('finds a refusal that is no RUN_ERROR', async () => {
    const headers = { 'content-type': 'application/json', ...challenge };
    const report = await checkEcho(guarded({ status: 401, headers, body: '{}' }), {
      ...bearer,
      hasWebSocket: false,
    });

    expect(failuresOf(report)).toEqual(['oauth.event']);
  });

  it('never shows the token, even where the container does', async () => {
    const report = await checkEcho(
      { reply: () => token, tail: 'data: [DONE]\n\n' },
      { ...bearer, hasWebSocket: false },
    );

    expect(failureOf(report, 'invocations.data-records').sent).toContain('Bearer ‹token›');
    expect(JSON.stringify(report)).not.toContain(token);
  });
});

describe('a check with words that have an effect', () => {
  const failing = { prompts: { usual: 'Hello', failing: 'fail' }, hasWebSocket: false } as const;

  it('takes a failure that is told in the stream', async () => {
    const report = await checkEcho(
      {
        events: (input, text) =>
          text === 'fail'
            ? [
                honest.events(input, text)[0] as { type: string },
                { type: 'RUN_ERROR', message: 'no', code: 'AGENT_ERROR' },
              ]
            : honest.events(input, text),
      },
      failing,
    );

    expect(failuresOf(report)).toEqual([]);
    expect(report.results.find(({ id }) => id === 'errors.runtime-status')?.outcome.kind).toBe('passed');
  });

  it('finds a failure that just ends the stream', async () => {
    const report = await checkEcho(
      { events: (input, text) => honest.events(input, text).slice(0, text === 'fail' ? 1 : undefined) },
      failing,
    );

    expect(failuresOf(report)).toEqual(['errors.runtime-status']);
  });
});

describe('a check that can not be made', () => {
  it('says that nothing answers, and nothing else', async () => {
    const report = await runChecks({ settings: settingsFor(await deadAddress()), only: ['ping', 'ws'] });

    expect(failuresOf(report)).toEqual(['container.port']);
    expect(report.counts).toMatchObject({ error: 1, passed: 0, unproven: 0 });
  });

  it('leaves open what the time did not suffice for', async () => {
    const report = await checkEcho({ thinkMs: () => 60_000 }, { totalMs: 500, hasWebSocket: false });

    expect(failuresOf(report)).toEqual([]);
    expect(report.counts.unproven).toBeGreaterThan(20);
    expect(report.durationMs).toBeLessThan(5_000);
  });

  it('refuses names that choose nothing', async () => {
    const container = await startEcho();
    const settings = settingsFor(container.url, { hasWebSocket: false });

    await expect(runChecks({ settings, only: ['pong'] })).rejects.toThrow(/--only pong: is no check/);
    await expect(runChecks({ settings, only: ['ws'] })).rejects.toThrow(/needs an address, --ws or --image/);
    await expect(runChecks({})).rejects.toThrow(/give an address or an image/);
    container.stop();
  });
});
