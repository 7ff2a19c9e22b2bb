/** An agent of a developer's own behind the doors: the example as it is started, and an agent of the AI SDK. */
import { jsonSchema, ToolLoopAgent, tool } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OwnAgent, SdkAgent } from '../../src/agent/own/own-agent.ts';
import { createServer } from '../../src/server/create-server.ts';
import { startExample } from '../support/example-process.ts';
import { eventsOf, input, openRun, run, type WireEvent } from '../support/requests.ts';
import { type LogLine, recordingLog, temporaryFolder } from '../support/servers.ts';
import { calls, finish, says } from '../unit/agent/model/scripted-model.ts';

async function say(url: string, content: string): Promise<readonly WireEvent[]> {
  const messages = [{ id: `m-${content.length}`, role: 'user', content }];
  const body = input({ threadId: 't', messages, protocolVersion: '1.0' });
  return eventsOf((await run(`${url}/invocations`, body)).text);
}

const textOf = (events: readonly WireEvent[], type = 'TEXT_MESSAGE_CONTENT'): string =>
  events.map((event) => (event.type === type ? event['delta'] : '')).join('');

async function serverOf(agent: OwnAgent | SdkAgent, folder?: string) {
  const log: LogLine[] = [];
  const settings = {
    AGUI_HOST: '127.0.0.1',
    AGUI_PORT: '0',
    AGUI_CONFIG_DIR: folder ?? (await temporaryFolder()),
  };
  const server = await createServer({ agent, settings, log: recordingLog(log) });
  onTestFinished(() => server.stop());
  return { url: `http://127.0.0.1:${server.port}`, log, server };
}

describe('an agent of your own', () => {
  it('is served by the example, which remembers the turns of a thread', async () => {
    const { url } = await startExample('own-agent/main.ts', await temporaryFolder());

    const first = await say(url, 'one two three');
    const second = await say(url, 'four');

    expect(textOf(first)).toBe('You said 3 words.');
    expect(textOf(first, 'REASONING_MESSAGE_CONTENT')).toBe('Counting words.');
    expect(first.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
    expect(textOf(second)).toBe('You said 1 words, after 1 turns.');
  });

  it('shows what it did and made, remembers over a restart, and sees context and state', async () => {
    const folder = await temporaryFolder();
    const agent: OwnAgent = async function* ({ text, history, context, state }) {
      const outcome = { ok: true, result: { found: 2 } } as const;
      yield { kind: 'tool', name: 'look_up', input: { text }, outcome };
      yield { kind: 'file', filename: 'a.txt', mediaType: 'text/plain', text: 'hello' };
      yield JSON.stringify({ history, context, state });
    };
    const before = await serverOf(agent, folder);
    await say(before.url, 'first');
    await before.server.stop();
    const { url } = await serverOf(agent, folder);

    const body = input({
      threadId: 't',
      messages: [{ id: 'm-x', role: 'user', content: 'second' }],
      context: [{ description: 'page', value: 'billing' }],
      state: { counter: 7 },
    });
    const events = eventsOf((await run(`${url}/invocations`, body)).text);

    expect(JSON.parse(textOf(events))).toMatchObject({
      history: [
        { role: 'user', text: 'first' },
        { role: 'assistant', text: expect.stringContaining('history') },
      ],
      context: [{ description: 'page', value: 'billing' }],
      state: { counter: 7 },
    });
    expect(events.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({ content: '{"found":2}' });
    expect(events.find(({ name }) => name === 'iac-code.artifact.v1')).toMatchObject({
      value: { name: 'a.txt' },
    });
  });

  it('fails its run when it throws, and keeps the cause for the log', async () => {
    const { url, log } = await serverOf(async function* ({ text }) {
      yield 'so far ';
      if (text === 'break') throw new Error('canary');
      yield 'so good';
    });

    const failed = await say(url, 'break');
    const next = await say(url, 'go on');

    expect(failed.at(-1)?.type).toBe('RUN_ERROR');
    expect(JSON.stringify(failed)).not.toContain('canary');
    expect(log.some(({ event }) => event === 'embedded agent failed')).toBe(true);
    expect(textOf(next)).toBe('so far so good');
  });

  it('is told when its run is cancelled', async () => {
    const cancelled = Promise.withResolvers<void>();
    const { url } = await serverOf(async function* ({ signal }) {
      signal.addEventListener('abort', () => cancelled.resolve());
      for (let index = 0; ; index += 1) yield `${index} `;
    });
    const reading = await openRun(`${url}/invocations`, input({ threadId: 't' }));
    await reading.until((text) => text.includes('TEXT_MESSAGE_CONTENT'));

    await reading.leave();

    await expect(cancelled.promise).resolves.toBeUndefined();
  });

  it('can be an agent of the AI SDK, with tools and a memory of its own', async () => {
    const script = [
      [calls('add', { left: 2, right: 3 }), finish('tool-calls')],
      [...says('It ', 'is 5'), finish()],
    ];
    const model = new MockLanguageModelV4({
      doStream: async () => ({
        stream: convertArrayToReadableStream([...(script.shift() ?? [...says('still 5'), finish()])]),
      }),
    });
    const add = tool({
      inputSchema: jsonSchema<{ left: number; right: number }>({ type: 'object' }),
      execute: ({ left, right }) => ({ sum: left + right }),
    });
    const { url } = await serverOf(new ToolLoopAgent({ model, tools: { add } }));

    const first = await say(url, 'what is 2 and 3?');
    const second = await say(url, 'sure?');

    expect(textOf(first)).toBe('It is 5');
    expect(first.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({ content: '{"sum":5}' });
    expect(textOf(second)).toBe('still 5');
    expect(model.doStreamCalls[2]?.prompt.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });
});
