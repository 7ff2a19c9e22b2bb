/** One container process per session: when it starts, what it shares, and each way in which it ends. */
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runtimeInput, startDoor, type TestDoor } from '../../support/front-door.ts';
import type { Wish } from '../../support/scripted-container.ts';
import { temporaryFolder } from '../../support/servers.ts';
import { invocations, runErrorOf, sessionId, signedFetch } from '../../support/signed-fetch.ts';

const other = 't'.repeat(40);
const stopPath = invocations.replace('invocations', 'stopruntimesession');

async function echo(door: TestDoor, session = sessionId) {
  const answer = await signedFetch(door.url, { session });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { calls: number; env: Record<string, string> };
}

const ask = (door: TestDoor, wish: Wish) => signedFetch(door.url, { body: JSON.stringify(wish) });

describe('a session', () => {
  it('starts with its first call, is used again, and is apart from others', async () => {
    const door = await startDoor();

    expect((await echo(door)).calls).toBe(1);
    const again = await echo(door);
    const apart = await echo(door, other);

    expect([again.calls, apart.calls]).toEqual([2, 1]);
    expect(again.env['HOME']).not.toBe(apart.env['HOME']);
    expect(door.sessions().map(({ state }) => state)).toEqual(['active', 'active']);
  });

  it('gives its container the platform’s variables and nothing of the front door’s own', async () => {
    const door = await startDoor([runtimeInput({ environment: { OWN: '{port} {folder}' } })]);

    const { env } = await echo(door);

    expect(env).toMatchObject({
      AWS_REGION: 'us-west-2',
      AGENTCORE_RUNTIME_URL: `${door.url}${invocations}`,
      OWN: expect.stringMatching(/^\d+ \/.*session-/),
    });
    expect(env).not.toHaveProperty('VITEST');
    expect(env).not.toHaveProperty('AWS_SECRET_ACCESS_KEY');
  });

  it('is stopped on demand, and its id begins anew with an empty memory', async () => {
    const door = await startDoor();
    await echo(door);

    const stopped = await signedFetch(door.url, { path: stopPath });
    const gone = await signedFetch(door.url, { path: stopPath });

    expect([stopped.status, gone.status]).toEqual([200, 404]);
    expect(gone.headers.get('x-amzn-errortype')).toBe('ResourceNotFoundException');
    expect((await echo(door)).calls).toBe(1);
  });

  it('is stopped by force when it does not listen', async () => {
    const door = await startDoor([runtimeInput({ limits: { stopSeconds: 0.2 } }, { ignoreTerm: true })]);
    await echo(door);

    expect((await signedFetch(door.url, { path: stopPath })).status).toBe(200);
    expect(await door.seen('container-exited')).toMatchObject({ signal: 'SIGKILL' });
  });

  it('answers a call that meets its start or its stop with a conflict that may be retried', async () => {
    const door = await startDoor([runtimeInput({ limits: { stopSeconds: 0.3 } }, { ignoreTerm: true })]);

    const statuses = await Promise.all([1, 2].map(() => signedFetch(door.url)));
    const stopping = signedFetch(door.url, { path: stopPath });
    await door.seen('session-ending');
    const met = await signedFetch(door.url);

    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(runErrorOf(await met.text())).toEqual({
      type: 'RUN_ERROR',
      code: 'SESSION_BUSY',
      message: 'Session operation in progress, please retry',
    });
    expect(met.headers.get('x-amzn-errortype')).toBe('RetryableConflictException');
    expect((await stopping).status).toBe(200);
    expect((await signedFetch(door.url)).status).toBe(200);
  });

  it('keeps its storage over a stop where it has one, and its other files never', async () => {
    const folder = await temporaryFolder();
    const door = await startDoor([
      runtimeInput({ sessionStorage: { folder }, environment: { MOUNT: '{storage}' } }),
    ]);

    const first = await echo(door);
    await signedFetch(door.url, { path: stopPath });
    const second = await echo(door);

    expect(await readdir(join(folder, 'agent-AbCdEf'))).toEqual([sessionId]);
    expect(first.env['MOUNT']).not.toBe(second.env['MOUNT']);
    expect(first.env['HOME']).not.toBe(second.env['HOME']);
    await expect(readdir(first.env['HOME'] ?? '')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

it.each(['ready', 'start'] as const)('storage that is mounted at %s is there then', async (mountAt) => {
  const folder = await temporaryFolder();
  const command = ['/bin/sh', '-c', 'ls -d {storage} >&2; exec "$0" "$@"', ...runtimeInput().command];
  const door = await startDoor([
    runtimeInput({ command, sessionStorage: { folder, mountAt }, environment: { MOUNT: '{storage}' } }),
  ]);

  const { env } = await echo(door);
  const { text } = await door.seen('container-output');

  expect(text === `${env['MOUNT']}\n`).toBe(mountAt === 'start');
  expect(await realpath(env['MOUNT'] ?? '')).toBe(await realpath(join(folder, 'agent-AbCdEf', sessionId)));
});

describe('the life of a session', () => {
  const shortIdle = { lifecycle: { idleRuntimeSessionTimeout: 0.3, maxLifetime: 60 } };
  const shortLife = { idleRuntimeSessionTimeout: 1, maxLifetime: 2.5 };
  const longEnoughForThreeSeconds = { idleRuntimeSessionTimeout: 2.5, maxLifetime: 5 };

  it('ends when it is idle, also under an open request of a container that says it is not busy', async () => {
    const door = await startDoor([runtimeInput(shortIdle)]);

    const hanging = await ask(door, { do: 'hang' });

    expect(await door.seen('session-ended')).toMatchObject({ reason: 'idle' });
    expect(hanging.status).toBe(200);
    expect(runErrorOf(await hanging.text())).toMatchObject({
      code: 'AGENT_ERROR',
      message: expect.stringContaining('the session ended (idle)'),
    });
  });

  it.each([
    ['is busy', '{"status":"HealthyBusy","time_of_last_update":1700000000}', undefined],
    ['is busy without a stamp, which the documents allow', '{"status":"HealthyBusy"}', 'busy-without-stamp'],
    [
      'stamps every ping with the present time',
      '{"status":"Healthy","time_of_last_update":{now}}',
      'stamp-always-advances',
    ],
  ])(
    'goes on to its maximum lifetime while its container %s',
    async (_what, ping, report) => {
      const lifecycle = report === 'stamp-always-advances' ? longEnoughForThreeSeconds : shortLife;
      const door = await startDoor([runtimeInput({ lifecycle }, { ping })]);
      await echo(door);

      const wrong = report === undefined ? undefined : await door.seen('ping-wrong');

      expect(await door.seen('session-ended')).toMatchObject({ reason: 'lifetime' });
      expect(wrong?.['kind']).toBe(report);
      expect(door.log.filter(({ event }) => event === 'ping-wrong')).toHaveLength(
        report === undefined ? 0 : 1,
      );
    },
    20_000,
  );

  it('is idle when busy without a stamp, as users have measured, where the rule is so', async () => {
    const door = await startDoor([
      runtimeInput(
        { ...shortIdle, ping: { everySeconds: 0.05, busyRule: 'observed' } },
        { ping: '{"status":"HealthyBusy"}' },
      ),
    ]);
    await echo(door);

    expect(await door.seen('session-ended')).toMatchObject({ reason: 'idle' });
  });

  it('is lost when its container stops answering pings', async () => {
    const door = await startDoor([
      runtimeInput({ ping: { everySeconds: 0.05, timeoutSeconds: 0.1, failures: 2 } }),
    ]);
    await echo(door);
    const pid = door.sessions()[0]?.processId ?? 0;

    process.kill(pid, 'SIGSTOP');
    const ending = await door.seen('session-ending');
    process.kill(pid, 'SIGKILL');

    expect(ending).toMatchObject({ reason: 'unhealthy' });
  });

  it('is over when its container dies, and the next call gets a new one', async () => {
    const door = await startDoor();

    const dying = await ask(door, { do: 'die' });

    expect(dying.status).toBe(200);
    expect(runErrorOf(await dying.text())).toMatchObject({ code: 'AGENT_ERROR' });
    await door.seen('session-ended');
    expect((await echo(door)).calls).toBe(1);
  });
});

it('a session that is still starting ends with the front door', async () => {
  const door = await startDoor([runtimeInput({}, { pingStatus: 503 })]);

  const starting = signedFetch(door.url);
  starting.catch(() => undefined);
  await door.seen('session-starting');
  await door.stop();

  expect(await door.seen('session-ended')).toMatchObject({ reason: 'door-closed' });
  expect(door.sessions()).toEqual([]);
  expect(door.log.some(({ event }) => event === 'session-started')).toBe(false);
});

describe('a container that does not start', () => {
  it.each([
    ['ends at once', { crash: true }, /ended before its first healthy/],
    ['is never healthy', { pingStatus: 503 }, /initialization time exceeded/],
  ])('and %s is an agent error, and on HTTP runtimes 424', async (_what, script, message) => {
    const limits = { startSeconds: 0.5 };
    const agui = await startDoor([runtimeInput({ limits }, script)]);
    const http = await startDoor([runtimeInput({ limits, protocol: 'HTTP' }, script)]);

    const told = await signedFetch(agui.url);
    const native = await signedFetch(http.url);

    expect(runErrorOf(await told.text())).toMatchObject({
      code: 'AGENT_ERROR',
      message: expect.stringMatching(message),
    });
    expect([told.status, native.status]).toEqual([200, 424]);
    expect(native.headers.get('x-amzn-errortype')).toBe('RuntimeClientError');
    expect(agui.sessions()).toEqual([]);
  });

  it('since its command is not there, is an agent error too', async () => {
    const door = await startDoor([runtimeInput({ command: ['/no/such/program'] })]);

    expect(runErrorOf(await (await signedFetch(door.url)).text())).toMatchObject({ code: 'AGENT_ERROR' });
  });
});
