/** Nothing lasts for ever: neither a run whose kernel never ends, nor a stream that the platform would cut. */
import { describe, expect, it, vi } from 'vitest';
import { AgentCoreClient } from '../../src/client/client.ts';
import type { ReceivedEvent } from '../../src/client/transport.ts';
import { inputOf } from '../support/hostile-server.ts';
import { eventsOf, input, openRun, run } from '../support/requests.ts';
import {
  aborted,
  asksOnce,
  type Script,
  ScriptedKernel,
  stateOf,
  submitted,
  textOf,
} from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { hasEnded, openSocket } from '../support/sockets.ts';

const neverEnds: Script = async function* (_send, names, signal) {
  yield [submitted(names), textOf(names, 'working')];
  await aborted(signal);
};

/** Says something, and the rest when the test wants it. */
function saysTheRest(when: Promise<void>): Script {
  return async function* (_send, names) {
    yield [submitted(names), textOf(names, 'one ')];
    await when;
    yield [textOf(names, 'two'), stateOf(names, 'TASK_STATE_COMPLETED')];
  };
}

const textIn = (events: readonly { readonly type: string }[]): string =>
  events.map((event) => ('delta' in event ? String(event.delta) : '')).join('');

describe('a run that takes longer than AGUI_RUN_DEADLINE_S', () => {
  const environment = { AGUI_RUN_DEADLINE_S: '1' };

  it('is stopped with an error, its task cancelled, and its thread free', async () => {
    const kernel = new ScriptedKernel(neverEnds);
    const server = await startServer({ environment, replace: { kernel } });
    const body = input();

    const events = eventsOf((await run(`${server.url}/invocations`, body)).text);

    expect(events.at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'AGENT_ERROR',
      message: expect.stringContaining('longer than allowed'),
      metadata: { 'agentcore-agui': { fault: 'A2A_EXECUTION_FAILED', retryable: true } },
    });
    expect(kernel.cancels).toEqual(['task-1']);
    await vi.waitFor(() => expect(server.parts.liveRuns.count).toBe(0));
    const again = await openRun(`${server.url}/invocations`, input({ threadId: body['threadId'] }));
    expect(again.status).toBe(200);
    await again.leave();
  });

  it('is stopped also where nobody reads it, so that it holds no session', async () => {
    const server = await startServer({
      environment: { ...environment, AGUI_ON_DISCONNECT: 'detach' },
      replace: { kernel: new ScriptedKernel(neverEnds) },
    });
    const opened = await openRun(`${server.url}/invocations`, input());
    await opened.leave();

    await vi.waitFor(() => expect(server.parts.health.read().status).toBe('Healthy'), 5_000);

    expect(server.log.find(({ event }) => event === 'run ended')?.fields).toMatchObject({
      outcome: 'failed',
      reason: 'run-deadline',
    });
  });

  it('is stopped also when the kernel never says anything', async () => {
    const silent: Script = async function* (_send, _names, signal) {
      await aborted(signal);
      yield [];
    };
    const server = await startServer({ environment, replace: { kernel: new ScriptedKernel(silent) } });

    const events = eventsOf((await run(`${server.url}/invocations`, input())).text);

    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'AGENT_ERROR' });
  });

  it('does not touch questions that wait: they have a time of their own', async () => {
    const byText: Script = (send, names, signal) =>
      JSON.stringify(send.message).includes('never end')
        ? neverEnds(send, names, signal)
        : asksOnce(send, names, signal);
    const server = await startServer({ environment, replace: { kernel: new ScriptedKernel(byText) } });
    const body = input();
    await run(`${server.url}/invocations`, body);
    // Another run that is stopped by its deadline: so the first one's time is over too.
    await run(
      `${server.url}/invocations`,
      input({ messages: [{ id: 'm', role: 'user', content: 'never end' }] }),
    );
    const resume = [{ interruptId: 'permission-1', status: 'resolved', payload: { decision: 'allow_once' } }];

    const answer = await run(
      `${server.url}/invocations`,
      input({ threadId: body['threadId'], resume, messages: [] }),
    );

    expect(eventsOf(answer.text).at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: { type: 'success' },
    });
  });
});

describe('a stream that takes longer than AGUI_STREAM_DEADLINE_S', () => {
  const environment = { AGUI_STREAM_DEADLINE_S: '1' };

  it('ends with a fault that says so, and its run goes on and can be attached to without loss', async () => {
    const rest = Promise.withResolvers<void>();
    const kernel = new ScriptedKernel(saysTheRest(rest.promise));
    const server = await startServer({ environment, replace: { kernel } });
    const body = input();

    const first = await run(`${server.url}/invocations`, body);
    const events = eventsOf(first.text);
    const lastId = /id: (\d+)\n(?!.*id: )/s.exec(first.text)?.[1];
    rest.resolve();
    const { threadId, runId } = body;
    const attach = { control: 'attach', threadId, runId, after: Number(lastId), protocolVersion: '1.0' };
    const second = eventsOf((await run(`${server.url}/invocations`, attach)).text);

    expect(events.at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'AGENT_ERROR',
      metadata: { 'agentcore-agui': { fault: 'STREAM_DEADLINE', retryable: true } },
    });
    expect(textIn([...events, ...second])).toBe('one two');
    expect(second.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(kernel.cancels).toEqual([]);
  });

  it('is no event for a client of ours, which reads on', async () => {
    const rest = Promise.withResolvers<void>();
    const server = await startServer({
      environment,
      replace: { kernel: new ScriptedKernel(saysTheRest(rest.promise)) },
    });
    const client = new AgentCoreClient({ target: { kind: 'url', url: server.url }, retry: { baseMs: 1 } });
    const seen: ReceivedEvent[] = [];
    const hasEnded = vi.waitFor(
      () => expect(server.log.some(({ event }) => event === 'request ended')).toBe(true),
      5_000,
    );
    void hasEnded.then(rest.resolve);

    for await (const event of client.run(inputOf())) seen.push(event);

    await hasEnded;
    expect(textIn(seen)).toBe('one two');
    expect(seen.map(({ type }) => type).filter((type) => type.startsWith('RUN_'))).toEqual([
      'RUN_STARTED',
      'RUN_FINISHED',
    ]);
  });

  it('goes on at the door of iac-code, whose runs can not be attached to', async () => {
    const rest = Promise.withResolvers<void>();
    const server = await startServer({
      environment,
      replace: { kernel: new ScriptedKernel(saysTheRest(rest.promise)) },
    });
    const iacCode = { schemaVersion: 1, rosInvocationId: 'i', cwd: server.folder };
    const opened = await openRun(`${server.url}/`, input({ forwardedProps: { iacCode } }));

    // Begun later, and ended by its time.
    await run(`${server.url}/invocations`, input());
    rest.resolve();

    expect(eventsOf(await opened.ended).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  it('closes an old socket as going away; its run goes on', async () => {
    const rest = Promise.withResolvers<void>();
    const server = await startServer({
      environment,
      replace: { kernel: new ScriptedKernel(saysTheRest(rest.promise)), socketLimits: { pingMs: 500 } },
    });
    const socket = await openSocket(`${server.url}/ws`);
    const body = input();
    socket.send(body);

    const closed = await socket.closed;
    const again = await openSocket(`${server.url}/ws`);
    again.send({ control: 'attach', threadId: body['threadId'], runId: body['runId'], after: 0 });
    rest.resolve();
    const events = await again.until(hasEnded(1));

    expect(closed).toMatchObject({ code: 1001 });
    expect(textIn(events)).toBe('one two');
  });
});
