/** Connections on every door: heartbeats while nothing happens, and what it means when a client goes away. */
import { describe, expect, it } from 'vitest';
import { Conversation, everyDoor, faultOf, lastOf } from '../support/conversation.ts';
import { call, eventsOf, openRun, run } from '../support/requests.ts';
import { aborted, ScriptedKernel, submitted, textOf, turn } from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { verifiesOn } from './verifies.ts';

const isThinking = (events: readonly { readonly type: string }[]) =>
  events.some(({ type }) => type === 'TEXT_MESSAGE_CONTENT');

/** A kernel that thinks for ever the first time, and answers afterwards. */
function thinkingFirst(): ScriptedKernel {
  let isFirst = true;
  return new ScriptedKernel(async function* (send, names, signal) {
    if (!isFirst) return yield* turn('hello')(send, names, signal);
    isFirst = false;
    yield [submitted(names), textOf(names, 'thinking')];
    await aborted(signal);
  });
}

const sseDoors = [
  ['iac-code', '/'],
  ['agentcore', '/invocations'],
] as const;

describe.each(sseDoors)('an SSE stream of the door %s', (door, path) => {
  it('has the comment : heartbeat whenever nothing happened for the set time, and no event for it', async () => {
    verifiesOn('iac-code', 'sse.heartbeat', 'sse.heartbeat-no-event');
    verifiesOn('agentcore', 'sse.heartbeat', 'sse.heartbeat-no-event');
    const server = await startServer({
      replace: { kernel: thinkingFirst() },
      environment: { AGUI_HEARTBEAT_S: '1' },
    });
    const talk = new Conversation(server, door);
    const opened = await openRun(`${server.url}${path}`, talk.body());

    const text = await opened.until((sofar) => sofar.split(': heartbeat\n\n').length > 2);

    const records = text.trimEnd().split('\n\n');
    expect(records.filter((record) => record.includes('heartbeat'))).toEqual([': heartbeat', ': heartbeat']);
    expect(eventsOf(text).map(({ type }) => type)).toEqual([
      'RUN_STARTED',
      'CUSTOM',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
    ]);
    await opened.leave();
  });

  it('beats after 15 seconds where nothing else is set', async () => {
    const { readConfig } = await import('../../src/server/config.ts');

    expect(readConfig({ AGUI_CONFIG_DIR: '/nowhere' }).heartbeatMs).toBe(15_000);
  });

  it('that is left cancels its task, and the thread is free', async () => {
    verifiesOn('iac-code', 'disconnect.cancels-run');
    verifiesOn('agentcore', 'disconnect.cancels-run');
    const kernel = thinkingFirst();
    const talk = new Conversation(await startServer({ replace: { kernel } }), door);
    const opened = await talk.open();
    await opened.until(isThinking);

    await opened.leave();
    while (talk.server.parts.liveRuns.count > 0) await call(`${talk.server.url}/ping`, { method: 'GET' });
    const next = await talk.say();

    expect(kernel.cancels).toEqual(['task-1']);
    expect(lastOf(next)).toMatchObject({ outcome: { type: 'success' } });
  });
});

describe('a socket', () => {
  it('that is lost leaves its run going, and it can be attached again', async () => {
    const gate = Promise.withResolvers<void>();
    const kernel = new ScriptedKernel(async function* (send, names, signal) {
      yield [submitted(names), textOf(names, 'thinking')];
      await gate.promise;
      yield* turn('done')(send, names, signal);
    });
    const talk = new Conversation(await startServer({ replace: { kernel } }), 'ws');
    const body = talk.body();
    const opened = await talk.open(body);
    await opened.until(isThinking);

    await opened.leave();
    const busy = await talk.say();
    gate.resolve();
    const attached = await run(`${talk.server.url}/invocations`, {
      control: 'attach',
      threadId: body['threadId'],
      runId: body['runId'],
    });

    expect(faultOf(busy)).toBe('THREAD_BUSY');
    expect(eventsOf(attached.text).at(-1)).toMatchObject({ outcome: { type: 'success' } });
    expect(kernel.cancels).toEqual([]);
  });
});

describe.each(everyDoor)('a deployment', (door) => {
  it(`may have a lost connection cancel or detach on every door (door: ${door})`, async () => {
    const kernel = thinkingFirst();
    const environment = { AGUI_ON_DISCONNECT: 'detach', AGUI_DETACH_GRACE_S: '60' };
    const talk = new Conversation(await startServer({ replace: { kernel }, environment }), door);
    const opened = await talk.open();
    await opened.until(isThinking);

    await opened.leave();
    const busy = await talk.say();

    expect(faultOf(busy)).toBe('THREAD_BUSY');
    expect(kernel.cancels).toEqual([]);
  });
});
