/** The loop around a language model, with the SDK's own scripted models. */
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kernelContract } from '../../../contract/kernel.contract.ts';
import { temporaryFolder } from '../../../support/servers.ts';
import {
  answers,
  calls,
  callsOnly,
  finish,
  framesOf,
  type ModelCall,
  membersOf,
  questionOf,
  rigOf,
  says,
  stateOf,
  thinks,
  userSays,
  wordsOf,
} from './scripted-model.ts';

const workspace = async (): Promise<string> => {
  const cwd = join(await temporaryFolder(), 'w');
  await mkdir(cwd);
  return cwd;
};
const completed = 'TASK_STATE_COMPLETED';
const write = (path: string, content = 'text') => calls('write_file', { path, content });

describe('an author that is a model', () => {
  it('streams text and reasoning piece by piece, and counts the tokens', async () => {
    const { agent, seen } = rigOf([[...thinks('first I think'), ...says('Hel', 'lo'), finish()]]);

    const frames = await framesOf(agent, userSays('hi', '/nowhere'));

    expect(wordsOf(frames)).toBe('Hello');
    expect(membersOf(frames, 'thinking')).toEqual([{ type: 'raw_thinking', text: 'first I think' }]);
    expect(membersOf(frames, 'usage')).toEqual([
      { inputTokens: 10, outputTokens: 5, totalTokens: 15, reasoningTokens: 2, cachedInputTokens: 4 },
    ]);
    expect(stateOf(frames)).toBe(completed);
    expect(JSON.stringify(seen[0]?.prompt)).toContain('hi');
  });

  it('runs tools that only read at once, and gives the model their results', async () => {
    const cwd = await workspace();
    await writeFile(join(cwd, 'a.txt'), 'what is in it');
    const script = [
      callsOnly(calls('list_files', {}), calls('read_file', { path: 'a.txt' })),
      [...says('ok'), finish()],
    ];
    const { agent, seen } = rigOf(script);

    const frames = await framesOf(agent, userSays('look', cwd));

    expect(membersOf(frames, 'tool').map(({ name, status }) => `${name} ${status}`)).toEqual([
      'list_files started',
      'list_files input_complete',
      'list_files completed',
      'read_file started',
      'read_file input_complete',
      'read_file completed',
    ]);
    expect(JSON.stringify(seen[1]?.prompt)).toContain('what is in it');
    expect(stateOf(frames)).toBe(completed);
  });

  it.each([
    ['allow_once', ['vpc.yaml'], 'bytes'],
    ['deny', [], 'the user did not allow it'],
  ])(
    'asks before it writes, and goes on after a restart when the answer is %s',
    async (said, files, told) => {
      const cwd = await workspace();
      const { agent, restarted, seen } = rigOf([
        callsOnly(...thinks('hm'), write('vpc.yaml')),
        [...says('as you wish'), finish()],
      ]);
      const asked = await framesOf(agent, userSays('a vpc', cwd, { preferredLanguage: 'fr' }));
      const question = questionOf(asked);
      expect(await readdir(cwd)).toEqual([]);
      await agent.close();

      const frames = await framesOf(restarted(), answers(question, cwd, said));

      expect(question).toMatchObject({
        kind: 'permission',
        prompt: 'Écrire vpc.yaml dans l’espace de travail ?',
      });
      expect(await readdir(cwd)).toEqual(files);
      expect(JSON.stringify(seen[1]?.prompt)).toContain(told);
      // What a provider signed goes back to it, or it would refuse the conversation.
      expect(JSON.stringify(seen[1]?.prompt)).toContain('signed');
      expect(wordsOf(frames)).toContain('as you wish');
      expect(stateOf(frames)).toBe(completed);
    },
  );

  it('asks the user what the model wants to know, with options, and takes the answer over a restart', async () => {
    const question = { question: 'Which region?', options: ['Paris', 'Milan', 'Paris'] };
    const { agent, restarted, seen } = rigOf([
      callsOnly(calls('ask_user', question)),
      [...says('Milan it is'), finish()],
    ]);
    const asked = questionOf(await framesOf(agent, userSays('a vpc', '/nowhere')));
    await agent.close();

    const frames = await framesOf(restarted(), answers(asked, '/nowhere', 'Milan'));

    expect(asked).toMatchObject({
      kind: 'ask_user_question',
      prompt: 'Which region?',
      allowFreeText: true,
      options: [
        { id: '1', label: 'Paris' },
        { id: '2', label: 'Milan' },
      ],
    });
    expect(JSON.stringify(seen[1]?.prompt)).toContain('Milan');
    expect(wordsOf(frames)).toBe('Milan it is');
  });

  it('asks for each of several calls in turn, and tells the model all results together', async () => {
    const cwd = await workspace();
    const two = callsOnly(
      calls('write_file', { path: 'a', content: 'A' }, 'one'),
      calls('list_files', {}, 'two'),
      calls('write_file', { path: 'b', content: 'B' }, 'three'),
    );
    const { agent, seen } = rigOf([two, [...says('done'), finish()]]);

    const first = questionOf(await framesOf(agent, userSays('go', cwd)));
    const second = questionOf(await framesOf(agent, answers(first, cwd, 'allow_once')));
    const frames = await framesOf(agent, answers(second, cwd, 'deny'));

    expect(stateOf(frames)).toBe(completed);
    expect(await readdir(cwd)).toEqual(['a']);
    const results = seen[1]?.prompt.at(-1);
    expect(results?.role).toBe('tool');
    expect(Array.isArray(results?.content) && results.content).toMatchObject([
      { toolCallId: 'one' },
      { toolCallId: 'two' },
      { toolCallId: 'three' },
    ]);
  });

  it.each([
    calls('write_file', { path: '../out.txt', content: 'x' }),
    calls('write_file', { path: '/etc/passwd', content: 'x' }),
    calls('delete_file', { path: 'a/../../b' }),
    calls('read_file', { path: '../secret.txt' }),
    calls('read_file', { path: './x/../../secret.txt' }),
    calls('read_file', { path: '..\\secret.txt' }),
    calls('read_file', { path: '%2e%2e/secret.txt' }),
    calls('read_file', { path: '..%2fsecret.txt' }),
    calls('read_file', { path: '\uff0e\uff0e/secret.txt' }),
    calls('read_file', { path: '../secret.txt\0.yaml' }),
    calls('read_file', { path: 'file:///proc/self/environ' }),
    calls('read_file', { path: '/proc/self/environ' }),
    calls('read_file', { path: 'up/secret.txt' }),
    calls('read_file', { path: 'secret-link' }),
    calls('validate_template', { path: 'up/secret.txt' }),
    calls('list_files', { path: '..' }),
    calls('write_file', { path: 'no-content' }),
    calls('run_shell', { command: 'rm -rf /' }),
    calls('constructor', {}),
    calls('write_file', '{"path": "broken'),
  ])('refuses a call that a file talked the model into, without asking anybody: %j', async (call) => {
    const cwd = await workspace();
    await writeFile(join(cwd, '..', 'secret.txt'), 'canary');
    await symlink('..', join(cwd, 'up'));
    await symlink('../secret.txt', join(cwd, 'secret-link'));
    const { agent, seen } = rigOf([callsOnly(call), [...says('sorry'), finish()]]);

    const frames = await framesOf(agent, userSays('go', cwd));

    expect(stateOf(frames)).toBe(completed);
    expect(membersOf(frames, 'input')).toEqual([]);
    expect(JSON.stringify(seen[1]?.prompt)).not.toContain('canary');
    expect(await readdir(join(cwd, '..'))).toEqual(['secret.txt', 'w']);
    expect(await readFile(join(cwd, '..', 'secret.txt'), 'utf8')).toBe('canary');
  });

  it('treats a question that was walked away from as unanswered in the next turn', async () => {
    const cwd = await workspace();
    const { agent, seen } = rigOf([callsOnly(write('a')), [...says('fine'), finish()]]);
    await framesOf(agent, userSays('go', cwd));

    const frames = await framesOf(agent, userSays('never mind', cwd));

    expect(wordsOf(frames)).toBe('fine');
    expect(seen[1]?.prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
    expect(await readdir(cwd)).toEqual([]);
  });

  it('pauses a model that calls without end', async () => {
    const { agent } = rigOf([callsOnly(calls('list_files', {}))], 3);

    const frames = await framesOf(agent, userSays('go', await workspace()));

    expect(wordsOf(frames)).toContain('I pause here');
    expect(stateOf(frames)).toBe(completed);
  });

  it.each([
    [
      [...says('half of it'), { type: 'error' as const, error: { message: 'Too many requests' } }],
      'overloaded',
    ],
    [[...says('half'), finish('content-filter')], 'content filter'],
    [new TypeError('fetch failed: canary'), 'can not be reached'],
    [[], 'can not be reached'],
  ])(
    'fails in one clear sentence, says no more than that, and is usable again: %j',
    async (broken, sentence) => {
      const { agent, log, seen } = rigOf([broken, [...says('better now'), finish()]]);

      const frames = await framesOf(agent, userSays('first', '/nowhere', { iac_code_api_key: 'canary' }));
      const next = await framesOf(agent, userSays('again', '/nowhere'));

      expect(wordsOf(frames)).toContain(sentence);
      expect(stateOf(frames)).toBe('TASK_STATE_FAILED');
      expect(wordsOf(next)).toBe('better now');
      expect(JSON.stringify(seen[1]?.prompt)).toContain('first');
      expect(JSON.stringify([frames, log.map(({ fields }) => String(fields['cause']))])).not.toContain(
        'canary',
      );
    },
  );

  it('forgets a conversation that is too long for its model, instead of failing for ever', async () => {
    const tooLong = {
      message: 'ValidationException: input is too long, maximum context length is 8192 tokens',
    };
    const script = [
      [...says('first answer'), finish()],
      [{ type: 'error' as const, error: tooLong }],
      [...says('again'), finish()],
    ];
    const { agent, seen } = rigOf(script);
    await framesOf(agent, userSays('first', '/nowhere'));

    const failed = await framesOf(agent, userSays('second', '/nowhere', { preferredLanguage: 'it' }));
    const next = await framesOf(agent, userSays('third', '/nowhere'));

    expect(wordsOf(failed)).toContain('troppo lunga');
    expect(stateOf(failed)).toBe('TASK_STATE_FAILED');
    expect(wordsOf(next)).toBe('again');
    expect(seen[2]?.prompt.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  it('shows the model a picture in the turn that it came with, and keeps none', async () => {
    const { agent, seen, memory } = rigOf([[...says('a cat'), finish()]]);
    const asked = userSays('what is it?', '/nowhere');
    const picture = {
      raw: Buffer.from('picture').toString('base64'),
      filename: 'a.png',
      mediaType: 'image/png',
    };

    await framesOf(agent, { ...asked, parts: [...asked.parts, picture] });
    await framesOf(agent, userSays('sure?', '/nowhere'));

    expect(seen[0]?.prompt.at(-1)?.content).toMatchObject([
      { type: 'text' },
      { type: 'file', mediaType: 'image/png' },
    ]);
    expect(JSON.stringify(seen[1]?.prompt)).toContain('(an image)');
    expect(JSON.stringify(await memory.load('context-1'))).not.toContain(picture.raw);
  });

  it('keeps no secret, and forgets the oldest turns of a long conversation', async () => {
    const { agent, seen, memory } = rigOf([[...says('x'.repeat(50_000)), finish()]]);

    for (let turn = 0; turn < 12; turn += 1)
      await framesOf(agent, userSays(`turn ${turn}`, '/nowhere', { iac_code_api_key: 'canary' }));

    const prompt = JSON.stringify(seen.at(-1)?.prompt);
    expect(prompt.length).toBeLessThan(460_000);
    expect(prompt).toContain('turn 11');
    expect(prompt).not.toContain('turn 0');
    expect(seen.at(-1)?.prompt[1]?.role).toBe('user');
    expect(JSON.stringify(await memory.load('context-1'))).not.toContain('canary');
  });

  it('stops the model when the task is cancelled', async () => {
    const { agent } = rigOf([callsOnly(calls('list_files', {}))], 1_000_000);
    const stream = agent.send({ message: userSays('go', await workspace()) }, new AbortController().signal);
    const [opening] = (await stream[Symbol.asyncIterator]().next()).value;

    const task = await agent.cancel(String(Object(opening?.task)['id']));
    await agent.close();

    expect(task['status']).toEqual({ state: 'TASK_STATE_CANCELED' });
  });
});

/** Does what the newest message of the conversation says. */
const obedient = (call: ModelCall) => {
  const said = JSON.stringify(call.prompt.at(-1));
  if (said.includes('work')) {
    const parts = function* () {
      yield* says('0').slice(0, 2);
      for (let index = 1; ; index += 1) yield { type: 'text-delta' as const, id: '1', delta: ` ${index}` };
    };
    return ReadableStream.from(parts());
  }
  if (said.includes('ask')) return callsOnly(write('new.txt'));
  return [...says('one ', 'two'), finish()];
};

kernelContract('an embedded agent with a model', async () => {
  const cwd = await workspace();
  return {
    kernel: rigOf(obedient).agent,
    talk: { send: { message: userSays('talk', cwd) }, text: 'one two' },
    work: { message: userSays('work', cwd) },
    ask: {
      send: { message: userSays('ask', cwd) },
      answer: (question) => answers(question, cwd, 'allow_once'),
      wrongAnswer: (question) => answers({ ...question, inputId: 'another' }, cwd, 'allow_once'),
    },
  };
});
