/** Throttling, quotas and faults: by the runtime's numbers, and on demand. */
import { describe, expect, it } from 'vitest';
import { exceptionNames } from '../../../src/frontdoor/platform-error.ts';
import { runtimeInput, startDoor } from '../../support/front-door.ts';
import { invocations, runErrorOf, sessionId, signedFetch } from '../../support/signed-fetch.ts';

const stopPath = invocations.replace('invocations', 'stopruntimesession');

describe('the numbers of a runtime', () => {
  it('throttle requests and new sessions of one second', async () => {
    const requests = await startDoor([runtimeInput({ quota: { requestsPerSecond: 1 } })]);
    const sessions = await startDoor([runtimeInput({ quota: { newSessionsPerSecond: 1 } })]);

    const two = await Promise.all(
      ['a', 'b'].map((letter) => signedFetch(requests.url, { session: letter.repeat(40) })),
    );
    const twoNew = await Promise.all(
      ['a', 'b'].map((letter) => signedFetch(sessions.url, { session: letter.repeat(40) })),
    );

    expect(two.map(({ status }) => status).sort()).toEqual([200, 429]);
    expect(twoNew.map(({ status }) => status).sort()).toEqual([200, 429]);
    const refused = two.find(({ status }) => status === 429);
    expect(runErrorOf((await refused?.text()) ?? '')).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });

  it('bound the sessions that are active; a stop makes room', async () => {
    const door = await startDoor([runtimeInput({ quota: { activeSessions: 1 } })]);
    await signedFetch(door.url);

    const full = await signedFetch(door.url, { session: 't'.repeat(40) });
    await signedFetch(door.url, { path: stopPath });

    expect(full.status).toBe(429);
    expect(runErrorOf(await full.text())).toMatchObject({ code: 'SERVICE_QUOTA_EXCEEDED' });
    expect((await signedFetch(door.url, { session: 't'.repeat(40) })).status).toBe(200);
  });

  it('are told in the native table on HTTP runtimes', async () => {
    const door = await startDoor([runtimeInput({ protocol: 'HTTP', quota: { activeSessions: 1 } })]);
    await signedFetch(door.url);

    const full = await signedFetch(door.url, { session: 't'.repeat(40) });

    expect([full.status, full.headers.get('x-amzn-errortype')]).toEqual([
      402,
      'ServiceQuotaExceededException',
    ]);
  });
});

describe('a fault on demand', () => {
  const table = [
    ['UnauthorizedException', 401, 'UNAUTHORIZED'],
    ['AccessDeniedException', 403, 'ACCESS_DENIED'],
    ['ValidationException', 400, 'VALIDATION_ERROR'],
    ['ThrottlingException', 429, 'RATE_LIMIT_EXCEEDED'],
    ['ConflictException', 409, 'SESSION_BUSY'],
    ['RetryableConflictException', 409, 'SESSION_BUSY'],
    ['ServiceQuotaExceededException', 429, 'SERVICE_QUOTA_EXCEEDED'],
    ['RuntimeClientError', 200, 'AGENT_ERROR'],
    ['InternalServerException', 500, 'INTERNAL_ERROR'],
  ] as const;

  it.each(table)('gives %s as %i with %s', async (exception, status, code) => {
    const door = await startDoor([runtimeInput()], { faults: [{ fault: { kind: 'exception', exception } }] });

    const answer = await signedFetch(door.url);

    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(answer.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
    expect(runErrorOf(await answer.text())).toMatchObject({ type: 'RUN_ERROR', code });
    expect(exceptionNames).toContain(exception);
  });

  it('meets the calls that its rule names, as often as it says', async () => {
    const door = await startDoor([runtimeInput()], {
      faults: [
        { operation: 'StopRuntimeSession', fault: { kind: 'status', status: 504 } },
        {
          sessionId,
          times: 1,
          fault: { kind: 'exception', exception: 'ThrottlingException', retryAfterSeconds: 7 },
        },
      ],
    });

    const other = await signedFetch(door.url, { session: 't'.repeat(40) });
    const first = await signedFetch(door.url);
    const second = await signedFetch(door.url);
    const stop = await signedFetch(door.url, { path: stopPath });

    expect([other.status, first.status, second.status, stop.status]).toEqual([200, 429, 200, 504]);
    expect(first.headers.get('retry-after')).toBe('7');
  });

  it('breaks a connection before or within the answer', async () => {
    const door = await startDoor();
    const body = JSON.stringify({ do: 'stream', events: 5 });

    door.setFaults([{ fault: { kind: 'drop' } }]);
    await expect(signedFetch(door.url, { body })).rejects.toThrow();
    door.setFaults([{ fault: { kind: 'drop', after: 50 } }]);
    const answer = await signedFetch(door.url, { body });
    const reader = answer.body!.getReader();
    let bytes = 0;
    const read = async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) bytes += part.value.length;
    };

    await expect(read()).rejects.toThrow();
    expect(bytes).toBe(50);
  });

  it('can be set from outside, but not by a page, nor wrongly', async () => {
    const door = await startDoor();
    const put = (body: string, headers: Record<string, string> = {}) =>
      fetch(`${door.url}/_frontdoor/faults`, {
        method: 'PUT',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      });
    const rules = JSON.stringify([{ fault: { kind: 'exception', exception: 'ThrottlingException' } }]);

    const answers = [
      await put(rules, { origin: 'http://page.example' }),
      await put(rules, { 'content-type': 'text/plain' }),
      await put('[{"fault":{"kind":"unknown"}}]'),
      await put('{'),
      await put(rules),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 415, 400, 400, 200]);
    expect((await signedFetch(door.url)).status).toBe(429);
    expect(await (await fetch(`${door.url}/_frontdoor/sessions`)).json()).toEqual({ sessions: [] });
  });
});
