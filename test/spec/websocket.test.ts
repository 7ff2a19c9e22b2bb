/** `/ws`: the same runs as by HTTP, one raw JSON event per text frame, many runs per socket. */
import { describe, expect, it } from 'vitest';
import { eventsOf, input, run } from '../support/requests.ts';
import { aborted, ScriptedKernel, submitted, textOf, turn } from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { hasEnded, openSocket, refusedUpgrade } from '../support/sockets.ts';
import { verifiesOn } from './verifies.ts';

describe('a socket', () => {
  it('gets one raw JSON event per frame, the same events as by POST /invocations', async () => {
    verifiesOn('ws', 'ws.path', 'ws.conversation', 'transport.websocket');
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('Hel', 'lo')) } });
    const socket = await openSocket(`${server.url}/ws`);
    const overHttp = eventsOf((await run(`${server.url}/invocations`, input())).text);

    socket.send(input());
    const overSocket = await socket.until(hasEnded(1));

    expect(overSocket.map(({ type, delta }) => [type, delta])).toEqual(
      overHttp.map(({ type, delta }) => [type, delta]),
    );
    for (const frame of socket.frames) expect(frame).toMatch(/^\{"type":"[A-Z_]+"/);
  });

  it('runs many turns of several threads one after the other', async () => {
    verifiesOn('ws', 'ws.multi-turn');
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });
    const socket = await openSocket(`${server.url}/ws`);
    const bodies = [input(), input(), input({ threadId: 'shared' }), input({ threadId: 'shared' })];

    for (const [index, body] of bodies.entries()) {
      socket.send(body);
      await socket.until(hasEnded(index + 1));
    }

    const started = socket.events.filter(({ type }) => type === 'RUN_STARTED');
    expect(started.map(({ runId }) => runId)).toEqual(bodies.map((body) => body['runId']));
  });

  it('stays usable after a message that is wrong, and says which run was meant', async () => {
    verifiesOn('ws', 'ws.bad-message');
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });
    const socket = await openSocket(`${server.url}/ws`);

    socket.send('not json');
    socket.send('[]');
    socket.send({ control: 'reboot' });
    socket.send(input({ runId: 'wrong', messages: 7 }));
    await socket.until(hasEnded(4));
    socket.send(input());
    await socket.until(hasEnded(5));

    expect(socket.events.slice(0, 4)).toMatchObject([
      { type: 'RUN_ERROR', code: 'VALIDATION_ERROR' },
      { type: 'RUN_ERROR', code: 'VALIDATION_ERROR' },
      { type: 'RUN_ERROR', code: 'VALIDATION_ERROR' },
      { type: 'RUN_ERROR', code: 'VALIDATION_ERROR', metadata: { 'agentcore-agui': { runId: 'wrong' } } },
    ]);
    expect(socket.events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  it('answers ping with pong', async () => {
    const server = await startServer();
    const socket = await openSocket(`${server.url}/ws`);

    socket.send({ control: 'ping' });
    await socket.until((events) => events.length > 0);

    expect(socket.frames).toEqual(['{"control":"pong"}']);
  });

  it('ends a run by cancel, and the next run of the thread starts at once', async () => {
    verifiesOn('ws', 'ws.user-interrupts');
    let isFirst = true;
    const kernel = new ScriptedKernel(async function* (send, names, signal) {
      if (!isFirst) return yield* turn('again')(send, names, signal);
      isFirst = false;
      yield [submitted(names), textOf(names, 'thinking')];
      await aborted(signal);
    });
    const server = await startServer({ replace: { kernel } });
    const socket = await openSocket(`${server.url}/ws`);
    const first = input({ protocolVersion: '1.0' });
    socket.send(first);
    await socket.until((events) => events.some(({ delta }) => delta === 'thinking'));

    socket.send({ control: 'cancel', threadId: first['threadId'], runId: first['runId'] });
    await socket.until(hasEnded(1));
    socket.send(input({ threadId: first['threadId'] }));
    const events = await socket.until(hasEnded(2));

    const endings = events.filter(({ type }) => type === 'RUN_FINISHED');
    expect(endings).toMatchObject([{ outcome: { type: 'cancelled' } }, { outcome: { type: 'success' } }]);
    expect(kernel.cancels).toEqual(['task-1']);
  });

  it('that drops leaves its run going for the time of grace', async () => {
    const gate = Promise.withResolvers<void>();
    const kernel = new ScriptedKernel(async function* (send, names, signal) {
      yield [submitted(names), textOf(names, 'thinking')];
      await gate.promise;
      yield* turn('done')(send, names, signal);
    });
    const server = await startServer({ replace: { kernel } });
    const socket = await openSocket(`${server.url}/ws`);
    const body = input();
    socket.send(body);
    await socket.until((events) => events.some(({ delta }) => delta === 'thinking'));

    socket.socket.terminate();
    await socket.closed;
    const busy = await run(`${server.url}/invocations`, input({ threadId: body['threadId'] }));
    gate.resolve();

    expect(busy.status).toBe(409);
    expect(kernel.cancels).toEqual([]);
  });

  it('is refused before 101 by path, by origin and without a token, as a plain HTTP answer', async () => {
    const server = await startServer({
      environment: { AGUI_AUTH_TOKEN: 'token', AGUI_CORS_ORIGINS: 'https://friend.example' },
    });
    const bearer = { authorization: 'Bearer token' };

    const path = await refusedUpgrade(`${server.url}/other`, bearer);
    const origin = await refusedUpgrade(`${server.url}/ws`, { ...bearer, origin: 'https://evil.example' });
    const token = await refusedUpgrade(`${server.url}/ws`);
    const friend = await openSocket(`${server.url}/ws`, { ...bearer, origin: 'https://friend.example' });

    expect([path.status, origin.status, token.status]).toEqual([404, 403, 401]);
    expect(token.headers['www-authenticate']).toBe('Bearer');
    expect(eventsOf(origin.text)).toMatchObject([{ type: 'RUN_ERROR', code: 'ACCESS_DENIED' }]);
    expect(friend.socket.readyState).toBe(friend.socket.OPEN);
  });

  it('is told goodbye with 1001 when the server stops, after its run got a terminal event', async () => {
    const kernel = new ScriptedKernel(async function* (_send, names, signal) {
      yield [submitted(names), textOf(names, 'thinking')];
      await aborted(signal);
    });
    const server = await startServer({ replace: { kernel } });
    const socket = await openSocket(`${server.url}/ws`);
    socket.send(input());
    await socket.until((events) => events.some(({ delta }) => delta === 'thinking'));

    await server.stop();

    expect((await socket.closed).code).toBe(1001);
    expect(socket.events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'CANCELLED' });
  });
});
