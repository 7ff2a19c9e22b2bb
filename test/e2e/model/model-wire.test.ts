/** The server with a model behind it: recorded bytes of both providers on loopback, AG-UI events at the door. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
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

interface Behind {
  readonly server: TestServer;
  readonly received: Awaited<ReturnType<typeof startEndpoint>>['received'];
}

type Provider = 'openai-compatible' | 'bedrock';

async function serverBefore(
  provider: Provider,
  script: readonly RecordedAnswer[],
  more = {},
): Promise<Behind> {
  const { url, received } = await startEndpoint(script);
  const environment = {
    AGUI_MODEL_PROVIDER: provider,
    AGUI_MODEL: 'configured-model',
    AGUI_MODEL_BASE_URL: provider === 'bedrock' ? url : `${url}/v1`,
    AGUI_MODEL_API_KEY: 'configured-canary',
    AGUI_MODEL_REGION: 'eu-west-3',
    ...more,
  };
  return { server: await startServer({ environment }), received };
}

async function say(server: TestServer, content: string, more: object = {}): Promise<readonly WireEvent[]> {
  const messages = content === '' ? [] : [{ id: `m-${content.length}`, role: 'user', content }];
  const body = input({ threadId: 't', messages, protocolVersion: '1.0', ...more });
  return eventsOf((await run(`${server.url}/invocations`, body)).text);
}

const props = ({ folder }: TestServer, more: object) => ({
  forwardedProps: {
    iacCode: { schemaVersion: 1, rosInvocationId: 'inv-1', cwd: join(folder, 'workspace', 'w'), ...more },
  },
});
const textOf = (events: readonly WireEvent[], type = 'TEXT_MESSAGE_CONTENT'): string =>
  events.map((event) => (event.type === type ? event['delta'] : '')).join('');
const answering = (event: WireEvent | undefined, payload: object) => {
  const [interrupt] = Object(event?.['outcome'])['interrupts'];
  return { resume: [{ interruptId: interrupt.id, status: 'resolved', payload }] };
};

async function everythingKept(server: TestServer): Promise<string> {
  await server.stop();
  const entries = await readdir(server.folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
  return JSON.stringify([texts, server.log]);
}

const openAiWords = sse(
  openAiChunk({ role: 'assistant', content: 'Voil' }),
  openAiChunk({ content: 'à €' }),
  openAiChunk({}, 'stop'),
  openAiUsage,
  '[DONE]',
);
const openAiCall = sse(
  openAiChunk({ role: 'assistant', reasoning_content: 'A file ' }),
  openAiChunk({ reasoning_content: 'is needed.' }),
  openAiChunk({
    tool_calls: [
      { index: 0, id: 'call_1', type: 'function', function: { name: 'write_file', arguments: '' } },
    ],
  }),
  openAiChunk({ tool_calls: [{ index: 0, function: { arguments: '{"path":"a.ya' } }] }),
  openAiChunk({ tool_calls: [{ index: 0, function: { arguments: 'ml","content":"été"}' } }] }),
  openAiChunk({}, 'tool_calls'),
  openAiUsage,
  '[DONE]',
);
const bedrockEnd = (stopReason: string) =>
  [
    ['messageStop', { stopReason }],
    ['metadata', { usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 }, metrics: { latencyMs: 5 } }],
  ] as const;
const bedrockWords = eventStream(
  ['messageStart', { role: 'assistant' }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Voil' } }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'à €' } }],
  ['contentBlockStop', { contentBlockIndex: 0 }],
  ...bedrockEnd('end_turn'),
);
const bedrockCall = eventStream(
  ['messageStart', { role: 'assistant' }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'A file ' } } }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'is needed.' } } }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { signature: 'c2lnbmVk' } } }],
  ['contentBlockStop', { contentBlockIndex: 0 }],
  [
    'contentBlockStart',
    { contentBlockIndex: 1, start: { toolUse: { toolUseId: 'tooluse_1', name: 'write_file' } } },
  ],
  ['contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '{"path":"a.ya' } } }],
  ['contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: 'ml","content":"été"}' } } }],
  ['contentBlockStop', { contentBlockIndex: 1 }],
  ...bedrockEnd('tool_use'),
);

const wires = [
  { provider: 'openai-compatible', words: openAiWords, call: openAiCall },
  { provider: 'bedrock', words: bedrockWords, call: bedrockCall },
] as const;

describe.each(wires)('a model at $provider', ({ provider, words, call }) => {
  it('streams reasoning, a call in pieces, its permission over a restart, and the answer with its tokens', async () => {
    const { server, received } = await serverBefore(provider, [call, words]);

    const asked = await say(server, 'a file please');
    await server.stop();
    const again = await startServer({
      folder: server.folder,
      environment: environmentOf(provider, received),
    });
    const done = await say(again, '', answering(asked.at(-1), { decision: 'allow_once' }));

    expect(textOf(asked, 'REASONING_MESSAGE_CONTENT')).toBe('A file is needed.');
    expect(asked.find(({ type }) => type === 'TOOL_CALL_START')).toMatchObject({
      toolCallName: 'write_file',
    });
    expect(JSON.parse(textOf(asked, 'TOOL_CALL_ARGS'))).toEqual({ path: 'a.yaml', content: 'été' });
    expect(Object(asked.at(-1)?.['outcome'])['interrupts']).toMatchObject([{ reason: 'tool_call' }]);
    expect(done.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
    expect(textOf(done)).toBe('Voilà €');
    expect(JSON.stringify(done.at(-1))).toContain('"inputTokens":11');
    expect(JSON.stringify(received[1]?.body)).toContain('"bytes');
    expect(await everythingKept(again)).toContain('été');
  });

  it("honours a request's model, key and thinking, and keeps none of them", async () => {
    const { server, received } = await serverBefore(provider, [words]);

    await say(
      server,
      'hi',
      props(server, {
        model: 'anthropic.claude-own-model',
        llmApiKey: 'own-canary',
        thinking: { enabled: true, effort: 'high' },
      }),
    );
    await say(server, 'hello again', props(server, {}));

    expect(JSON.stringify(received[0])).toContain('own-model');
    expect(received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer own-canary',
      'Bearer configured-canary',
    ]);
    expect(JSON.stringify(received[0]?.body)).toMatch(
      /"(reasoning_effort|effort|maxReasoningEffort|budget_tokens)":/,
    );
    expect(JSON.stringify(received[1])).not.toMatch(/own-model|own-canary/);
    expect(JSON.stringify(received[1]?.body)).toContain('Voilà €');
    expect(await everythingKept(server)).not.toContain('canary');
  });

  it.each([
    [
      'throttled for too long',
      { status: 429, headers: { 'retry-after-ms': '1' }, body: Buffer.from('{"message":"canary"}') },
      'overloaded',
      3,
    ],
    [
      'away',
      { status: 500, headers: { 'retry-after-ms': '1' }, body: Buffer.from('canary') },
      'can not be reached',
      3,
    ],
    [
      'not taking the key',
      { status: 403, body: Buffer.from('{"error":{"message":"bad key canary"}}') },
      'refused the credentials',
      1,
    ],
    [
      'not knowing the model',
      { status: 404, body: Buffer.from('{"error":{"message":"no such model canary"}}') },
      'could not take this request',
      1,
    ],
    [
      'cut off in the middle',
      { ...words, body: words.body.subarray(0, 150), breaks: true },
      'can not be reached',
      1,
    ],
  ] as const)(
    'fails once and clearly when it is %s, and the thread is usable',
    async (_case, broken, sentence, tries) => {
      const script = [...Array.from({ length: tries }, () => broken), words];
      const { server, received } = await serverBefore(provider, script);

      const failed = await say(server, 'hi');
      const next = await say(server, 'hello again');

      expect(textOf(failed)).toContain(sentence);
      expect(failed.filter(({ type }) => type === 'RUN_ERROR')).toHaveLength(1);
      expect(failed.at(-1)?.type).toBe('RUN_ERROR');
      expect(received).toHaveLength(tries + 1);
      expect(textOf(next)).toBe('Voilà €');
      expect(JSON.stringify(failed) + (await everythingKept(server))).not.toContain('canary');
    },
  );
});

/** The same endpoint for the server after the restart. */
function environmentOf(provider: Provider, received: Behind['received']) {
  const host = received[0]?.headers.host ?? '';
  return {
    AGUI_MODEL_PROVIDER: provider,
    AGUI_MODEL: 'configured-model',
    AGUI_MODEL_BASE_URL: `http://${host}${provider === 'bedrock' ? '' : '/v1'}`,
    AGUI_MODEL_API_KEY: 'configured-canary',
    AGUI_MODEL_REGION: 'eu-west-3',
  };
}

describe('errors that only one wire has', () => {
  it.each([
    [
      'bedrock',
      eventStream(
        ['messageStart', { role: 'assistant' }],
        ['throttlingException', { message: 'Too many tokens' }],
      ),
      'overloaded',
    ],
    [
      'bedrock',
      eventStream(['messageStart', { role: 'assistant' }], ['internalServerException', { message: 'oops' }]),
      'can not be reached',
    ],
    [
      'bedrock',
      eventStream(['messageStart', { role: 'assistant' }], ...bedrockEnd('guardrail_intervened')),
      'content filter',
    ],
    [
      'bedrock',
      eventStream(['messageStart', { role: 'assistant' }], ...bedrockEnd('content_filtered')),
      'content filter',
    ],
    [
      'openai-compatible',
      sse(openAiChunk({ content: 'half' }), {
        error: { message: 'Rate limit reached', type: 'rate_limit_exceeded' },
      }),
      'overloaded',
    ],
    [
      'openai-compatible',
      sse(openAiChunk({ content: 'half' }), openAiChunk({}, 'content_filter'), '[DONE]'),
      'content filter',
    ],
    ['openai-compatible', sse(openAiChunk({ content: 'half' }), '{"choices": [broken'), 'can not be reached'],
  ] as const)('%s: %# is one clear failure', async (provider, broken, sentence) => {
    const { server } = await serverBefore(provider, [broken]);

    const events = await say(server, 'hi');

    expect(textOf(events)).toContain(sentence);
    expect(events.at(-1)?.type).toBe('RUN_ERROR');
  });

  it('signs a Bedrock request with the credentials of the container when there is no key', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-canary');
    vi.stubEnv('AWS_SESSION_TOKEN', 'session-token');
    const { server, received } = await serverBefore('bedrock', [bedrockWords], { AGUI_MODEL_API_KEY: '' });

    const events = await say(server, 'hi');
    vi.unstubAllEnvs();

    expect(textOf(events)).toBe('Voilà €');
    expect(received[0]?.path).toBe('/model/configured-model/converse-stream');
    expect(received[0]?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-3\/bedrock\//,
    );
    expect(received[0]?.headers['x-amz-security-token']).toBe('session-token');
    expect(await everythingKept(server)).not.toContain('canary');
  });
});
