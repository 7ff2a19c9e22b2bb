/** Coming back to a run: against a server that loses connections, and against our own. */
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AgentCoreClient } from '../../../src/client/client.ts';
import { ClientError } from '../../../src/client/client-error.ts';
import type { ReceivedEvent } from '../../../src/client/transport.ts';
import { inputOf, refusal, runOf, sse, startHostileServer, stream } from '../../support/hostile-server.ts';
import { aborted, ScriptedKernel, stateOf, submitted, textOf, turn } from '../../support/scripted-kernel.ts';
import { startServer } from '../../support/servers.ts';

const retry = { baseMs: 1, maxMs: 4 };
const events1 = runOf('thread-1', 'run-1', 'hello');
const numbered = events1.map((event, index) => sse(event, index + 1));

async function collect(events: AsyncIterable<ReceivedEvent>): Promise<readonly ReceivedEvent[]> {
  const all: ReceivedEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('a run whose connection is lost', () => {
  it('is attached to behind the last event seen, and never sent again', async () => {
    const server = await startHostileServer({
      http: [
        stream(numbered.slice(0, 2), 'cut'),
        stream(numbered.slice(2, 3), 'reset'),
        stream(numbered.slice(3)),
      ],
    });
    const notices: string[] = [];
    const client = new AgentCoreClient({
      target: { kind: 'url', url: server.url },
      retry,
      onRetry: ({ what }) => notices.push(what),
    });

    expect(await collect(client.run(inputOf()))).toEqual(events1);
    const bodies = server.requests.map(({ body }) => JSON.parse(body));
    expect(bodies[0]).toEqual(inputOf());
    expect(bodies.slice(1)).toMatchObject([
      { control: 'attach', threadId: 'thread-1', runId: 'run-1', after: 2 },
      { control: 'attach', threadId: 'thread-1', runId: 'run-1', after: 3 },
    ]);
    expect(notices).toEqual(['attach', 'attach']);
  });

  it('closes what is open before a summary of what was missed', async () => {
    const snapshot = { type: 'MESSAGES_SNAPSHOT', messages: [] };
    const server = await startHostileServer({
      http: [
        stream(numbered.slice(0, 3), 'cut'),
        stream([
          sse(events1[0]),
          sse(snapshot),
          sse(events1[1], 40),
          sse(events1[3], 41),
          sse(events1[4], 42),
        ]),
      ],
    });
    const client = new AgentCoreClient({ target: { kind: 'url', url: server.url }, retry });

    const types = (await collect(client.run(inputOf()))).map(({ type }) => type);

    expect(types).toEqual([
      'RUN_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'MESSAGES_SNAPSHOT',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ]);
  });

  it('is told as truncated when the server does not take it back', async () => {
    const server = await startHostileServer({
      http: [stream(numbered.slice(0, 2), 'cut'), refusal(400, 'VALIDATION_ERROR', 'unknown run')],
    });
    const client = new AgentCoreClient({ target: { kind: 'url', url: server.url }, retry });

    await expect(collect(client.run(inputOf()))).rejects.toMatchObject({ code: 'TRUNCATED' });
    expect(server.requests).toHaveLength(2);
  });

  it('is attached to when its answer was lost before the first event and the server knows the run', async () => {
    const vendor = { fault: 'DUPLICATE_RUN_ID', retryable: false };
    const server = await startHostileServer({
      http: [
        (response) => void response.socket?.resetAndDestroy(),
        refusal(409, 'SESSION_BUSY', 'Resource conflict - Resource already exists', vendor),
        stream(numbered),
      ],
    });
    const client = new AgentCoreClient({
      target: { kind: 'url', url: server.url },
      retry,
      isIdempotent: true,
    });

    expect(await collect(client.run(inputOf()))).toEqual(events1);
    expect(JSON.parse(server.requests[2]!.body)).toMatchObject({ control: 'attach', after: 0 });
  });
});

/** Passes bytes on, and drops the first connection as soon as the text has gone through. Resolves `dropped` then. */
async function startDroppingProxy(port: number, text: string) {
  const dropped = Promise.withResolvers<void>();
  let isFirst = true;
  const proxy = createServer((downstream) => {
    const upstream = connect(port, '127.0.0.1');
    const mayDrop = isFirst;
    isFirst = false;
    for (const socket of [upstream, downstream]) socket.on('error', () => undefined);
    downstream.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      const isHere = chunk.includes(text);
      downstream.write(chunk, () => {
        if (!mayDrop || !isHere) return;
        upstream.destroy();
        downstream.resetAndDestroy();
        dropped.resolve();
      });
    });
    upstream.on('end', () => downstream.end());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  // A listening TCP server has an internet address.
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, dropped: dropped.promise };
}

describe('our own server', () => {
  it.each(['sse', 'ws'] as const)(
    'gives a run back whole whose connection was lost over %s',
    async (transport) => {
      const proceed = Promise.withResolvers<void>();
      const kernel = new ScriptedKernel(async function* (_send, names) {
        yield [submitted(names), textOf(names, 'first')];
        await proceed.promise;
        yield [textOf(names, ' second')];
        yield [stateOf(names, 'TASK_STATE_COMPLETED')];
      });
      const server = await startServer({
        replace: { kernel },
        environment: { AGUI_ON_DISCONNECT: 'detach' },
      });
      const proxy = await startDroppingProxy(server.port, 'first');
      void proxy.dropped.then(() => proceed.resolve());
      const client = new AgentCoreClient({ target: { kind: 'url', url: proxy.url }, transport, retry });

      const events = await collect(client.run(inputOf()));

      const text = events
        .filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
        .map((event) => event['delta']);
      expect(text.join('')).toBe('first second');
      expect(events.filter(({ type }) => type === 'RUN_STARTED')).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
      expect(kernel.sends).toHaveLength(1);
    },
  );

  it('gives equal events over both transports', async () => {
    const kernel = new ScriptedKernel(turn('Grüße ', '👋'));
    const server = await startServer({ replace: { kernel } });
    const eventsOver = async (transport: 'sse' | 'ws') => {
      const client = new AgentCoreClient({ target: { kind: 'url', url: server.url }, transport });
      return collect(client.run(inputOf(`thread-${transport}`, 'run-1')));
    };
    // Ids are made of the thread's, and neighbouring deltas may come as one.
    const comparable = (events: readonly ReceivedEvent[]) =>
      events.flatMap((event) =>
        event.type === 'TEXT_MESSAGE_CONTENT'
          ? []
          : [{ type: event.type, members: Object.keys(event).sort() }],
      );

    expect(comparable(await eventsOver('ws'))).toEqual(comparable(await eventsOver('sse')));
  });

  it.each(['sse', 'ws'] as const)('gives the same run over %s', async (transport) => {
    const kernel = new ScriptedKernel(async function* (_send, names) {
      yield [submitted(names), textOf(names, 'Grüße 👋')];
      yield [stateOf(names, 'TASK_STATE_COMPLETED')];
    });
    const server = await startServer({ replace: { kernel } });
    const client = new AgentCoreClient({ target: { kind: 'url', url: server.url }, transport });

    const events = await collect(client.run(inputOf()));

    const text = events.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT').map((event) => event['delta']);
    expect(text.join('')).toBe('Grüße 👋');
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
    expect(client.knowsRuns).toBe(true);
  });

  it.each(['sse', 'ws'] as const)(
    'cancels over %s, shows the end, and says what was cancelled',
    async (transport) => {
      const kernel = new ScriptedKernel(async function* (_send, names, signal) {
        yield [submitted(names), textOf(names, 'working')];
        await aborted(signal);
      });
      const server = await startServer({ replace: { kernel } });
      const client = new AgentCoreClient({ target: { kind: 'url', url: server.url }, transport });
      const seen: string[] = [];

      for await (const { type } of client.run(inputOf())) {
        if (type === 'TEXT_MESSAGE_CONTENT')
          expect(await client.cancel('thread-1', 'run-1')).toBe('cancelled');
        seen.push(type);
      }

      expect(seen.at(-1)).toBe('RUN_FINISHED');
      expect(await client.cancel('thread-1', 'run-1')).toBe('already_terminal');
      expect(await client.cancel('thread-1', 'never')).toBe('not_found');
    },
  );

  it.each(['sse', 'ws'] as const)(
    'shows an ended run again over %s, and refuses one it does not know',
    async (transport) => {
      const kernel = new ScriptedKernel(async function* (_send, names) {
        yield [submitted(names), textOf(names, 'once')];
        yield [stateOf(names, 'TASK_STATE_COMPLETED')];
      });
      const server = await startServer({ replace: { kernel } });
      const client = new AgentCoreClient({ target: { kind: 'url', url: server.url }, transport });
      const types = (all: readonly ReceivedEvent[]) => all.map(({ type }) => type);

      const first = await collect(client.run(inputOf()));
      const again = await collect(client.attach({ threadId: 'thread-1', runId: 'run-1' }));

      expect(types(again)).toEqual(types(first));
      const unknown = collect(client.attach({ threadId: 'thread-1', runId: 'run-2' }));
      await expect(unknown).rejects.toBeInstanceOf(ClientError);
      await expect(unknown).rejects.toMatchObject({ code: 'VALIDATION_ERROR', fault: 'EXECUTION_NOT_FOUND' });
    },
  );

  it('is warmed without a run', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('unused')) } });
    const client = new AgentCoreClient({ target: { kind: 'url', url: server.url } });

    await client.prewarm('thread-1');

    await expect(client.stopSession('thread-1')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('puts an event together that was too big for a frame', async () => {
    const question = 'x'.repeat(100_000);
    const kernel = new ScriptedKernel(async function* (_send, names) {
      yield [submitted(names), textOf(names, question)];
      yield [stateOf(names, 'TASK_STATE_COMPLETED')];
    });
    const server = await startServer({ replace: { kernel } });
    const client = new AgentCoreClient({ target: { kind: 'url', url: server.url }, transport: 'ws' });

    const events = await collect(client.run(inputOf()));

    const deltas = events.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT');
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.map((event) => event['delta']).join('')).toBe(question);
  });
});
