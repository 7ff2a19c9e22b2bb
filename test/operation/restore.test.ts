/**
 * A process that was frozen, and one whose clock is not where it was: what the platform makes of a memory snapshot that
 * is restored days later, again and again.
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { call, eventsOf, input, openRun, run } from '../support/requests.ts';
import {
  aborted,
  asksOnce,
  type Script,
  ScriptedKernel,
  stateOf,
  submitted,
  textOf,
  turn,
} from '../support/scripted-kernel.ts';
import { startServerProcess } from '../support/server-process.ts';
import { startServer, temporaryFolder } from '../support/servers.ts';
import { hasEnded, openSocket } from '../support/sockets.ts';
import { JumpingClock } from './jumping-clock.ts';

const day = 86_400_000;
const works: Script = async function* (_send, names, signal) {
  yield [submitted(names), textOf(names, 'working')];
  await aborted(signal);
};

describe('a clock that jumps ahead', () => {
  it('leaves no stamp of before in /ping, and the stamps after it are right', async () => {
    const clock = new JumpingClock();
    const server = await startServer({ clock, replace: { kernel: new ScriptedKernel(turn('hello')) } });
    const before = JSON.parse((await call(`${server.url}/ping`, { method: 'GET' })).text);

    clock.jump(3 * day);
    await run(`${server.url}/invocations`, input());
    const after = await vi.waitFor(async () => {
      const answer = JSON.parse((await call(`${server.url}/ping`, { method: 'GET' })).text);
      expect(answer.status).toBe('Healthy');
      return answer;
    });

    expect(before).toEqual({ status: 'Healthy' });
    expect(Math.abs(after.time_of_last_update * 1_000 - clock.now())).toBeLessThan(10_000);
  });

  it('expires questions by the clock, not by timers that stood still', async () => {
    const clock = new JumpingClock();
    const kernel = new ScriptedKernel(asksOnce);
    const server = await startServer({ clock, replace: { kernel } });
    const body = input();
    await run(`${server.url}/invocations`, body);

    clock.jump(day);
    const resume = [{ interruptId: 'permission-1', status: 'resolved', payload: { decision: 'allow_once' } }];
    const answer = await run(
      `${server.url}/invocations`,
      input({ threadId: body['threadId'], resume, messages: [] }),
    );

    expect(eventsOf(answer.text).at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      metadata: { 'agentcore-agui': { fault: 'EXECUTION_EXPIRED' } },
    });
    await vi.waitFor(() => expect(kernel.cancels).toEqual(['task-1']));
  });
});

describe('a clock that is set back', () => {
  it('does not silence the heartbeats of a stream', async () => {
    const clock = new JumpingClock();
    const server = await startServer({
      clock,
      environment: { AGUI_HEARTBEAT_S: '1' },
      replace: { kernel: new ScriptedKernel(works) },
    });
    const opened = await openRun(`${server.url}/invocations`, input());
    await opened.until((text) => text.includes('TEXT_MESSAGE_CONTENT'));

    clock.jump(-day);

    expect(await opened.until((text) => text.includes(': heartbeat'))).toContain(': heartbeat');
    await opened.leave();
  });

  it('does not count the messages of a socket as too many', async () => {
    const clock = new JumpingClock();
    const server = await startServer({
      clock,
      replace: { kernel: new ScriptedKernel(turn('hello')), socketLimits: { messagesPerSecond: 3 } },
    });
    const socket = await openSocket(`${server.url}/ws`);
    for (let index = 0; index < 6; index += 1) {
      socket.send(input());
      await socket.until(hasEnded(index + 1));
      clock.jump(-day);
    }

    expect(socket.socket.readyState).toBe(socket.socket.OPEN);
  });

  it('makes no time in the log negative', async () => {
    const clock = new JumpingClock();
    const goesBack: Script = async function* (_send, names) {
      yield [submitted(names)];
      clock.jump(-day);
      yield [textOf(names, 'hello'), stateOf(names, 'TASK_STATE_COMPLETED')];
    };
    const server = await startServer({ clock, replace: { kernel: new ScriptedKernel(goesBack) } });

    await run(`${server.url}/invocations`, input());

    const ended = server.log.find(({ event }) => event === 'run ended');
    for (const name of ['firstEventMs', 'kernelMs', 'durationMs']) {
      expect(ended?.fields[name], name).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('a process that is frozen while a run is going on', () => {
  it('goes on where it was: the stream to its end, /ping, and new runs', async () => {
    const server = await startServerProcess({ AGUI_HEARTBEAT_S: '1' });
    const opened = await openRun(`${server.url}/invocations`, input());

    server.child.kill('SIGSTOP');
    // As long as the process stands still, nothing answers: this request waits for it to be thawed.
    const ping = call(`${server.url}/ping`, { method: 'GET' });
    await expect(Promise.race([ping, nextTimer(1_200)])).resolves.toBe('silent');
    server.child.kill('SIGCONT');

    expect(eventsOf(await opened.ended).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect((await ping).status).toBe(200);
    const again = eventsOf((await run(`${server.url}/invocations`, input())).text);
    expect(again.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(again.filter(({ type }) => type === 'RUN_ERROR')).toEqual([]);
  });
});

describe('two processes that go on from one state', () => {
  it('answer the same question each, and name what they do differently', async () => {
    const first = await startServer({ replace: { kernel: new ScriptedKernel(asksOnce) } });
    const asked = input();
    await run(`${first.url}/invocations`, asked);
    await first.stop();
    const copies = await Promise.all(
      [1, 2].map(async () => {
        const folder = await temporaryFolder();
        await cp(first.folder, folder, { recursive: true });
        // The workspaces stay where they were, as they do in a restored machine.
        const environment = { AGUI_WORKSPACE_DIR: join(first.folder, 'workspace') };
        return startServer({ folder, environment, replace: { kernel: new ScriptedKernel(asksOnce) } });
      }),
    );
    const resume = [{ interruptId: 'permission-1', status: 'resolved', payload: { decision: 'allow_once' } }];
    const answered = { ...input({ threadId: asked['threadId'] }), resume, messages: [] };
    const next = input();

    const answers = await Promise.all(copies.map(({ url }) => run(`${url}/invocations`, answered)));
    const others = await Promise.all(copies.map(({ url }) => run(`${url}/invocations`, next)));

    for (const { text } of answers) expect(eventsOf(text).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    const names = others.map(({ text, headers }) => [
      headers['x-amzn-requestid'],
      /"executionId":"([^"]+)"/.exec(text)?.[1],
    ]);
    expect(new Set(names.flat()).size).toBe(4);
  });
});

function nextTimer(ms: number): Promise<'silent'> {
  return new Promise((resolve) => setTimeout(resolve, ms, 'silent'));
}
