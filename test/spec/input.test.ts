/** What a request says and what of it reaches the kernel, on every door: ids, messages, images, tools, context, state. */
import { describe, expect, it } from 'vitest';
import { Conversation, everyDoor, faultOf, lastOf, sentenceOf, sessionOf } from '../support/conversation.ts';
import { call, eventsOf } from '../support/requests.ts';
import { aborted, ScriptedKernel, submitted, turn } from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { verifies, verifiesOn } from './verifies.ts';

const success = { type: 'RUN_FINISHED', outcome: { type: 'success' } };
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** An image part of this many bytes. */
function imageOf(bytes: number, more: object = {}) {
  const value = Buffer.concat([png, Buffer.alloc(bytes - png.length)]).toString('base64');
  return { type: 'image', source: { type: 'data', value, mimeType: 'image/png' }, ...more };
}
const userSays = (content: unknown) => ({ messages: [{ id: 'm', role: 'user', content }] });
const mebibyte = 1024 * 1024;

describe.each(everyDoor)('by the door %s', (door) => {
  const begin = async (environment = {}) => {
    const kernel = new ScriptedKernel(turn('hello'));
    const talk = new Conversation(await startServer({ replace: { kernel }, environment }), door);
    return { kernel, talk };
  };

  it.each([
    ['no threadId', { threadId: undefined }],
    ['an empty threadId', { threadId: '' }],
    ['a threadId that is a number', { threadId: 7 }],
    ['no runId', { runId: undefined }],
    ['an empty runId', { runId: '' }],
    ['messages that are no list', { messages: 'hello' }],
    ['a resume that is no list', { resume: {} }],
  ])('an input with %s is refused, and nothing runs', async (_what, change) => {
    verifies('input.thread-id', 'input.run-id', 'error.invalid-input');
    const { talk, kernel } = await begin();

    const answer = await talk.say(change);

    expect(faultOf(answer)).toBe('INVALID_INPUT');
    if (door !== 'ws') expect(answer.status).toBe(400);
    expect(kernel.sends).toEqual([]);
  });

  it('a thread is one conversation: one A2A context, one iac-code session, a new execution each turn', async () => {
    verifies('input.thread-identity', 'turns.same-session', 'turns.new-execution', 'turns.run-per-request');
    const kernel = new ScriptedKernel(async function* (_send, names) {
      const named = { taskId: names.taskId, contextId: names.contextId };
      yield [
        submitted(names),
        {
          statusUpdate: {
            ...named,
            metadata: { iac_code: { iacCodeSessionId: `session-of-${names.contextId}` } },
          },
        },
        { statusUpdate: { ...named, status: { state: 'TASK_STATE_COMPLETED' } } },
      ];
    });
    const server = await startServer({ replace: { kernel } });
    const talk = new Conversation(server, door);
    const other = new Conversation(server, door);

    const [one, two, elsewhere] = [await talk.say(), await talk.say(), await other.say()].map(sessionOf);

    expect(one?.['contextId']).toBe(two?.['contextId']);
    expect(one?.['sessionId']).toBe(two?.['sessionId']);
    expect(one?.['executionId']).not.toBe(two?.['executionId']);
    expect(one?.['taskId']).not.toBe(two?.['taskId']);
    expect(elsewhere?.['contextId']).not.toBe(one?.['contextId']);
    expect(kernel.sends.map(({ message }) => message.taskId)).toEqual([undefined, undefined, undefined]);
    expect(new Set(kernel.sends.slice(0, 2).map(({ message }) => message.contextId)).size).toBe(1);
  });

  it('a session of the kernel that changes between two turns is refused', async () => {
    verifies('error.a2a-protocol');
    const kernel = new ScriptedKernel(async function* (_send, names) {
      const iacCodeSessionId = `session-${names.taskId}`;
      yield [submitted(names), { statusUpdate: { ...names, metadata: { iac_code: { iacCodeSessionId } } } }];
      yield [{ statusUpdate: { ...names, status: { state: 'TASK_STATE_COMPLETED' } } }];
    });
    const talk = new Conversation(await startServer({ replace: { kernel } }), door);

    const first = await talk.say();
    const second = await talk.say();

    expect(lastOf(first)).toMatchObject(success);
    expect(faultOf(second)).toBe('A2A_PROTOCOL_ERROR');
    expect(kernel.cancels).toEqual(['task-2']);
  });

  it('a run id is used once in its thread: the same request and another one are told apart', async () => {
    verifies(
      'input.run-id-once',
      'error.duplicate-run-id',
      'error.run-id-conflict',
      'turns.idempotency-scope',
    );
    const { talk, kernel } = await begin();
    const body = talk.body();
    await talk.send(body);

    const same = await talk.send(body);
    const other = await talk.send({ ...body, state: { other: true } });
    const elsewhere = await new Conversation(talk.server, door).say({ runId: body['runId'] });

    expect(faultOf(same)).toBe('DUPLICATE_RUN_ID');
    expect(faultOf(other)).toBe('RUN_ID_CONFLICT');
    if (door !== 'ws') expect([same.status, other.status]).toEqual([409, 409]);
    expect(lastOf(elsewhere)).toMatchObject(success);
    expect(kernel.sends).toHaveLength(2);
  });

  it('a refreshed secret makes no other request of it', async () => {
    verifies('error.duplicate-run-id');
    const { talk } = await begin();
    const body = (token: string) =>
      talk.body({
        runId: 'r',
        messages: [{ id: 'm', role: 'user', content: 'x' }],
        forwardedProps: { iacCode: talk.props({ llmApiKey: token, alibabaCloud: { securityToken: token } }) },
      });
    await talk.send(body('one'));

    expect(faultOf(await talk.send(body('two')))).toBe('DUPLICATE_RUN_ID');
  });

  it('a second run on a thread that runs is refused', async () => {
    verifies('error.thread-busy');
    const kernel = new ScriptedKernel(async function* (_send, names, signal) {
      yield [submitted(names)];
      await aborted(signal);
    });
    const server = await startServer({ replace: { kernel } });
    const talk = new Conversation(server, door);
    const opened = await talk.open();
    await opened.until((events) => events.length > 0);

    const second = await new Conversation(server, door, { threadId: talk.threadId }).say();

    expect(faultOf(second)).toBe('THREAD_BUSY');
    if (door !== 'ws') expect(second.status).toBe(409);
    await opened.leave();
  });

  it('the last user message is what the kernel gets, as a string or as parts', async () => {
    verifies('input.last-user-message', 'input.text');
    const { talk, kernel } = await begin();
    const messages = [
      { id: '1', role: 'user', content: 'first' },
      { id: '2', role: 'assistant', content: 'answer' },
      { id: '3', role: 'user', content: 'second' },
      { id: '4', role: 'assistant', content: 'another' },
    ];

    await talk.say({ messages });
    await talk.say(
      userSays([
        { type: 'text', text: 'in ' },
        { type: 'text', text: 'parts' },
      ]),
    );

    expect(kernel.sends.map(({ message }) => message.parts)).toEqual([
      [{ text: 'second' }],
      [{ text: 'in ' }, { text: 'parts' }],
    ]);
  });

  it('an input whose messages hold none of the user is refused', async () => {
    verifies('error.invalid-input');
    const { talk, kernel } = await begin();

    const answer = await talk.say({ messages: [{ id: '1', role: 'assistant', content: 'hm' }] });

    expect(faultOf(answer)).toBe('INVALID_INPUT');
    expect(kernel.sends).toEqual([]);
  });

  it('state stays in the envelope: the kernel gets none of it, and none comes back', async () => {
    verifies('input.state');
    const { talk, kernel } = await begin();

    const answer = await talk.say({ state: { secret: 'state-canary' } });

    expect(JSON.stringify(kernel.sends)).not.toContain('state-canary');
    expect(answer.text).not.toContain('state-canary');
    expect(answer.events.filter(({ type }) => type.startsWith('STATE_'))).toEqual([]);
  });

  it('an inline image reaches the kernel as it is', async () => {
    verifies('input.image');
    const { talk, kernel } = await begin();
    const image = imageOf(64, { metadata: { filename: 'plan.png' } });

    await talk.say(userSays([{ type: 'text', text: 'Look' }, image]));

    expect(kernel.sends[0]?.message.parts).toEqual([
      { text: 'Look' },
      { raw: image.source.value, filename: 'plan.png', mediaType: 'image/png' },
    ]);
  });

  const unsupported = [
    ['an image by its address', { type: 'image', source: { type: 'url', value: 'https://x.example/a.png' } }],
    ['audio', { type: 'audio', source: { type: 'data', value: 'AAAA', mimeType: 'audio/wav' } }],
    ['video', { type: 'video', source: { type: 'data', value: 'AAAA', mimeType: 'video/mp4' } }],
    [
      'a document',
      { type: 'document', source: { type: 'data', value: 'AAAA', mimeType: 'application/pdf' } },
    ],
    ['a binary part', { type: 'binary', data: 'AAAA', mimeType: 'application/octet-stream' }],
  ] as const;

  it.each(unsupported)('%s is not supported: nothing of it reaches the kernel', async (_what, part) => {
    verifies('input.media-remote', 'input.media-kinds');
    const { talk, kernel } = await begin();

    const alone = await talk.say(userSays([part]));
    const beside = await talk.say(userSays([{ type: 'text', text: 'Look' }, part]));

    expect(faultOf(alone)).toBe('INVALID_INPUT');
    if (door === 'iac-code') expect(faultOf(beside)).toBe('INVALID_INPUT');
    // AG-UI 1.0 has a part that can't be used left out, where the contract does not refuse it.
    else expect(kernel.sends.map(({ message }) => message.parts)).toEqual([[{ text: 'Look' }]]);
    expect(kernel.sends).toHaveLength(door === 'iac-code' ? 0 : 1);
  });

  it('an image may have 8 MiB and no byte more', async () => {
    verifies('input.image-size');
    const { talk, kernel } = await begin();

    const largest = await talk.say(userSays([imageOf(8 * mebibyte)]));
    const larger = await talk.say(userSays([imageOf(8 * mebibyte + 1)]));

    expect(lastOf(largest)).toMatchObject(success);
    expect(faultOf(larger)).toBe('INVALID_INPUT');
    expect(kernel.sends).toHaveLength(1);
  });

  it('all images together may have 10 MiB and no byte more', async () => {
    verifies('input.images-size');
    const { talk, kernel } = await begin({ AGUI_MAX_BODY_BYTES: '20000000' });

    const most = await talk.say(userSays([imageOf(5 * mebibyte), imageOf(5 * mebibyte)]));
    const more = await talk.say(userSays([imageOf(5 * mebibyte), imageOf(5 * mebibyte + 1)]));

    expect(lastOf(most)).toMatchObject(success);
    expect(faultOf(more)).toBe('INVALID_INPUT');
    expect(kernel.sends).toHaveLength(1);
  });

  it.each([
    ['that is no image', { type: 'data', value: 'AAAA', mimeType: 'text/plain' }],
    ['that is not base64', { type: 'data', value: '***', mimeType: 'image/png' }],
    ['that is another kind than it says', { type: 'data', value: 'AAAAAAAA', mimeType: 'image/png' }],
  ])('an image %s is refused', async (_what, source) => {
    verifies('input.image', 'error.invalid-input');
    const { talk, kernel } = await begin();

    const answer = await talk.say(userSays([{ type: 'image', source }]));

    expect(faultOf(answer)).toBe('INVALID_INPUT');
    expect(kernel.sends).toEqual([]);
  });

  it('a whole request may have 12 MiB and no byte more', async () => {
    verifies('input.body-size');
    const { talk, kernel } = await begin();
    const padded = (bytes: number): string => {
      const bare = JSON.stringify(talk.body({ state: { padding: '' } }));
      return bare.replace('"padding":""', `"padding":"${'x'.repeat(bytes - bare.length)}"`);
    };

    const largest = await talk.send(padded(12 * mebibyte));
    expect(lastOf(largest)).toMatchObject(success);

    if (door === 'ws') {
      // A frame too large ends its socket: RFC 6455 has no other word for it.
      const opened = await talk.open(padded(12 * mebibyte + 1)).catch((thrown: Error) => thrown);
      const ending = opened instanceof Error ? opened : await opened.ended.catch((thrown: Error) => thrown);
      expect(ending).toBeInstanceOf(Error);
    } else {
      const larger = await talk.send(padded(12 * mebibyte + 1));
      expect(faultOf(larger)).toBe('REQUEST_TOO_LARGE');
      expect(larger.status).toBe(door === 'iac-code' ? 413 : 400);
    }
    expect(kernel.sends).toHaveLength(1);
  });

  it('errors are told in the language that Accept-Language prefers', async () => {
    verifies('http.accept-language');
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });
    const told = async (language: string) => {
      const headers = { 'accept-language': language };
      return sentenceOf(await new Conversation(server, door, { headers }).sayWith({ cwd: 'relative' }));
    };

    const [french, chinese, unknown] = [
      await told('fr-CH, de;q=0.9'),
      await told('xx;q=1, zh-Hans;q=0.5'),
      await told('tlh'),
    ];

    expect(french).toMatch(/chemin|dossier|espace de travail/);
    expect(chinese).toMatch(/\p{Script=Han}/u);
    expect(unknown).toMatch(/absolute path/);
  });

  it('preferredLanguage goes before Accept-Language, and the kernel is told', async () => {
    verifies('http.preferred-language');
    const kernel = new ScriptedKernel(turn('hello'));
    const server = await startServer({ replace: { kernel } });
    const headers = { 'accept-language': 'de' };
    const talk = new Conversation(server, door, { headers });

    const refused = await talk.sayWith({ cwd: 'relative', preferredLanguage: 'ja' });
    await talk.sayWith({ preferredLanguage: 'fr-FR' });
    await talk.say();

    expect(sentenceOf(refused)).toMatch(/[\u3040-\u30ff]/);
    const languages = kernel.sends.map(({ message }) => Object(message.metadata?.['iac_code']));
    expect(languages.map(({ preferredLanguage }) => preferredLanguage)).toEqual(['fr', 'de']);
  });
});

describe('the iac-code door', () => {
  const begin = async () => {
    const kernel = new ScriptedKernel(turn('hello'));
    return { kernel, talk: new Conversation(await startServer({ replace: { kernel } }), 'iac-code') };
  };

  it('runs the minimal example of its reference', async () => {
    verifiesOn('iac-code', 'input.minimal', 'http.run', 'sse.record');
    const kernel = new ScriptedKernel(turn('hello'));
    const server = await startServer({ replace: { kernel } });
    // As printed, save for its folder, which this machine need not have.
    const example = `{
  "threadId": "8473547e-c8ed-4aef-a84c-603a6a8d42da",
  "runId": "32c263f2-b0b0-42ac-905c-524a0a9bb652",
  "state": {},
  "messages": [
    {"id": "message-1", "role": "user", "content": "Créer un modèle VPC"}
  ],
  "tools": [],
  "context": [],
  "forwardedProps": {
    "iacCode": {
      "schemaVersion": 1,
      "rosInvocationId": "invocation-1",
      "cwd": "CWD",
      "runMode": "normal"
    }
  }
}`.replace('CWD', `${server.folder}/session-1`);

    const answer = await call(`${server.url}/`, { body: example });

    const events = eventsOf(answer.text);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/event-stream');
    for (const record of answer.text.trimEnd().split('\n\n')) expect(record).toMatch(/^data: \{.*\}$/);
    expect(events[0]).toMatchObject({
      type: 'RUN_STARTED',
      threadId: '8473547e-c8ed-4aef-a84c-603a6a8d42da',
      runId: '32c263f2-b0b0-42ac-905c-524a0a9bb652',
    });
    expect(events.at(-1)).toMatchObject(success);
    expect(kernel.sends[0]?.message.parts).toEqual([{ text: 'Créer un modèle VPC' }]);
  });

  it('needs its extension', async () => {
    verifiesOn('iac-code', 'input.forwarded-props');
    const { talk, kernel } = await begin();

    const none = await talk.say({ forwardedProps: undefined });
    const empty = await talk.say({ forwardedProps: {} });

    expect([faultOf(none), faultOf(empty)]).toEqual(['INVALID_INPUT', 'INVALID_INPUT']);
    expect(kernel.sends).toEqual([]);
  });

  it('takes no tools of the client', async () => {
    verifiesOn('iac-code', 'input.tools-empty');
    const { talk, kernel } = await begin();

    const answer = await talk.say({ tools: [{ name: 't', description: 'd', parameters: {} }] });

    expect(answer.status).toBe(400);
    expect(faultOf(answer)).toBe('INVALID_INPUT');
    expect(kernel.sends).toEqual([]);
  });

  it('keeps context in the envelope', async () => {
    verifiesOn('iac-code', 'input.context');
    const { talk, kernel } = await begin();

    const answer = await talk.say({ context: [{ description: 'd', value: 'context-canary' }] });

    expect(lastOf(answer)).toMatchObject(success);
    expect(JSON.stringify(kernel.sends)).not.toContain('context-canary');
  });
});
