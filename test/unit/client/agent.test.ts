/** `AgentCoreAgent` where an `HttpAgent` would stand. */
import type { AgentSubscriber } from '@ag-ui/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AgentCoreAgent } from '../../../src/client/agent.ts';
import { frames, refusal, runOf, sse, startHostileServer, stream } from '../../support/hostile-server.ts';
import { aborted, ScriptedKernel, submitted, textOf, turn } from '../../support/scripted-kernel.ts';
import { startServer } from '../../support/servers.ts';

const target = (url: string) => ({ kind: 'url', url }) as const;
const text = [{ id: 'u1', role: 'user', content: 'hello' }] as const;

function agentOf(url: string, transport: 'sse' | 'ws' = 'sse'): AgentCoreAgent {
  const config = { target: target(url), transport, threadId: 'thread-1', retry: { baseMs: 1 } };
  return new AgentCoreAgent({ ...config, initialMessages: [...text] });
}

/** Names of the events, as a subscriber hears them. */
function listener(): { readonly heard: string[]; readonly subscriber: AgentSubscriber } {
  const heard: string[] = [];
  return { heard, subscriber: { onEvent: ({ event }) => void heard.push(event.type) } };
}

describe.each(['sse', 'ws'] as const)('an agent over %s', (transport) => {
  it('takes messages into its conversation', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('Grüße ', '👋')) } });

    const { newMessages } = await agentOf(server.url, transport).runAgent({ runId: 'run-1' });

    expect(newMessages).toMatchObject([{ role: 'assistant', content: 'Grüße 👋' }]);
  });

  it('keeps the questions of an interrupted run and brings their answers', async () => {
    const interrupt = { id: 'question-1', reason: 'confirmation', message: 'Go on?' };
    const first = [
      { type: 'RUN_STARTED', threadId: 'thread-1', runId: 'run-1' },
      {
        type: 'RUN_FINISHED',
        threadId: 'thread-1',
        runId: 'run-1',
        outcome: { type: 'interrupt', interrupts: [interrupt] },
      },
    ];
    const second = runOf('thread-1', 'run-2', 'done');
    const server = await startHostileServer({
      http: [first, second].map((events) => stream(events.map((event) => sse(event)))),
      ws: [first, second].map((events) => frames(events.map((event) => JSON.stringify(event)))),
    });
    const agent = agentOf(server.url, transport);
    const resume = [{ interruptId: 'question-1', status: 'resolved' as const, payload: { yes: true } }];

    await agent.runAgent({ runId: 'run-1' });
    expect(agent.pendingInterrupts).toEqual([interrupt]);
    await expect(agent.runAgent()).rejects.toThrow('question-1');
    await agent.runAgent({ runId: 'run-2', resume });

    expect(agent.pendingInterrupts).toEqual([]);
    const sent = transport === 'sse' ? server.requests.map(({ body }) => body) : server.messages;
    expect(sent.map((body) => JSON.parse(body).resume)).toEqual([undefined, resume]);
  });

  it('ends the run at the server too when it is aborted', async () => {
    const ended = Promise.withResolvers<void>();
    const kernel = new ScriptedKernel(async function* (_send, names, signal) {
      yield [submitted(names), textOf(names, 'working')];
      await aborted(signal);
      ended.resolve();
    });
    const server = await startServer({ replace: { kernel } });
    const agent = agentOf(server.url, transport);
    const { heard, subscriber } = listener();

    await agent.runAgent(
      { runId: 'run-1' },
      { ...subscriber, onTextMessageContentEvent: () => agent.abortRun() },
    );

    expect(heard.at(-1)).toBe('RUN_ERROR');
    expect(agent.isRunning).toBe(false);
    await ended.promise;
  });

  it('shows its last run again when it connects', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('once')) } });
    const agent = agentOf(server.url, transport);
    await agent.runAgent({ runId: 'run-1' });
    agent.setMessages([]);
    const { heard, subscriber } = listener();

    await agent.connectAgent(undefined, subscriber);

    expect(heard.at(0)).toBe('RUN_STARTED');
    expect(heard.at(-1)).toBe('RUN_FINISHED');
    expect(agent.messages).toMatchObject([{ role: 'assistant', content: 'once' }]);
  });
});

describe('an agent', () => {
  it('has nothing to connect to before its first run', async () => {
    const server = await startHostileServer({ http: [] });

    await agentOf(server.url).connectAgent();

    expect(server.requests).toHaveLength(0);
  });

  it('rejects with what the server said when a run is refused', async () => {
    const server = await startHostileServer({
      http: [
        refusal(409, 'SESSION_BUSY', 'Resource conflict - Resource already exists', {
          fault: 'RUN_ID_CONFLICT',
        }),
      ],
    });
    const failures: Error[] = [];

    const run = agentOf(server.url).runAgent({}, { onRunFailed: ({ error }) => void failures.push(error) });

    await expect(run).rejects.toMatchObject({
      name: 'ClientError',
      code: 'SESSION_BUSY',
      fault: 'RUN_ID_CONFLICT',
    });
    expect(failures).toMatchObject([{ requestId: 'request-of-the-refusal', status: 409 }]);
  });

  it.each(['cut', 'reset', 'clean'] as const)(
    'rejects when its stream ends %s, and disturbs nobody else',
    async (end) => {
      const unhandled: unknown[] = [];
      const listen = (reason: unknown): void => void unhandled.push(reason);
      process.on('unhandledRejection', listen);
      onTestFinished(() => void process.off('unhandledRejection', listen));
      const opening = runOf('thread-1', 'run-1', 'x').slice(0, 2);
      const server = await startHostileServer({
        http: [
          stream(
            opening.map((event) => sse(event)),
            end,
          ),
        ],
      });

      await expect(agentOf(server.url).runAgent({ runId: 'run-1' })).rejects.toMatchObject({
        code: 'TRUNCATED',
      });

      // A rejection that nobody handles is told when the loop has turned.
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    },
  );

  it('goes on with a run from which it was detached', async () => {
    const proceed = Promise.withResolvers<void>();
    const kernel = new ScriptedKernel(async function* (_send, names, signal) {
      yield [submitted(names), textOf(names, 'first')];
      await proceed.promise;
      expect(signal.aborted).toBe(false);
      yield* turn('second')(_send, names, signal);
    });
    const server = await startServer({ replace: { kernel } });
    const agent = agentOf(server.url);
    const started = Promise.withResolvers<void>();

    const run = agent.runAgent({ runId: 'run-1' }, { onTextMessageContentEvent: () => started.resolve() });
    await started.promise;
    await agent.detachActiveRun();
    await run;
    proceed.resolve();
    const { heard, subscriber } = listener();
    await agent.connectAgent(undefined, subscriber);

    expect(heard.at(-1)).toBe('RUN_FINISHED');
  });

  it('is cloned whole, with headers of its own', async () => {
    const events = runOf('thread-1', 'run-1', 'x').map((event) => sse(event));
    const server = await startHostileServer({ http: [stream(events)] });
    const agent = agentOf(server.url);
    agent.headers = { 'x-tenant': 'a' };

    const clone = agent.clone();
    clone.headers['x-tenant'] = 'b';
    agent.abortRun();
    await clone.runAgent({ runId: 'run-1' });

    expect(clone).toBeInstanceOf(AgentCoreAgent);
    expect(agent.headers).toEqual({ 'x-tenant': 'a' });
    expect(server.requests[0]?.headers['x-tenant']).toBe('b');
  });

  it('leaves a server whose events break the protocol', async () => {
    const broken = [{ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' }];
    const server = await startHostileServer({ ws: [frames(broken.map((event) => JSON.stringify(event)))] });

    await expect(agentOf(server.url, 'ws').runAgent({ runId: 'run-1' })).rejects.toThrow();
    await server.left;
  });
});
