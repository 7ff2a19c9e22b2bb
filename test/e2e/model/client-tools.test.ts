/**
 * Tools of the client, shared state and edited arguments with a model behind the server: recorded bytes of both providers
 * on loopback on one side, the official AG-UI clients on the other.
 */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpAgent } from '@ag-ui/client';
import { HttpAgent as OlderHttpAgent } from 'ag-ui-client-0.0.59';
import { describe, expect, it } from 'vitest';
import { AgentCoreAgent } from '../../../src/client/agent.ts';
import { eventsOf, input, run, type WireEvent } from '../../support/requests.ts';
import { startServer, type TestServer } from '../../support/servers.ts';
import {
  eventStream,
  openAiChunk,
  openAiUsage,
  type RecordedAnswer,
  sse,
  startEndpoint,
} from './model-endpoint.ts';

interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}
type Provider = 'openai-compatible' | 'bedrock';
type Wire = (words: string, calls?: readonly ModelCall[]) => RecordedAnswer;

const halves = (text: string): readonly string[] => [text.slice(0, 3), text.slice(3)];

const openAi: Wire = (words, calls = []) =>
  sse(
    openAiChunk({ role: 'assistant', content: words }),
    ...calls.flatMap(({ id, name, input: given }, index) => [
      openAiChunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...halves(JSON.stringify(given)).map((piece) =>
        openAiChunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    openAiChunk({}, calls.length === 0 ? 'stop' : 'tool_calls'),
    openAiUsage,
    '[DONE]',
  );

const bedrock: Wire = (words, calls = []) =>
  eventStream(
    ['messageStart', { role: 'assistant' }],
    ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: words } }],
    ['contentBlockStop', { contentBlockIndex: 0 }],
    ...calls.flatMap(({ id, name, input: given }, index) => {
      const at = { contentBlockIndex: index + 1 };
      return [
        ['contentBlockStart', { ...at, start: { toolUse: { toolUseId: id, name } } }] as const,
        ...halves(JSON.stringify(given)).map(
          (piece) => ['contentBlockDelta', { ...at, delta: { toolUse: { input: piece } } }] as const,
        ),
        ['contentBlockStop', at] as const,
      ];
    }),
    ['messageStop', { stopReason: calls.length === 0 ? 'end_turn' : 'tool_use' }],
    ['metadata', { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }, metrics: { latencyMs: 5 } }],
  );

const wires = [
  { provider: 'openai-compatible', wire: openAi },
  { provider: 'bedrock', wire: bedrock },
] as const;

const tools = [
  {
    name: 'show_map',
    description: 'Shows a place on the map of the page',
    parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  },
  { name: 'read_clock', description: 'Reads the clock of the person' },
];
const paris = { id: 'call_a', name: 'show_map', input: { place: 'Paris' } };
const clock = { id: 'call_b', name: 'read_clock', input: {} };

async function behind(provider: Provider, script: readonly RecordedAnswer[]) {
  const { url, received } = await startEndpoint(script);
  const environment = {
    AGUI_MODEL_PROVIDER: provider,
    AGUI_MODEL: 'a-model',
    AGUI_MODEL_BASE_URL: provider === 'bedrock' ? url : `${url}/v1`,
    AGUI_MODEL_API_KEY: 'key',
    AGUI_MODEL_REGION: 'eu-west-3',
  };
  const server = await startServer({ environment });
  const restarted = async (): Promise<TestServer> => {
    await server.stop();
    return startServer({ folder: server.folder, environment });
  };
  const bodies = (): readonly string[] => received.map(({ body }) => JSON.stringify(body));
  return { server, restarted, received, bodies };
}

interface Said {
  readonly id: string;
  readonly role: string;
  readonly [member: string]: unknown;
}

/** A client that keeps its conversation as AG-UI clients do: what it says, and what its tools brought. */
class Conversation {
  readonly messages: Said[] = [];
  readonly #more: object;
  constructor(more: object = {}) {
    this.#more = more;
  }

  async run({ url }: TestServer, more: object = {}): Promise<readonly WireEvent[]> {
    const body = input({
      threadId: 't',
      messages: this.messages,
      tools,
      protocolVersion: '1.0',
      ...this.#more,
      ...more,
    });
    return eventsOf((await run(`${url}/invocations`, body)).text);
  }

  say(content: string): this {
    this.messages.push({ id: `u-${this.messages.length}`, role: 'user', content });
    return this;
  }

  result(toolCallId: unknown, content: unknown, more: object = {}): this {
    const id = `r-${this.messages.length}`;
    this.messages.push({ id, role: 'tool', toolCallId: String(toolCallId), content, ...more });
    return this;
  }
}

const pendingOf = (events: readonly WireEvent[]): readonly string[] =>
  Object(events.at(-1)?.['outcome'])['pendingToolCallIds'] ?? [];
const textOf = (events: readonly WireEvent[], type = 'TEXT_MESSAGE_CONTENT'): string =>
  events.map((event) => (event.type === type ? event['delta'] : '')).join('');
const namesOf = (events: readonly WireEvent[]): readonly unknown[] =>
  events.filter(({ type }) => type === 'TOOL_CALL_START').map(({ toolCallName }) => toolCallName);
const answering = (events: readonly WireEvent[], payload: object) => {
  const [interrupt] = Object(events.at(-1)?.['outcome'])['interrupts'];
  return { messages: [], resume: [{ interruptId: interrupt.id, status: 'resolved', payload }] };
};

describe.each(wires)('tools of the client with a model at $provider', ({ provider, wire }) => {
  it('end the run, named as pending, and their results go on with the same answer after a restart', async () => {
    const { server, restarted, bodies } = await behind(provider, [
      wire('Looking. ', [paris, clock]),
      wire('Here it is.'),
    ]);
    const talk = new Conversation().say('Where is Paris?');

    const called = await talk.run(server);
    const [map, time] = pendingOf(called);
    const again = await restarted();
    const done = await talk.result(time, '12:00').result(map, 'shown').run(again);

    expect(called.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
    expect(namesOf(called)).toEqual(['show_map', 'read_clock']);
    expect(called.filter(({ type }) => type === 'TOOL_CALL_END').map(({ toolCallId }) => toolCallId)).toEqual(
      [map, time],
    );
    expect(called.filter(({ type }) => type === 'TOOL_CALL_RESULT')).toEqual([]);
    expect(textOf(done)).toBe('Here it is.');
    expect(namesOf(done)).toEqual([]);
    expect(done.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
    expect(pendingOf(done)).toEqual([]);
    const [first, second] = bodies();
    expect(first).toContain('Shows a place on the map');
    expect(second?.match(/Where is Paris/g)).toHaveLength(1);
    expect(second).toMatch(/call_a.*shown|shown.*call_a/);
    expect(second).toContain('12:00');
  });

  it('wait until the agent’s own calls of the same answer were carried out and allowed', async () => {
    const { server, bodies } = await behind(provider, [
      wire('', [
        paris,
        { id: 'call_w', name: 'write_file', input: { path: 'a.txt', content: 'A' } },
        { id: 'call_l', name: 'list_files', input: {} },
        clock,
      ]),
      wire('Done.'),
    ]);
    const talk = new Conversation().say('go');

    const asked = await talk.run(server);
    const called = await talk.run(server, answering(asked, { decision: 'allow_once' }));
    const [map, time] = pendingOf(called);
    const done = await talk.result(map, 'shown').result(time, 'noon').run(server);

    expect(asked.at(-1)).toMatchObject({ outcome: { type: 'interrupt' } });
    expect(namesOf(called)).toEqual(['list_files', 'show_map', 'read_clock']);
    expect(textOf(done)).toBe('Done.');
    for (const part of ['a.txt', 'shown', 'noon', 'call_a', 'call_b', 'call_w', 'call_l'])
      expect(bodies()[1]).toContain(part);
  });

  it('may be answered one after the other: what is missing stays pending, and is not called again', async () => {
    const { server, received } = await behind(provider, [wire('', [paris, clock]), wire('Both.')]);
    const talk = new Conversation().say('go');
    const [map, time] = pendingOf(await talk.run(server));

    const half = await talk.result(map, 'shown').run(server);
    const done = await talk.result(time, 'noon').run(server);

    expect(pendingOf(half)).toEqual([time]);
    expect(namesOf(half)).toEqual([]);
    expect(received).toHaveLength(2);
    expect(textOf(done)).toBe('Both.');
  });

  it('that failed, or were never answered, are told to the model, and the person’s next words count', async () => {
    const { server, bodies } = await behind(provider, [wire('', [paris, clock]), wire('All right.')]);
    const talk = new Conversation().say('go');
    const [map] = pendingOf(await talk.run(server));

    const done = await talk.result(map, '', { error: 'no map here' }).say('never mind').run(server);

    expect(textOf(done)).toBe('All right.');
    expect(bodies()[1]).toContain('no map here');
    expect(bodies()[1]).toContain('the user went on without answering');
    expect(bodies()[1]).toContain('never mind');
  });

  it('may be answered by a request that repeats nothing of the conversation', async () => {
    const { server, bodies } = await behind(provider, [wire('', [paris]), wire('There.')]);
    const [map] = pendingOf(await new Conversation().say('go').run(server));

    const stray = await new Conversation().result('nobody', 'x', { id: 'tool-result-nobody' }).run(server);
    const done = await new Conversation().result(map, 'shown').run(server);

    expect(stray.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'VALIDATION_ERROR' });
    expect(textOf(done)).toBe('There.');
    expect(bodies()[1]).toContain('shown');
  });

  it('take results in parts, and a result that comes after the model was away is not lost', async () => {
    const { server, bodies } = await behind(provider, [
      wire('', [paris]),
      { status: 403, body: Buffer.from('{}') },
      wire('Better now.'),
    ]);
    const talk = new Conversation().say('go');
    const [map] = pendingOf(await talk.run(server));

    const failed = await talk.result(map, [{ type: 'text', text: 'shown in parts' }]).run(server);
    const done = await talk.run(server);

    expect(failed.at(-1)?.type).toBe('RUN_ERROR');
    expect(textOf(done)).toBe('Better now.');
    expect(bodies()[2]).toContain('shown in parts');
    expect(bodies()[2]?.match(/"go"/g)).toHaveLength(1);
  });

  it('let a result of no call that waits be refused, with the place and the reason, and the thread goes on', async () => {
    const { server, received } = await behind(provider, [wire('', [paris]), wire('Fine.')]);
    const talk = new Conversation().say('go');
    const [map] = pendingOf(await talk.run(server));

    const refused = await new Conversation().say('go').result('call-of-nobody', 'x').run(server);
    const done = await talk.result(map, 'shown').run(server);
    const repeated = await talk.run(server);

    for (const events of [refused, repeated]) {
      expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'VALIDATION_ERROR' });
      expect(String(events.at(-1)?.['message'])).toContain(
        'messages[1].toolCallId: names no tool call that waits',
      );
    }
    expect(textOf(done)).toBe('Fine.');
    expect(received).toHaveLength(2);
  });
});

describe('a tool of the client that can not be used', () => {
  it.each([
    [[{ name: 'write_file', description: 'd' }], 'tools[0].name: is the name of a tool of the agent itself'],
    [[tools[0], tools[0]], 'tools[1].name: is used twice'],
    [[{ name: 'a tool', description: 'd' }], 'tools[0].name: must be 1 to 64 letters'],
    [[{ name: 'constructor', description: 'd' }], 'tools[0].name: must be 1 to 64 letters'],
    [[{ name: 'a', description: 'd', parameters: { type: 'array' } }], 'tools[0].parameters.type: must be'],
    [
      [{ name: 'a', description: 'd', parameters: { properties: { b: 3 } } }],
      'tools[0].parameters.properties.b: must be a JSON Schema',
    ],
    [
      [{ name: 'a', description: 'd', parameters: { required: 'b' } }],
      'tools[0].parameters.required: must be a list',
    ],
    [[{ name: 'a', description: 'd', parameters: 3 }], 'tools[0].parameters'],
    [
      Array.from({ length: 129 }, (_none, index) => ({ name: `t${index}`, description: 'd' })),
      'more than 128',
    ],
    [[{ name: 'a', description: 'd'.repeat(300_000) }], 'tools: is longer than'],
  ])('is refused before the run, with its place and the reason: %#', async (bad, problem) => {
    const { server, received } = await behind('openai-compatible', [openAi('never')]);

    const answer = await run(`${server.url}/invocations`, input({ tools: bad }));

    expect(answer.status).toBe(400);
    expect(eventsOf(answer.text)).toMatchObject([{ type: 'RUN_ERROR', code: 'VALIDATION_ERROR' }]);
    expect(answer.text).toContain(problem.replaceAll('"', '\\"'));
    expect(received).toEqual([]);
  });
});

describe.each([
  ['@ag-ui/client 1.0.0', HttpAgent, true],
  ['@ag-ui/client 0.0.59', OlderHttpAgent, false],
] as const)('%s', (_name, Agent, isModern) => {
  it('carries out calls of its tools, and its conversation goes on with their results', async () => {
    const { server } = await behind('openai-compatible', [openAi('Looking. ', [paris]), openAi('Here.')]);
    const agent = new Agent({ url: `${server.url}/invocations`, threadId: 't' });
    agent.addMessage({ id: 'u-1', role: 'user', content: 'Where is Paris?' });
    const ends: unknown[] = [];
    const subscriber = { onRunFinishedEvent: ({ event }: { event: unknown }) => void ends.push(event) };

    const { newMessages } = await agent.runAgent({ tools }, subscriber);
    const [call] = newMessages.flatMap((each) => ('toolCalls' in each ? (each.toolCalls ?? []) : []));
    agent.addMessage({ id: 'r-1', role: 'tool', toolCallId: call?.id ?? '', content: 'shown' });
    const second = await agent.runAgent({ tools }, subscriber);

    expect(call?.function).toEqual({ name: 'show_map', arguments: '{"place":"Paris"}' });
    expect(Object(ends[0]).outcome).toEqual({
      type: 'success',
      ...(isModern ? { pendingToolCallIds: [call?.id] } : {}),
    });
    expect(second.newMessages.map(({ content }) => content)).toEqual(['Here.']);
  });

  it('has the state that the model made of it', async () => {
    const patch = (id: string, ...operations: object[]): ModelCall => ({
      id,
      name: 'update_state',
      input: { patch: operations },
    });
    const { server, received } = await behind('openai-compatible', [
      openAi('', [
        patch('one', { op: 'replace', path: '/steps/0/done', value: true }),
        patch('two', { op: 'add', path: '/steps/-', value: { title: 'sing', done: false } }),
        patch('bad', { op: 'remove', path: '/nothing/here' }),
        patch('worse', { op: 'add', path: '/__proto__/x', value: 1 }),
        patch('three', { op: 'remove', path: '/note' }),
      ]),
      openAi('Updated.'),
    ]);
    const agent = new Agent({
      url: `${server.url}/invocations`,
      threadId: 't',
      initialState: { steps: [{ title: 'dance', done: false }], note: 'x' },
    });
    agent.addMessage({ id: 'u-1', role: 'user', content: 'I danced' });
    const seen: string[] = [];

    await agent.runAgent(
      { context: [{ description: 'page', value: 'dances' }] },
      { onEvent: ({ event }) => void (event.type.startsWith('STATE') && seen.push(event.type)) },
    );

    expect(agent.state).toEqual({
      steps: [
        { title: 'dance', done: true },
        { title: 'sing', done: false },
      ],
    });
    expect(seen).toEqual(['STATE_SNAPSHOT', 'STATE_DELTA', 'STATE_DELTA']);
    expect(JSON.stringify(received[0]?.body)).toContain('page: dances');
    expect(JSON.stringify(received[1]?.body)).toContain('OPERATION_PATH_UNRESOLVABLE');
  });
});

describe.each(['sse', 'ws'] as const)('our own client over %s', (transport) => {
  it('carries out calls of its tools and has the state that the model made', async () => {
    const change = { id: 's', name: 'update_state', input: { patch: [{ op: 'add', path: '/b', value: 2 }] } };
    const { server } = await behind('openai-compatible', [openAi('', [change, paris]), openAi('Here.')]);
    const agent = new AgentCoreAgent({
      target: { kind: 'url', url: server.url },
      transport,
      threadId: 't',
      initialState: { a: 1 },
    });
    agent.addMessage({ id: 'u-1', role: 'user', content: 'Where is Paris?' });

    const { newMessages } = await agent.runAgent({ tools });
    const call = newMessages
      .flatMap((each) => ('toolCalls' in each ? (each.toolCalls ?? []) : []))
      .find((each) => each.function.name === 'show_map');
    agent.addMessage({ id: 'r-1', role: 'tool', toolCallId: call?.id ?? '', content: 'shown' });
    const second = await agent.runAgent({ tools });

    expect(agent.state).toEqual({ a: 1, b: 2 });
    expect(second.newMessages.map(({ content }) => content)).toEqual(['Here.']);
  });
});

describe('a write that the person may change before allowing it', () => {
  const write = { id: 'w', name: 'write_file', input: { path: 'vpc.yaml', content: 'theirs' } };

  it('offers the arguments in its schema, writes what the person made of them, and tells the model', async () => {
    const { server, restarted, bodies } = await behind('bedrock', [bedrock('', [write]), bedrock('ok')]);
    const cwd = join(server.folder, 'workspace', 'w');
    await mkdir(cwd, { recursive: true });
    const forwardedProps = { iacCode: { schemaVersion: 1, rosInvocationId: 'i', cwd } };
    const talk = new Conversation({ forwardedProps }).say('go');

    const asked = await talk.run(server);
    const [interrupt] = Object(asked.at(-1)?.['outcome'])['interrupts'];
    const editedArgs = { path: 'net.yaml', content: 'mine' };
    const done = await talk.run(await restarted(), answering(asked, { decision: 'allow_once', editedArgs }));

    expect(interrupt.responseSchema.properties.editedArgs).toMatchObject({
      required: ['path', 'content'],
      additionalProperties: false,
    });
    expect(await readFile(join(cwd, 'net.yaml'), 'utf8')).toBe('mine');
    expect(done.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({
      toolCallId: interrupt.toolCallId,
      content: expect.stringContaining('net.yaml'),
    });
    expect(bodies()[1]).toContain('changedByUser');
  });

  it.each([
    [{ path: '../out.yaml', content: 'x' }, 'leads out of the workspace'],
    [{ path: '/etc/x', content: 'x' }, 'must be relative'],
    [{ path: 'link/x', content: 'x' }, 'link is not a folder'],
    [{ path: '%2e%2e/x', content: 'inside' }, '%2e%2e/x'],
  ])('stays inside the workspace, whatever it is changed to: %j', async (editedArgs, said) => {
    const { server } = await behind('openai-compatible', [openAi('', [write]), openAi('ok')]);
    const cwd = join(server.folder, 'workspace', 'w');
    await mkdir(cwd, { recursive: true });
    await symlink('/tmp', join(cwd, 'link'));
    await writeFile(join(server.folder, 'workspace', 'out.yaml'), 'untouched');
    const forwardedProps = { iacCode: { schemaVersion: 1, rosInvocationId: 'i', cwd } };
    const talk = new Conversation({ forwardedProps }).say('go');

    const asked = await talk.run(server);
    const done = await talk.run(server, answering(asked, { decision: 'allow_once', editedArgs }));

    expect(done.find(({ type }) => type === 'TOOL_CALL_RESULT')?.['content']).toContain(said);
    expect(await readFile(join(server.folder, 'workspace', 'out.yaml'), 'utf8')).toBe('untouched');
  });

  it('refuses changed arguments that the schema does not know', async () => {
    const { server } = await behind('openai-compatible', [openAi('', [write]), openAi('ok')]);
    const talk = new Conversation().say('go');
    const asked = await talk.run(server);

    const refused = await talk.run(
      server,
      answering(asked, { decision: 'allow_once', editedArgs: { path: 'a', content: 'b', mode: 'x' } }),
    );

    expect(refused.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'VALIDATION_ERROR' });
  });
});
