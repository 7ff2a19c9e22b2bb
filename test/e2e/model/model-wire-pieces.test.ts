/** Odd but lawful wires of both providers, and a model that comes back: recorded bytes on loopback, AG-UI at the door. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventsOf, input, openRun, run, type WireEvent } from '../../support/requests.ts';
import { startServer, type TestServer } from '../../support/servers.ts';
import {
  eventStream,
  openAiChunk,
  openAiUsage,
  type RecordedAnswer,
  sse,
  startEndpoint,
} from './model-endpoint.ts';

type Provider = 'openai-compatible' | 'bedrock';

const environmentOf = (provider: Provider, url: string) => ({
  AGUI_MODEL_PROVIDER: provider,
  AGUI_MODEL: 'a-model',
  AGUI_MODEL_BASE_URL: provider === 'bedrock' ? url : `${url}/v1`,
  AGUI_MODEL_API_KEY: 'key',
  AGUI_MODEL_REGION: 'eu-west-3',
});

async function behind(provider: Provider, script: readonly RecordedAnswer[]) {
  const { url, received } = await startEndpoint(script);
  return { server: await startServer({ environment: environmentOf(provider, url) }), received };
}

async function say(server: TestServer, content: string): Promise<readonly WireEvent[]> {
  const messages = [{ id: `m-${content}`, role: 'user', content }];
  return eventsOf((await run(`${server.url}/invocations`, input({ threadId: 't', messages }))).text);
}

const textOf = (events: readonly WireEvent[]): string =>
  events.map((event) => (event.type === 'TEXT_MESSAGE_CONTENT' ? event['delta'] : '')).join('');
const callsOf = (events: readonly WireEvent[]) =>
  events
    .filter(({ type }) => type === 'TOOL_CALL_START' || type === 'TOOL_CALL_ARGS')
    .map((event) => event['toolCallName'] ?? event['delta']);

const openAiWords = sse(openAiChunk({ role: 'assistant', content: 'ok' }), openAiChunk({}, 'stop'), '[DONE]');
const bedrockWords = eventStream(
  ['messageStart', { role: 'assistant' }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'ok' } }],
  ['contentBlockStop', { contentBlockIndex: 0 }],
  ['messageStop', { stopReason: 'end_turn' }],
);

/** Two calls whose arguments take turns, piece by piece. */
const openAiParallel = sse(
  openAiChunk({
    tool_calls: [
      { index: 0, id: 'a', type: 'function', function: { name: 'read_file', arguments: '{"pa' } },
      { index: 1, id: 'b', type: 'function', function: { name: 'list_files', arguments: '{' } },
    ],
  }),
  openAiChunk({ tool_calls: [{ index: 0, function: { arguments: 'th":"été' } }] }),
  openAiChunk({ tool_calls: [{ index: 1, function: { arguments: '}' } }] }),
  openAiChunk({ tool_calls: [{ index: 0, function: { arguments: '.txt"}' } }] }),
  openAiChunk({}, 'tool_calls'),
  openAiUsage,
  '[DONE]',
);
const toolUse = (index: number, name: string, ...pieces: readonly string[]) => [
  [
    'contentBlockStart',
    { contentBlockIndex: index, start: { toolUse: { toolUseId: `u${index}`, name } } },
  ] as const,
  ...pieces.map(
    (piece) =>
      ['contentBlockDelta', { contentBlockIndex: index, delta: { toolUse: { input: piece } } }] as const,
  ),
  ['contentBlockStop', { contentBlockIndex: index }] as const,
];
const bedrockCalls = (...frames: readonly (readonly [string, object])[]) =>
  eventStream(['messageStart', { role: 'assistant' }], ...frames, [
    'messageStop',
    { stopReason: 'tool_use' },
  ]);
const bedrockParallel = bedrockCalls(
  ...toolUse(0, 'read_file', '{"pa', 'th":"été', '.txt"}'),
  ...toolUse(1, 'list_files', '{', '}'),
);
const openAiBroken = sse(
  openAiChunk({
    tool_calls: [
      { index: 0, id: 'a', type: 'function', function: { name: 'read_file', arguments: '{"path": bro' } },
    ],
  }),
  openAiChunk({}, 'tool_calls'),
  '[DONE]',
);
const bedrockBroken = bedrockCalls(...toolUse(0, 'read_file', '{"path": bro'));

const wires = [
  { provider: 'openai-compatible', words: openAiWords, parallel: openAiParallel, broken: openAiBroken },
  { provider: 'bedrock', words: bedrockWords, parallel: bedrockParallel, broken: bedrockBroken },
] as const;

describe.each(wires)('a model at $provider', ({ provider, words, parallel, broken }) => {
  it('may call several tools at once, their arguments in pieces', async () => {
    const { server, received } = await behind(provider, [parallel, words]);

    const events = await say(server, 'look');

    expect(callsOf(events)).toEqual(['read_file', '{"path":"été.txt"}', 'list_files', '{}']);
    expect(JSON.stringify(received[1]?.body)).toContain('été.txt does not exist');
    expect(textOf(events)).toBe('ok');
  });

  it('is told of arguments that are no JSON, and nothing runs', async () => {
    const { server, received } = await behind(provider, [broken, words]);

    const events = await say(server, 'look');

    expect(callsOf(events)).toEqual([]);
    expect(events.at(-1)?.type).toBe('RUN_FINISHED');
    expect(received).toHaveLength(2);
    expect(textOf(events)).toBe('ok');
  });

  it('that is throttled once is asked again, and nobody notices', async () => {
    const throttled = {
      status: 429,
      headers: { 'retry-after-ms': '1' },
      body: Buffer.from('{"message":"Too many requests"}'),
    };
    const { server, received } = await behind(provider, [throttled, words]);

    const events = await say(server, 'hi');

    expect(received).toHaveLength(2);
    expect(textOf(events)).toBe('ok');
    expect(events.at(-1)?.type).toBe('RUN_FINISHED');
  });

  it('is left at once when the run is cancelled', async () => {
    const left = Promise.withResolvers<void>();
    const endless = createServer((request, response) => {
      request.resume();
      response.on('close', () => left.resolve());
      response.writeHead(200, words.headers).write(words.body.subarray(0, words.body.length - 60));
    }).listen(0, '127.0.0.1');
    await once(endless, 'listening');
    onTestFinished(() => void endless.close());
    const { port } = endless.address() as AddressInfo;
    const server = await startServer({ environment: environmentOf(provider, `http://127.0.0.1:${port}`) });
    const reading = await openRun(`${server.url}/invocations`, input({ threadId: 't' }));
    await reading.until((text) => text.includes('iac-code.session.v1'));

    await reading.leave();

    await expect(left.promise).resolves.toBeUndefined();
  });
});

describe('a model that is not there at all', () => {
  it('is one clear failure, and the thread goes on when it is back', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    // A server that listens on an address has an internet address.
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    const environment = {
      ...environmentOf('openai-compatible', `http://127.0.0.1:${port}`),
      AGUI_MODEL_API_KEY: 'key',
    };
    const before = await startServer({ environment });

    const failed = await say(before, 'hi');
    await before.stop();
    const { url, received } = await startEndpoint([openAiWords]);
    const after = await startServer({
      folder: before.folder,
      environment: environmentOf('openai-compatible', url),
    });
    const next = await say(after, 'again');

    expect(failed.filter(({ type }) => type === 'RUN_ERROR')).toHaveLength(1);
    expect(failed.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'AGENT_ERROR' });
    expect(textOf(failed)).toContain('can not be reached');
    expect(JSON.stringify(failed)).not.toContain(String(port));
    expect(textOf(next)).toBe('ok');
    expect(JSON.stringify(received[0]?.body)).toContain('hi');
  }, 30_000);
});

describe('errors in the middle of a Bedrock stream', () => {
  it.each([
    ['modelStreamErrorException', 'can not be reached'],
    ['serviceUnavailableException', 'can not be reached'],
    ['validationException', 'could not take this request'],
  ])('%s is one clear failure behind what was said', async (name, sentence) => {
    const { server } = await behind('bedrock', [
      eventStream(
        ['messageStart', { role: 'assistant' }],
        ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'half. ' } }],
        [name, { message: 'canary' }],
      ),
      bedrockWords,
    ]);

    const failed = await say(server, 'hi');
    const next = await say(server, 'again');

    expect(textOf(failed)).toContain('half. ');
    expect(textOf(failed)).toContain(sentence);
    expect(failed.filter(({ type }) => type === 'RUN_ERROR')).toHaveLength(1);
    expect(JSON.stringify(failed)).not.toContain('canary');
    expect(textOf(next)).toBe('ok');
  });
});
