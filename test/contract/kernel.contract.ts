/**
 * What holds for every implementation of `ports/kernel`. Each suite starts a kernel of its own per test and says how to
 * make it do the few things that are looked at; how a task is talked about in between is the kernel's own affair.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { KernelError } from '../../src/errors/kernel-error.ts';
import type { Kernel, KernelBatch, KernelSend } from '../../src/ports/kernel.ts';
import type { A2aMessage } from '../../src/protocol/a2a.ts';
import { isJsonObject, type JsonObject, listAt, objectAt, stringAt } from '../../src/protocol/json.ts';

export interface KernelUnderTest {
  readonly kernel: Kernel;
  /** Starts a task that says `text`, in any number of deltas, and then ends its turn. */
  readonly talk: { readonly send: KernelSend; readonly text: string };
  /** Starts a task that says something at once and works until it is cancelled. */
  readonly work: KernelSend;
  /** Starts a task that asks one required question. Left out by kernels that never ask. */
  readonly ask?: {
    readonly send: KernelSend;
    /** The message that answers the question, given its `iac_code.input`. */
    readonly answer: (input: JsonObject) => A2aMessage;
    /** A message of the same form that answers another question. */
    readonly wrongAnswer: (input: JsonObject) => A2aMessage;
  };
}

const itemKinds = ['task', 'statusUpdate', 'artifactUpdate', 'message'];
const never = (): AbortSignal => new AbortController().signal;

export function kernelContract(name: string, makeKernel: () => Promise<KernelUnderTest>): void {
  const open = async (): Promise<KernelUnderTest> => {
    const made = await makeKernel();
    onTestFinished(() => made.kernel.close());
    return made;
  };

  describe(`${name} as a kernel`, () => {
    it('says who it is', async () => {
      const { kernel } = await open();

      const description = await kernel.describe(never());

      expect(description.name).not.toBe('');
      expect(['iac-code', 'a2a']).toContain(description.profile);
      expect(Object.keys(description.accepts).sort()).toEqual(['context', 'state', 'tools']);
      expect(await kernel.describe(never())).toEqual(description);
    });

    it('streams a turn as batches of items, names the task first, and closes the stream itself', async () => {
      const { kernel, talk } = await open();

      const batches = await collect(kernel.send(talk.send, never()));

      expect(batches.every((batch) => batch.length > 0)).toBe(true);
      const items = batches.flat();
      for (const item of items) {
        expect(itemKinds.filter((kind) => item[kind] !== undefined).length).toBeLessThanOrEqual(1);
      }
      expect(taskIdOf(items[0])).toBeDefined();
      expect(new Set(items.map(taskIdOf).filter((id) => id !== undefined)).size).toBe(1);
      expect(deltasOf(items)).toBe(talk.text);
      expect(['TASK_STATE_COMPLETED', 'TASK_STATE_INPUT_REQUIRED']).toContain(stateOf(items));
    });

    it('keeps the context that the message names', async () => {
      const { kernel, talk } = await open();
      const message = { ...talk.send.message, contextId: 'agui-context-of-the-contract' };

      const items = (await collect(kernel.send({ ...talk.send, message }, never()))).flat();

      const contexts = items.map((item) => stringAt(updateOf(item), 'contextId'));
      expect(new Set(contexts.filter((id) => id !== undefined))).toEqual(new Set([message.contextId]));
    });

    it('shows in a snapshot how the task stands', async () => {
      const { kernel, talk } = await open();
      const items = (await collect(kernel.send(talk.send, never()))).flat();

      const task = await kernel.snapshot(taskIdOf(items[0]) ?? '', never());

      expect(task['id']).toBe(taskIdOf(items[0]));
      expect(stringAt(objectAt(task, 'status'), 'state')).toBe(stateOf(items));
    });

    it('keeps concurrent tasks apart', async () => {
      const { kernel, talk } = await open();
      const turns = await Promise.all([1, 2, 3].map(() => collect(kernel.send(freshly(talk.send), never()))));

      const ids = turns.map(
        (batches) =>
          new Set(
            batches
              .flat()
              .map(taskIdOf)
              .filter((id) => id !== undefined),
          ),
      );

      expect(ids.map((each) => each.size)).toEqual([1, 1, 1]);
      expect(new Set(ids.flatMap((each) => [...each])).size).toBe(3);
      expect(turns.map((batches) => deltasOf(batches.flat()))).toEqual([talk.text, talk.text, talk.text]);
    });

    it('sends nothing when the signal is aborted already', async () => {
      const { kernel, work } = await open();

      const outcome = await settle(collect(kernel.send(work, AbortSignal.abort())));

      expect(outcome === 'failed' ? [] : outcome.flat()).toEqual([]);
    });

    it('goes on with a task whose reader has left', async () => {
      const { kernel, work } = await open();

      const taskId = await startAndLeave(kernel, work);

      expect(await stateNow(kernel, taskId)).not.toBe('TASK_STATE_CANCELED');
      const task = await kernel.cancel(taskId, never());
      expect(stringAt(objectAt(task, 'status'), 'state')).toBe('TASK_STATE_CANCELED');
    });

    it('ends a stream when its signal is aborted, and goes on with the task', async () => {
      const { kernel, work } = await open();
      const reading = new AbortController();
      const stream = kernel.send(work, reading.signal)[Symbol.asyncIterator]();
      const taskId = await firstTaskId(stream);

      reading.abort();

      await drain(stream);
      expect(await stateNow(kernel, taskId)).not.toBe('TASK_STATE_CANCELED');
    });

    it('follows a running task: a snapshot first, then everything up to its end', async () => {
      const { kernel, work } = await open();
      const taskId = await startAndLeave(kernel, work);
      const stream = kernel.follow(taskId, never())[Symbol.asyncIterator]();

      const first = await stream.next();
      await kernel.cancel(taskId, never());
      const rest = await drain(stream);

      expect(stringAt(objectAt(first.value?.[0], 'task'), 'id')).toBe(taskId);
      expect(stateOf([...(first.value ?? []), ...rest])).toBe('TASK_STATE_CANCELED');
    });

    it('ends the stream of a task that is cancelled, and refuses to cancel it again', async () => {
      const { kernel, work } = await open();
      const stream = kernel.send(work, never())[Symbol.asyncIterator]();
      const taskId = await firstTaskId(stream);

      await kernel.cancel(taskId, never());

      expect(stateOf(await drain(stream))).toBe('TASK_STATE_CANCELED');
      await expect(kernel.cancel(taskId, never())).rejects.toMatchObject({ kind: 'refused' });
    });

    it('refuses what is asked of a task that it does not know', async () => {
      const { kernel } = await open();
      const unknown = 'no-such-task';

      await expect(kernel.snapshot(unknown, never())).rejects.toMatchObject({
        kind: 'refused',
        rpcCode: -32001,
      });
      await expect(kernel.cancel(unknown, never())).rejects.toMatchObject({ kind: 'refused' });
      await expect(collect(kernel.follow(unknown, never()))).rejects.toMatchObject({
        kind: 'refused',
      });
    });

    it('has no pipeline and no session where there are none', async () => {
      const { kernel } = await open();
      const session = { cwd: '/', sessionId: 'no-such-session', taskId: 'no-such-task' };

      expect(await kernel.pipelineState('no-such-task', 0, never())).toBeUndefined();
      expect(['missing', 'absent']).toContain(await kernel.ensureRestored(session, never()));
    });

    it('ends every stream when it is closed', async () => {
      const { kernel, work } = await open();
      const stream = kernel.send(work, never())[Symbol.asyncIterator]();
      await firstTaskId(stream);

      await kernel.close();

      await drain(stream);
      await kernel.close();
    });

    it('goes on after the answer to its question, and refuses a wrong one without harm', async (context) => {
      const { kernel, ask } = await open();
      if (ask === undefined) return context.skip('this kernel never asks');
      const asked = kernel.send(ask.send, never())[Symbol.asyncIterator]();
      const input = await untilAsked(asked);
      const taskId = stringAt(input, 'requestTaskId') ?? '';

      await expect(kernel.answer(ask.wrongAnswer(input), never())).rejects.toMatchObject({ kind: 'refused' });
      expect(inputOf(await kernel.snapshot(taskId, never()))?.['inputId']).toBe(input['inputId']);
      const message = ask.answer(input);
      const answered = await drain(kernel.send({ ...ask.send, message }, never())[Symbol.asyncIterator]());
      const all = [...answered, ...(await drain(asked))];

      expect(all.some((item) => taskIdOf(item) === taskId)).toBe(true);
      expect(inputOf(await kernel.snapshot(taskId, never()))).toBeUndefined();
    });
  });
}

let serial = 0;

/** The same request as somebody else would make it. */
function freshly(send: KernelSend): KernelSend {
  serial += 1;
  return { ...send, message: { ...send.message, messageId: `m-${serial}`, contextId: `context-${serial}` } };
}

function updateOf(item: JsonObject | undefined): JsonObject | undefined {
  return itemKinds.map((kind) => objectAt(item, kind)).find((update) => update !== undefined);
}

function taskIdOf(item: JsonObject | undefined): string | undefined {
  return stringAt(updateOf(item), 'taskId') ?? stringAt(objectAt(item, 'task'), 'id');
}

function stateOf(items: readonly JsonObject[]): string | undefined {
  const states = items.map((item) => stringAt(objectAt(updateOf(item), 'status'), 'state'));
  return states.findLast((state) => state !== undefined);
}

function iacCodeOf(update: JsonObject | undefined): JsonObject | undefined {
  return objectAt(objectAt(update, 'metadata'), 'iac_code');
}

/** The required question that a task waits for an answer to. */
function inputOf(update: JsonObject | undefined): JsonObject | undefined {
  const input = objectAt(iacCodeOf(update), 'input');
  return input?.['required'] === true ? input : undefined;
}

/** The text as it came in deltas; a repeat of the whole text at the end is no delta. */
function deltasOf(items: readonly JsonObject[]): string {
  return items
    .map((item) => objectAt(item, 'statusUpdate'))
    .filter((update) => iacCodeOf(update)?.['assistantFinal'] === undefined)
    .flatMap((update) => listAt(objectAt(objectAt(update, 'status'), 'message'), 'parts'))
    .map((part) => (isJsonObject(part) ? (stringAt(part, 'text') ?? '') : ''))
    .join('');
}

async function collect(stream: AsyncIterable<KernelBatch>): Promise<readonly KernelBatch[]> {
  const batches: KernelBatch[] = [];
  for await (const batch of stream) batches.push(batch);
  return batches;
}

async function firstTaskId(stream: AsyncIterator<KernelBatch>): Promise<string> {
  for (let step = await stream.next(); step.done !== true; step = await stream.next()) {
    const id = step.value.map(taskIdOf).find((each) => each !== undefined);
    if (id !== undefined) return id;
  }
  throw new Error('the stream ended without the name of its task');
}

async function startAndLeave(kernel: Kernel, send: KernelSend): Promise<string> {
  const stream = kernel.send(send, never())[Symbol.asyncIterator]();
  const taskId = await firstTaskId(stream);
  await stream.return?.();
  expect((await stream.next()).done).toBe(true);
  return taskId;
}

async function untilAsked(stream: AsyncIterator<KernelBatch>): Promise<JsonObject> {
  for (let step = await stream.next(); step.done !== true; step = await stream.next()) {
    const input = step.value.map((item) => inputOf(updateOf(item))).find((each) => each !== undefined);
    if (input !== undefined) return input;
  }
  throw new Error('the stream ended without a question');
}

/** What is left of a stream, up to its end or to the error that it ends with. */
async function drain(stream: AsyncIterator<KernelBatch>): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  try {
    for (let step = await stream.next(); step.done !== true; step = await stream.next())
      items.push(...step.value);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(KernelError);
  }
  return items;
}

async function settle<Value>(promise: Promise<Value>): Promise<Value | 'failed'> {
  try {
    return await promise;
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(KernelError);
    return 'failed';
  }
}

async function stateNow(kernel: Kernel, taskId: string): Promise<string | undefined> {
  return stringAt(objectAt(await kernel.snapshot(taskId, never()), 'status'), 'state');
}
