/** The wire of `/ws` as docs/protocol.md writes it down: frame size and rate, reconnecting without loss, framing, ends. */
import { describe, expect, it } from 'vitest';
import { KernelError } from '../../src/errors/kernel-error.ts';
import { eventsOf, input, openRun, run, type WireEvent } from '../support/requests.ts';
import { aborted, ScriptedKernel, stateOf, submitted, textOf, turn } from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { hasEnded, openSocket } from '../support/sockets.ts';

const saidIn = (events: readonly WireEvent[]): string =>
  events
    .filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
    .map(({ delta }) => delta)
    .join('');

function cursorOf(event: WireEvent | undefined): { id: number; offset?: number } {
  return Object(Object(event?.['metadata'])['agentcore-agui']);
}

describe('frames', () => {
  it('are never larger than 32 KB: a long delta is cut between code points, a big result comes in parts', async () => {
    const long = '🙂é"\\\n'.repeat(20_000);
    const kernel = new ScriptedKernel(async function* (_send, names) {
      const tool = (fields: object) => ({
        statusUpdate: {
          taskId: names.taskId,
          contextId: names.contextId,
          status: { state: 'TASK_STATE_WORKING' },
          metadata: { iac_code: { tool: { toolUseId: 'u', name: 'read', ...fields } } },
        },
      });
      yield [
        submitted(names),
        textOf(names, long),
        tool({ status: 'input_complete', toolInput: {} }),
        tool({ status: 'completed', result: long }),
      ];
      yield [stateOf(names, 'TASK_STATE_COMPLETED')];
    });
    const server = await startServer({ replace: { kernel } });
    const socket = await openSocket(`${server.url}/ws`);

    socket.send(input());
    const events = await socket.until(hasEnded(1));

    for (const frame of socket.frames) expect(Buffer.byteLength(frame)).toBeLessThanOrEqual(32_768);
    expect(saidIn(events)).toBe(long);
    for (const { delta } of events) expect(String(delta ?? '').isWellFormed()).toBe(true);
    const parts = events
      .filter(({ name }) => name === 'agentcore-agui.part.v1')
      .map(({ value }) => Object(value)['text']);
    expect(JSON.parse(parts.join(''))).toMatchObject({ type: 'TOOL_CALL_RESULT', content: long });
    expect(events.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({
      toolCallId: 'u',
      metadata: { 'agentcore-agui': { truncated: true } },
    });
  });

  it('are at most 200 in any second, and nothing is lost or out of order for it', async () => {
    const texts = Array.from({ length: 5_000 }, (_none, index) => `${index} `);
    const kernel = new ScriptedKernel(async function* (_send, names) {
      yield [submitted(names)];
      for (const text of texts) {
        yield [textOf(names, text)];
        await new Promise((resolve) => setImmediate(resolve));
      }
      yield [stateOf(names, 'TASK_STATE_COMPLETED')];
    });
    const server = await startServer({ replace: { kernel } });
    const socket = await openSocket(`${server.url}/ws`);
    const times: number[] = [];
    socket.socket.on('message', () => times.push(performance.now()));

    socket.send(input());
    const events = await socket.until(hasEnded(1));

    expect(saidIn(events)).toBe(texts.join(''));
    const busiest = Math.max(
      ...times.map((from) => times.filter((time) => time >= from && time < from + 1_000).length),
    );
    expect(busiest).toBeLessThanOrEqual(200);
  });

  it('hold SSE records for clients that ask for that framing', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });
    const { WebSocket } = await import('ws');
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws?framing=sse`);
    let text = '';

    socket.once('open', () => socket.send(JSON.stringify(input())));
    await new Promise<void>((resolve) =>
      socket.on('message', (data) => {
        text += String(data);
        if (text.includes('RUN_FINISHED')) resolve();
      }),
    );
    socket.terminate();

    expect(eventsOf(text).map(({ type }) => type)).toContain('TEXT_MESSAGE_CONTENT');
  });
});

describe('attach', () => {
  /** Says the numbers from 0 on, as far as the test lets it. */
  function counting(gate: { open: (count: number) => Promise<void> }, count: number) {
    return new ScriptedKernel(async function* (_send, names) {
      yield [submitted(names)];
      for (let index = 0; index < count; index += 1) {
        await gate.open(index);
        yield [textOf(names, `${index} `)];
      }
      yield [stateOf(names, 'TASK_STATE_COMPLETED')];
    });
  }

  it('gives what was missed exactly once, over a socket and by POST, wherever the socket was cut', async () => {
    const gate = Promise.withResolvers<void>();
    const kernel = counting({ open: (index) => (index < 50 ? Promise.resolve() : gate.promise) }, 100);
    const server = await startServer({ replace: { kernel } });
    const socket = await openSocket(`${server.url}/ws`);
    const body = input();
    socket.send(body);
    await socket.until((events) => saidIn(events).includes('49 '));
    const seen = [...socket.events];
    socket.socket.terminate();
    await socket.closed;
    gate.resolve();
    const expected = Array.from({ length: 100 }, (_none, index) => `${index} `).join('');

    for (const cut of [1, 3, Math.floor(seen.length / 2), seen.length]) {
      const kept = seen.slice(0, cut);
      const attach = {
        control: 'attach',
        threadId: body['threadId'],
        runId: body['runId'],
        after: cursorOf(kept.at(-1)).id,
      };
      const again = await openSocket(`${server.url}/ws`);
      again.send(attach);
      const bySocket = await again.until(hasEnded(1));
      const byPost = await run(`${server.url}/invocations`, attach);

      expect(saidIn([...kept, ...bySocket])).toBe(expected);
      expect(saidIn([...kept, ...eventsOf(byPost.text)])).toBe(expected);
      expect(bySocket.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    }
  });

  it('goes on inside a long delta that was cut', async () => {
    const long = 'abcdefghij'.repeat(5_000);
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn(long)) } });
    const socket = await openSocket(`${server.url}/ws`);
    const body = input();
    socket.send(body);
    await socket.until(hasEnded(1));
    const pieces = socket.events.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT');
    const { id, offset } = cursorOf(pieces[0]);

    const rest = await run(`${server.url}/invocations`, {
      control: 'attach',
      threadId: body['threadId'],
      runId: body['runId'],
      after: id,
      offset,
    });

    expect(pieces.length).toBeGreaterThan(1);
    expect(String(pieces[0]?.['delta']) + saidIn(eventsOf(rest.text))).toBe(long);
  });

  it('from a place that is gone begins with the conversation so far, and goes on with what is open', async () => {
    const gate = Promise.withResolvers<void>();
    const chunk = 'x'.repeat(10_000);
    const kernel = new ScriptedKernel(async function* (_send, names) {
      yield [submitted(names)];
      for (let index = 0; index < 300; index += 1) yield [textOf(names, chunk)];
      await gate.promise;
      yield [textOf(names, 'the end'), stateOf(names, 'TASK_STATE_COMPLETED')];
    });
    const server = await startServer({ replace: { kernel } });
    const body = input();
    const opened = await openRun(`${server.url}/invocations`, body);
    await opened.until((text) => text.length > 300 * chunk.length);

    const attached = await openRun(`${server.url}/invocations`, {
      control: 'attach',
      threadId: body['threadId'],
      runId: body['runId'],
      after: 2,
    });
    gate.resolve();

    const events = eventsOf(await attached.ended);
    expect(events.slice(0, 3)).toMatchObject([
      { type: 'RUN_STARTED', runId: body['runId'] },
      {
        type: 'MESSAGES_SNAPSHOT',
        messages: [{ role: 'user' }, { role: 'assistant', content: chunk.repeat(300) }],
      },
      { type: 'TEXT_MESSAGE_START' },
    ]);
    expect(saidIn(events)).toBe('the end');
    await opened.ended;
  });

  it('to a run that is over gives it again, and to one that nobody knows a clear fault', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });
    const body = input();
    await run(`${server.url}/invocations`, body);
    const attach = { control: 'attach', threadId: body['threadId'], runId: body['runId'] };

    const over = await run(`${server.url}/invocations`, attach);
    const unknown = await run(`${server.url}/invocations`, { ...attach, runId: 'other' });
    const wrong = await run(`${server.url}/invocations`, { ...attach, after: -1 });

    expect(saidIn(eventsOf(over.text))).toBe('hello');
    expect(unknown.status).toBe(400);
    expect(eventsOf(unknown.text)).toMatchObject([
      { code: 'VALIDATION_ERROR', metadata: { 'agentcore-agui': { fault: 'EXECUTION_NOT_FOUND' } } },
    ]);
    expect(wrong.status).toBe(400);
  });

  it('after a restart of the server follows the task where it still lives', async () => {
    const never = new ScriptedKernel(async function* (_send, names, signal) {
      yield [submitted(names), textOf(names, 'before')];
      await aborted(signal);
    });
    const first = await startServer({ replace: { kernel: never } });
    const body = input();
    const opened = await openRun(`${first.url}/invocations`, body);
    await opened.until((text) => text.includes('before'));
    const kernel = new ScriptedKernel(turn('other'));
    const history = [{ messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'before and after' }] }];
    kernel.tasks.set('task-1', { id: 'task-1', status: { state: 'TASK_STATE_COMPLETED' }, history });
    // A second process on the same folder, as after a crash of the first.
    const second = await startServer({ replace: { kernel }, folder: first.folder });

    const attached = await run(`${second.url}/invocations`, {
      control: 'attach',
      threadId: body['threadId'],
      runId: body['runId'],
    });

    expect(saidIn(eventsOf(attached.text))).toBe('before and after');
    expect(eventsOf(attached.text).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    await opened.leave();
  });
  it.each([
    ['"task not found", as iac-code says', -32001],
    ['"unsupported operation", as the A2A libraries say', -32004],
  ])(
    'to a task that ends between the look at it and the request to follow it, refused with %s',
    async (_what, rpcCode) => {
      const never = new ScriptedKernel(async function* (_send, names, signal) {
        yield [submitted(names), textOf(names, 'before')];
        await aborted(signal);
      });
      const first = await startServer({ replace: { kernel: never } });
      const body = input();
      const opened = await openRun(`${first.url}/invocations`, body);
      await opened.until((text) => text.includes('before'));
      const kernel = new ScriptedKernel(turn('other'));
      const task = (state: string) => ({ id: 'task-1', status: { state } });
      kernel.tasks.set('task-1', task('TASK_STATE_WORKING'));
      // biome-ignore lint/correctness/useYield: it refuses before it has a frame.
      kernel.follow = async function* () {
        kernel.tasks.set('task-1', task('TASK_STATE_INPUT_REQUIRED'));
        throw new KernelError('refused', 'not active', { rpcCode });
      };
      const second = await startServer({ replace: { kernel }, folder: first.folder });

      const attached = await run(`${second.url}/invocations`, {
        control: 'attach',
        threadId: body['threadId'],
        runId: body['runId'],
      });

      expect(eventsOf(attached.text).at(-1)).toMatchObject({
        type: 'RUN_FINISHED',
        outcome: { type: 'success' },
      });
      await opened.leave();
    },
  );
});

describe('a client that reads slowly', () => {
  it('holds back the agent instead of filling memory, and misses nothing', async () => {
    const chunk = 'x'.repeat(10_000);
    const chunks = 300;
    let produced = 0;
    const kernel = new ScriptedKernel(async function* (_send, names) {
      yield [submitted(names)];
      for (; produced < chunks; produced += 1) yield [textOf(names, chunk)];
      yield [stateOf(names, 'TASK_STATE_COMPLETED')];
    });
    const server = await startServer({ replace: { kernel } });
    const client = await openSocket(`${server.url}/ws`);
    client.socket.pause();
    client.send(input());

    let before = -1;
    while (produced === 0 || produced !== before) {
      before = produced;
      // Round trips on other connections, while this one stands still.
      for (let index = 0; index < 50; index += 1) await run(`${server.url}/invocations`, '');
    }
    const heldAt = produced;
    client.socket.resume();
    const events = await client.until(hasEnded(1));

    expect(heldAt).toBeLessThan(chunks);
    expect(saidIn(events).length).toBe(chunks * chunk.length);
  });
});

describe('a socket is closed', () => {
  it('with 1003 for a binary frame and 1009 for a message that is too large', async () => {
    const server = await startServer({
      environment: { AGUI_MAX_BODY_BYTES: '2048' },
      replace: { kernel: new ScriptedKernel(turn('x')) },
    });
    const binary = await openSocket(`${server.url}/ws`);
    const large = await openSocket(`${server.url}/ws`);

    binary.socket.send(Buffer.from('{}'), { binary: true });
    large.send('x'.repeat(3_000));

    expect((await binary.closed).code).toBe(1003);
    expect((await large.closed).code).toBe(1009);
  });

  it('with 1007 for a text frame that is not UTF-8', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('x')) } });
    const { socket, closed } = await openSocket(`${server.url}/ws`);

    socket.send(Uint8Array.of(0x7b, 0xff, 0x7d), { binary: false });

    expect((await closed).code).toBe(1007);
  });

  it('with 1008 when its client sends more messages than it may', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('x')) } });
    const socket = await openSocket(`${server.url}/ws`);

    for (let index = 0; index < 150; index += 1) socket.send({ control: 'ping' });

    expect((await socket.closed).code).toBe(1008);
  });

  it('when its peer answers no ping, and when nothing happens on it', async () => {
    const kernel = new ScriptedKernel(turn('x'));
    const dead = await startServer({ replace: { kernel, socketLimits: { pingMs: 50 } } });
    const idle = await startServer({ replace: { kernel, socketLimits: { pingMs: 50, idleMs: 100 } } });
    const silent = await openSocket(`${dead.url}/ws`);
    silent.socket.pause();
    const quiet = await openSocket(`${idle.url}/ws`);

    expect((await quiet.closed).code).toBe(1001);
    while (dead.parts.sockets.count > 0) await run(`${dead.url}/invocations`, '');
    expect(dead.parts.sockets.count).toBe(0);
  });

  it('a browser may bring its token as a subprotocol, and gets the name back without it', async () => {
    const server = await startServer({
      environment: { AGUI_AUTH_TOKEN: 'secret token' },
      replace: { kernel: new ScriptedKernel(turn('x')) },
    });
    const { WebSocket } = await import('ws');
    const token = Buffer.from('secret token').toString('base64url');
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, [
      `base64UrlBearerAuthorization.${token}`,
      'base64UrlBearerAuthorization',
    ]);

    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });

    expect(socket.protocol).toBe('base64UrlBearerAuthorization');
    socket.terminate();
  });
});
