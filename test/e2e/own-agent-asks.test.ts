/** Own agents that ask, call tools of the client and share a state, seen by the official client and over restarts. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpAgent } from '@ag-ui/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OwnAgent } from '../../src/agent/own/own-agent.ts';
import { createServer } from '../../src/server/create-server.ts';
import { startExample } from '../support/example-process.ts';
import { eventsOf, input, run, type WireEvent } from '../support/requests.ts';
import { type LogLine, recordingLog, temporaryFolder } from '../support/servers.ts';

interface Served {
  readonly url: string;
  stop(): Promise<void>;
}

async function serve(agent: OwnAgent, folder: string, log: LogLine[] = []): Promise<Served> {
  const settings = { AGUI_HOST: '127.0.0.1', AGUI_PORT: '0', AGUI_CONFIG_DIR: folder };
  const server = await createServer({ agent, settings, log: recordingLog(log) });
  onTestFinished(() => server.stop());
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop() };
}

const tool = (name: string) => ({ name, description: name });

async function send(url: string, more: object): Promise<readonly WireEvent[]> {
  const body = input({ threadId: 't', protocolVersion: '1.0', ...more });
  return eventsOf((await run(`${url}/invocations`, body)).text);
}
const saying = (content: string) => ({ messages: [{ id: `u-${content}`, role: 'user', content }] });
const outcomeOf = (events: readonly WireEvent[]) => Object(events.at(-1)?.['outcome']);
const answering = (events: readonly WireEvent[], payload: object) => {
  const [interrupt] = outcomeOf(events).interrupts;
  return { messages: [], resume: [{ interruptId: interrupt.id, status: 'resolved', payload }] };
};
const textOf = (events: readonly WireEvent[]): string =>
  events.map((event) => (event.type === 'TEXT_MESSAGE_CONTENT' ? event['delta'] : '')).join('');
const resultsOf = (events: readonly WireEvent[]) =>
  events.filter(({ type }) => type === 'TOOL_CALL_RESULT').map(({ content }) => content);

describe('an own agent that asks', () => {
  it('goes on in the next process with what it kept: the example, from its question to its client’s tool', async () => {
    const folder = await temporaryFolder();
    const tools = [tool('show_note')];
    let example = await startExample('own-agent/asking.ts', folder);
    const anew = async (): Promise<void> => {
      await example.kill();
      example = await startExample('own-agent/asking.ts', folder);
    };

    const question = await send(example.url, { ...saying('buy milk'), tools });
    await anew();
    const permission = await send(example.url, { ...answering(question, { selectedId: '1' }), tools });
    await anew();
    const allowed = answering(permission, { decision: 'allow_once', editedArgs: { content: 'buy tea' } });
    const called = await send(example.url, { ...allowed, tools });
    await anew();
    const [toolCallId] = outcomeOf(called).pendingToolCallIds;
    const { messages } = saying('buy milk');
    const result = { id: 'r-1', role: 'tool', toolCallId, content: 'shown' };
    const done = await send(example.url, { messages: [...messages, result], tools });

    expect(textOf(question)).toBe('A note it is. ');
    expect(outcomeOf(question).interrupts[0]).toMatchObject({
      message: expect.stringContaining('Under which'),
    });
    expect(outcomeOf(permission).interrupts[0]).toMatchObject({
      reason: 'tool_call',
      message: 'Write todo.txt?',
      responseSchema: { properties: { editedArgs: { required: ['content'] } } },
    });
    expect(resultsOf(called)).toEqual(['{"written":"todo.txt"}']);
    expect(called).toContainEqual({ type: 'STATE_SNAPSHOT', snapshot: { notes: ['todo.txt'] } });
    expect(textOf(done)).toBe('Written, and your page said: shown.');
    expect(outcomeOf(done)).toEqual({ type: 'success' });
    const [written] = (await readdir(folder, { recursive: true })).filter((each) =>
      each.endsWith('todo.txt'),
    );
    expect(await readFile(join(folder, String(written)), 'utf8')).toBe('buy tea');
  }, 30_000);

  it('is closed where it asks, is told of a denial, and need not show the outcome of what was allowed', async () => {
    const closed: string[] = [];
    const agent: OwnAgent = async function* ({ answer }) {
      try {
        if (answer === undefined) {
          yield { kind: 'permission', name: 'launch', input: { to: 'moon' }, prompt: 'Launch?' };
          yield 'never said';
        } else if (answer.kind === 'permission') yield answer.isAllowed ? 'gone' : 'stays';
      } finally {
        closed.push(answer?.kind ?? 'begun');
      }
    };
    const { url } = await serve(agent, await temporaryFolder());

    const asked = await send(url, saying('go'));
    const denied = await send(url, answering(asked, { decision: 'deny' }));
    const again = await send(url, saying('go now'));
    const allowed = await send(url, answering(again, { decision: 'allow_once' }));

    expect(textOf(asked) + textOf(again)).toBe('');
    expect(closed).toEqual(['begun', 'permission', 'begun', 'permission']);
    expect([textOf(denied), resultsOf(denied)]).toEqual(['stays', ['denied by the user']]);
    expect([textOf(allowed), resultsOf(allowed)]).toEqual(['gone', ['{}']]);
    expect(outcomeOf(asked).interrupts[0].responseSchema.properties).not.toHaveProperty('editedArgs');
  });

  it('waits for all results of the client’s tools, and takes new words as walking away from them', async () => {
    const agent: OwnAgent = async function* ({ text, answer, history }) {
      if (text === 'other') yield `after ${history.map((each) => each.text).join('|')}`;
      else if (answer?.kind === 'client-tools') yield JSON.stringify(answer);
      else {
        yield 'asking. ';
        const calls = [
          { name: 'a', input: { n: 1 } },
          { name: 'b', input: {} },
        ];
        yield { kind: 'client-tools', calls, keep: { at: 3 } };
      }
    };
    const { url } = await serve(agent, await temporaryFolder());
    const tools = [tool('a'), tool('b')];
    const { messages } = saying('go');
    const result = (toolCallId: string, more: object) => ({
      id: `r-${toolCallId}`,
      role: 'tool',
      toolCallId,
      ...more,
    });

    const called = await send(url, { messages, tools });
    const [a, b] = outcomeOf(called).pendingToolCallIds;
    const answers = [result(b, { content: '', error: 'broken' }), result(a, { content: 'fine' })];
    const half = await send(url, { messages: [...messages, answers[0]], tools });
    const done = await send(url, { messages: [...messages, ...answers], tools });
    const repeated = await send(url, { messages: [...messages, ...answers], tools });
    await send(url, { messages, tools });
    const other = await send(url, { ...saying('other'), tools });

    expect(outcomeOf(half)).toEqual({ type: 'success', pendingToolCallIds: [a] });
    expect(JSON.parse(textOf(done))).toEqual({
      kind: 'client-tools',
      keep: { at: 3 },
      results: [
        { name: 'a', input: { n: 1 }, text: 'fine' },
        { name: 'b', input: {}, text: '', error: 'broken' },
      ],
    });
    expect(repeated.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'VALIDATION_ERROR' });
    expect(textOf(other)).toContain('|go|asking. ');
  });

  it('shares a state that the official client applies, whole and in parts', async () => {
    const agent: OwnAgent = async function* ({ state }) {
      yield { kind: 'state', patch: [{ op: 'add', path: '/seen', value: state }] };
      yield { kind: 'state', patch: [{ op: 'remove', path: '/count' }] };
      yield { kind: 'state', patch: [{ op: 'add', path: '/list', value: [1] }] };
      yield 'done';
    };
    const { url } = await serve(agent, await temporaryFolder());
    const client = new HttpAgent({ url: `${url}/invocations`, threadId: 't', initialState: { count: 1 } });
    client.addMessage({ id: 'u', role: 'user', content: 'go' });

    await client.runAgent({});

    expect(client.state).toEqual({ seen: { count: 1 }, list: [1] });
  });

  it.each([
    [
      'calls a tool that the client has not',
      { kind: 'client-tools', calls: [{ name: 'x', input: {} }] },
      'no tool x',
    ],
    ['waits for nothing', { kind: 'client-tools', calls: [] }, 'without a call'],
    ['patches what is not there', { kind: 'state', patch: [{ op: 'remove', path: '/x' }] }, 'operation 0'],
  ] as const)('fails its run, with the reason in the log, when it %s', async (_what, piece, reason) => {
    const log: LogLine[] = [];
    const agent: OwnAgent = async function* () {
      yield piece;
    };
    const { url } = await serve(agent, await temporaryFolder(), log);

    const events = await send(url, saying('go'));

    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'AGENT_ERROR' });
    const failed = log.find(({ event }) => event === 'embedded agent failed');
    expect(String(failed?.fields['cause'])).toContain(reason);
  });
});
