/** The embedded agent as a kernel like any other. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Author, Stage, ToolOutcome } from '../../../src/agent/author.ts';
import { EmbeddedAgent } from '../../../src/agent/embedded-agent.ts';
import { VolatileMemory } from '../../../src/agent/memory.ts';
import type { TemplateChecker } from '../../../src/agent/tools/template-checker.ts';
import { ToolBox } from '../../../src/agent/tools/tool-box.ts';
import { Workspace } from '../../../src/agent/tools/workspace.ts';
import { systemClock, systemIds } from '../../../src/outbound/system/system-runtime.ts';
import type { KernelSend } from '../../../src/ports/kernel.ts';
import type { A2aMessage } from '../../../src/protocol/a2a.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { kernelContract } from '../../contract/kernel.contract.ts';
import { type LogLine, recordingLog, temporaryFolder } from '../../support/servers.ts';

/** Says what it is told, or works on until it is cancelled. */
const obedient: Author = {
  async perform({ text, signal }, stage) {
    if (text === 'work') {
      for (let index = 0; ; index += 1) await stage.say(`${index} `);
    }
    if (text === 'fail') throw new TypeError('a bug with a secret in it');
    if (text === 'touch') {
      await stage.callTool('write_file', { path: 'a/b.txt', content: 'hello' });
      await stage.callTool('write_file', { path: '../out.txt', content: 'hello' });
      await stage.showArtifact({ filename: 'b.txt', mediaType: 'text/plain', text: 'hello' });
    }
    if (text === 'ask') {
      return {
        kind: 'permission',
        name: 'write_file',
        input: { path: 'asked.txt', content: 'x' },
        prompt: 'May I?',
        effect: 'file_change',
      };
    }
    if (!signal.aborted) for (const word of text.match(/\S+\s*/g) ?? []) await stage.say(word);
    return 'done';
  },
  async goOn(_turn, stage, _call, outcome) {
    await stage.say(outcome === undefined ? 'kept' : 'done');
    return 'done';
  },
};

/** An author that never asks. */
const saying = (perform: (stage: Stage) => Promise<void>): Author => ({
  async perform(_turn, stage) {
    await perform(stage);
    return 'done';
  },
  goOn: async () => 'done',
});

const contented: TemplateChecker = {
  check: async () => ({ problems: [] }),
  close: async () => undefined,
};

function agentWith(
  author: Author,
  log: LogLine[] = [],
  memory = new VolatileMemory(),
  checker = contented,
): EmbeddedAgent {
  const runtime = { clock: systemClock, ids: systemIds, log: recordingLog(log) };
  return new EmbeddedAgent({
    runtime,
    memory,
    author,
    tools: new ToolBox(systemIds, checker),
  });
}

const send = (text: string, cwd = '/nowhere', contextId = 'context-1'): KernelSend => ({
  message: {
    messageId: 'm-1',
    role: 'ROLE_USER',
    contextId,
    parts: [{ text }],
    metadata: { iac_code: { cwd, iac_code_api_key: 'canary' } },
  },
});
const never = (): AbortSignal => new AbortController().signal;

async function framesOf(agent: EmbeddedAgent, request: KernelSend): Promise<readonly JsonObject[]> {
  const frames: JsonObject[] = [];
  for await (const batch of agent.send(request, never())) frames.push(...batch);
  return frames;
}

function answerTo(input: JsonObject, cwd: string, decision = 'allow_once'): A2aMessage {
  const { requestTaskId, inputId, toolUseId } = input;
  const data = {
    schemaVersion: 1,
    kind: 'permission',
    requestTaskId,
    inputId,
    toolUseId,
    decision,
  } as JsonObject;
  return {
    ...send('', cwd).message,
    messageId: 'answer',
    taskId: String(requestTaskId),
    parts: [{ data, mediaType: 'application/json' }],
  };
}

function questionIn(frames: readonly JsonObject[]): JsonObject {
  const inputs = frames.map(
    (frame) => Object(Object(Object(frame['statusUpdate'])['metadata'])['iac_code'])['input'],
  );
  return Object(inputs.find((each) => each !== undefined));
}

kernelContract('the embedded agent', async () => {
  const cwd = join(await temporaryFolder(), 'w');
  return {
    kernel: agentWith(obedient),
    talk: { send: send('one two three', cwd), text: 'one two three' },
    work: send('work', cwd),
    ask: {
      send: send('ask', cwd),
      answer: (input) => answerTo(input, cwd),
      wrongAnswer: (input) => answerTo({ ...input, inputId: 'another' }, cwd),
    },
  };
});

describe('the embedded agent', () => {
  it('shows a tool as started, with its arguments, and with its outcome, and begins a new message behind it', async () => {
    const folder = await temporaryFolder();

    const frames = await framesOf(agentWith(obedient), send('touch', join(folder, 'w')));

    const tools = frames.flatMap(
      (frame) => Object(Object(Object(frame['statusUpdate'])['metadata'])['iac_code'])['tool'] ?? [],
    );
    expect(tools.map(({ status, name }) => [status, name])).toEqual([
      ['started', 'write_file'],
      ['input_complete', 'write_file'],
      ['completed', 'write_file'],
      ['started', 'write_file'],
      ['input_complete', 'write_file'],
      ['failed', 'write_file'],
    ]);
    expect(tools[1]).toMatchObject({ toolInput: { path: 'a/b.txt', content: 'hello' } });
    expect(tools[2]).toMatchObject({ result: { path: 'a/b.txt', bytes: 5 } });
    expect(frames.find((frame) => 'artifactUpdate' in frame)).toMatchObject({
      artifactUpdate: {
        artifact: { name: 'b.txt', parts: [{ text: 'hello', filename: 'b.txt' }], metadata: { byteSize: 5 } },
      },
    });
  });

  it('ends as failed when its author fails, and keeps the cause for the log', async () => {
    const log: LogLine[] = [];

    const frames = await framesOf(agentWith(obedient, log), send('fail'));

    expect(frames.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_FAILED' } } });
    expect(JSON.stringify(frames)).not.toMatch(/a bug|canary/);
    expect(log).toMatchObject([{ level: 'error', event: 'embedded agent failed' }]);
  });

  it('waits for a reader that does not read, and runs on when nobody reads any more', async () => {
    let said = 0;
    const ended = Promise.withResolvers<void>();
    const counting = saying(async (stage) => {
      for (; said < 5_000; said += 1) await stage.say('x');
      ended.resolve();
    });
    const agent = agentWith(counting);
    const reading = agent.send(send('go'), never())[Symbol.asyncIterator]();
    await reading.next();
    await reading.next();
    for (let turns = 0; turns < 2_000; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    const saidMeanwhile = said;

    await reading.return?.();
    await ended.promise;

    expect(saidMeanwhile).toBeLessThan(600);
    expect(said).toBe(5_000);
  });

  it.each([
    ['send', (agent: EmbeddedAgent) => agent.send(send('go'), never())],
    ['follow', (agent: EmbeddedAgent, taskId: string) => agent.follow(taskId, never())],
  ])('is not held back by a reader that leaves %s at its first item', async (_verb, read) => {
    const gate = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const author = saying(async (stage) => {
      await gate.promise;
      for (let said = 0; said < 2_000; said += 1) await stage.say('x');
      ended.resolve();
    });
    const agent = agentWith(author);
    const first = agent.send(send('go'), never())[Symbol.asyncIterator]();
    const opening = (await first.next()).value as readonly JsonObject[];
    await first.return?.();

    for await (const _batch of read(agent, String(Object(opening[0]?.['task'])['id']))) break;
    gate.resolve();

    await expect(ended.promise).resolves.toBeUndefined();
  });

  it('shows a tool that breaks as failed, goes on, and keeps the cause for the log', async () => {
    const log: LogLine[] = [];
    const cwd = join(await temporaryFolder(), 'w');
    const outcomes: ToolOutcome[] = [];
    const author = saying(async (stage) => {
      await stage.callTool('write_file', { path: 'a.yaml', content: 'x' });
      outcomes.push(await stage.callTool('validate_template', { path: 'a.yaml' }));
      await stage.say('never mind');
    });
    const broken = {
      check: () => Promise.reject(new Error('a canary of the validator')),
      close: async () => undefined,
    };

    const frames = await framesOf(agentWith(author, log, undefined, broken), send('go', cwd));

    expect(outcomes).toEqual([{ ok: false, problem: 'validate_template could not be carried out' }]);
    expect(JSON.stringify(frames)).toContain('never mind');
    expect(JSON.stringify(frames)).not.toContain('canary');
    expect(frames.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
    expect(log).toMatchObject([{ level: 'error', fields: { tool: 'validate_template' } }]);
  });

  it('takes one of two answers that come at the same time after a restart', async () => {
    const cwd = join(await temporaryFolder(), 'w');
    const memory = new VolatileMemory();
    const question = questionIn(await framesOf(agentWith(obedient, [], memory), send('ask', cwd)));
    const later = agentWith(obedient, [], memory);

    const both = await Promise.allSettled([
      framesOf(later, { message: answerTo(question, cwd) }),
      framesOf(later, { message: answerTo(question, cwd, 'deny') }),
    ]);

    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('asks again when an answered question can not be put away, and runs nothing', async () => {
    const cwd = join(await temporaryFolder(), 'w');
    const memory = new VolatileMemory();
    const agent = agentWith(obedient, [], memory);
    const asked = (await framesOf(agent, send('ask', cwd))).at(-1);
    const input = Object(Object(Object(asked?.['statusUpdate'])['metadata'])['iac_code'])['input'];
    const save = memory.save.bind(memory);
    memory.save = () => Promise.reject(new Error('no space left'));

    await expect(framesOf(agent, { message: answerTo(input, cwd) })).rejects.toMatchObject({
      kind: 'unavailable',
    });

    expect(await new Workspace(cwd).list()).toEqual([]);
    memory.save = save;
    const frames = await framesOf(agent, { message: answerTo(input, cwd) });
    expect(frames.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });

  it('hands over in few batches what its author says in one go, and lets the event loop turn meanwhile', async () => {
    const author = saying(async (stage) => {
      for (let index = 0; index < 640; index += 1) await stage.say('word ');
    });
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const sizes: number[] = [];
    for await (const batch of agentWith(author).send(send('go'), never())) sizes.push(batch.length);
    isOver = true;

    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(640);
    // One batch a piece would be 640 of them; a clock that ticks often makes some more turns than ten.
    expect(sizes.length).toBeLessThan(160);
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it('shows two followers the same, and a late one the task so far', async () => {
    const gate = Promise.withResolvers<void>();
    const author = saying(async (stage) => {
      await stage.say('before ');
      await gate.promise;
      await stage.say('after');
    });
    const agent = agentWith(author);
    const first = agent.send(send('go'), never())[Symbol.asyncIterator]();
    const opening = (await first.next()).value as readonly JsonObject[];
    const taskId = String(Object(opening[0]?.['task'])['id']);
    await first.next();
    await first.next();
    const second = agent.follow(taskId, never())[Symbol.asyncIterator]();
    const snapshot = (await second.next()).value as readonly JsonObject[];

    gate.resolve();
    const rest = async (reader: AsyncIterator<readonly JsonObject[]>) => {
      const frames: JsonObject[] = [];
      for (let step = await reader.next(); step.done !== true; step = await reader.next())
        frames.push(...step.value);
      return frames;
    };

    expect(JSON.stringify(snapshot)).toContain('before ');
    const [one, two] = await Promise.all([rest(first), rest(second)]);
    expect(one).toEqual(two);
    expect(JSON.stringify(two)).toContain('after');
  });

  it.each([
    ['allow_once', ['asked.txt'], 'done'],
    ['deny', [], 'kept'],
  ])('goes on after a restart when the answer is %s, once', async (decision, files, words) => {
    const cwd = join(await temporaryFolder(), 'w');
    const memory = new VolatileMemory();
    const before = agentWith(obedient, [], memory);
    const asked = (await framesOf(before, send('ask', cwd))).at(-1);
    const input = Object(Object(Object(asked?.['statusUpdate'])['metadata'])['iac_code'])['input'];
    await before.close();
    const after = agentWith(obedient, [], memory);

    const snapshot = await after.snapshot(String(input.requestTaskId));
    const frames = await framesOf(after, { message: answerTo(input, cwd, decision) });

    expect(snapshot).toMatchObject({
      status: { state: 'TASK_STATE_INPUT_REQUIRED' },
      metadata: { iac_code: { input } },
    });
    expect(JSON.stringify(frames)).toContain(words);
    expect(frames.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
    expect((await new Workspace(cwd).list()).map(({ path }) => path)).toEqual(files);
    await expect(framesOf(after, { message: answerTo(input, cwd, decision) })).rejects.toMatchObject({
      kind: 'refused',
      rpcCode: -32602,
    });
  });
});
