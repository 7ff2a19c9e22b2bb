/** Interrupts and resumes, on both doors: asked once, answered once, never lost, never executed twice. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KernelError } from '../../src/errors/kernel-error.ts';
import { type Answer, eventsOf, input, openRun, run, type WireEvent } from '../support/requests.ts';
import {
  aborted,
  inputOf,
  permissionOf,
  questionOf,
  type Script,
  ScriptedKernel,
  stateOf,
  submitted,
  textOf,
} from '../support/scripted-kernel.ts';
import { startServer, type TestServer } from '../support/servers.ts';

const paths = { 'iac-code': '/', agentcore: '/invocations' } as const;
type Door = keyof typeof paths;
const doors = Object.keys(paths) as readonly Door[];

const allow = { decision: 'allow_once' };

/** Asks for a permission, and works on when it is given. */
const asksOnce: Script = async function* ({ message }, names) {
  if (message.taskId === undefined) {
    yield [submitted(names), textOf(names, 'I need to look around.'), permissionOf(names, 'permission-1')];
    return;
  }
  yield [
    stateOf(names, 'TASK_STATE_WORKING'),
    textOf(names, 'Looked.'),
    stateOf(names, 'TASK_STATE_COMPLETED'),
  ];
};

class Conversation {
  readonly server: TestServer;
  readonly #door: Door;
  readonly #folder: string;
  readonly threadId: string;

  constructor(server: TestServer, door: Door, threadId = String(input()['threadId'])) {
    this.server = server;
    this.#door = door;
    this.#folder = join(server.folder, 'workspace', 'w');
    this.threadId = threadId;
  }

  body(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
    const iacCode = { schemaVersion: 1, rosInvocationId: 'invocation-1', cwd: this.#folder };
    return input({
      threadId: this.threadId,
      protocolVersion: '1.0',
      forwardedProps: { iacCode },
      ...overrides,
    });
  }

  say(overrides: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    return run(`${this.server.url}${paths[this.#door]}`, this.body(overrides));
  }

  resume(...entries: readonly object[]): Promise<Answer> {
    return this.say({ resume: entries, messages: [] });
  }

  open(overrides: Readonly<Record<string, unknown>> = {}) {
    return openRun(`${this.server.url}${paths[this.#door]}`, this.body(overrides));
  }
}

const resolved = (interruptId: string, payload: unknown) => ({ interruptId, status: 'resolved', payload });
const lastOf = (answer: Answer): WireEvent | undefined => eventsOf(answer.text).at(-1);
const typesOf = (answer: Answer): readonly string[] => eventsOf(answer.text).map(({ type }) => type);

function interruptsOf(answer: Answer): readonly Record<string, unknown>[] {
  const last = lastOf(answer);
  expect(last).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'interrupt' } });
  return Object(last?.['outcome'])['interrupts'];
}

/** The fault of an answer in either form, wherever the door tells it. */
function faultOf(answer: Answer): string | undefined {
  if (answer.headers['content-type'] === 'application/json') return JSON.parse(answer.text).error.code;
  const last = lastOf(answer);
  return Object(Object(last?.['metadata'])['agentcore-agui'])['fault'];
}

describe.each(doors)('an interrupt by the %s door', (door) => {
  it('ends the run with everything closed, and says what is asked, how to answer and until when', async () => {
    const talk = new Conversation(
      await startServer({ replace: { kernel: new ScriptedKernel(asksOnce) } }),
      door,
    );

    const answer = await talk.say();

    expect(interruptsOf(answer)).toEqual([
      expect.objectContaining({
        id: 'permission-1',
        reason: 'tool_call',
        message: 'Run ls. Allow once?',
        toolCallId: 'call-of-permission-1',
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        responseSchema: expect.objectContaining({ type: 'object', required: ['decision'] }),
        metadata: expect.objectContaining({ toolName: 'bash' }),
      }),
    ]);
    expect(typesOf(answer)).toContain('TEXT_MESSAGE_END');
  });

  it('is answered by a new run on the same task, and the work goes on', async () => {
    const kernel = new ScriptedKernel(asksOnce);
    const talk = new Conversation(await startServer({ replace: { kernel } }), door);
    await talk.say();

    const answer = await talk.resume(resolved('permission-1', allow));

    expect(lastOf(answer)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
    expect(answer.text).toContain('Looked.');
    expect(kernel.sends).toHaveLength(2);
    expect(kernel.sends[1]?.message).toMatchObject({
      taskId: 'task-1',
      parts: [
        {
          mediaType: 'application/json',
          data: {
            schemaVersion: 1,
            kind: 'permission',
            requestTaskId: 'task-1',
            inputId: 'permission-1',
            toolUseId: 'call-of-permission-1',
            decision: 'allow_once',
          },
        },
      ],
    });
  });

  it('must be answered before anything else is said', async () => {
    const talk = new Conversation(
      await startServer({ replace: { kernel: new ScriptedKernel(asksOnce) } }),
      door,
    );
    await talk.say();

    const answer = await talk.say();

    expect(answer.status).toBe(door === 'iac-code' ? 409 : 400);
    expect(faultOf(answer)).toBe('RESUME_REQUIRED');
  });

  it.each([
    ['no answer at all', [], 'INCOMPLETE_RESUME'],
    [
      'the same answer twice',
      [resolved('permission-1', allow), resolved('permission-1', allow)],
      'INCOMPLETE_RESUME',
    ],
    [
      'an answer to something else',
      [resolved('permission-1', allow), resolved('other', allow)],
      'UNKNOWN_INTERRUPT',
    ],
    [
      'an answer without a payload',
      [{ interruptId: 'permission-1', status: 'resolved' }],
      'RESUME_PAYLOAD_INVALID',
    ],
    [
      'a payload of another form',
      [resolved('permission-1', { decision: 'maybe' })],
      'RESUME_PAYLOAD_INVALID',
    ],
    [
      'a payload with more than asked',
      [resolved('permission-1', { ...allow, x: 1 })],
      'RESUME_PAYLOAD_INVALID',
    ],
  ])('refuses %s, sends nothing, and can then be answered rightly', async (_what, entries, fault) => {
    const kernel = new ScriptedKernel(asksOnce);
    const talk = new Conversation(await startServer({ replace: { kernel } }), door);
    await talk.say();

    const wrong = await talk.resume(...entries);
    const right = await talk.resume(resolved('permission-1', allow));

    expect(wrong.status).toBe(door === 'iac-code' ? 200 : 400);
    expect(faultOf(wrong)).toBe(fault);
    expect(lastOf(right)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
    expect(kernel.sends).toHaveLength(2);
  });

  it('survives a restart of the server', async () => {
    const first = await startServer({ replace: { kernel: new ScriptedKernel(asksOnce) } });
    const before = new Conversation(first, door);
    const asked = interruptsOf(await before.say());
    await first.stop();
    const kernel = new ScriptedKernel(asksOnce);
    const after = new Conversation(
      await startServer({
        replace: { kernel },
        folder: first.folder,
        environment: { AGUI_INTERRUPT_TTL_S: '7' },
      }),
      door,
      before.threadId,
    );

    const incomplete = await after.resume();
    const answer = await after.resume(resolved('permission-1', allow));

    expect(faultOf(incomplete)).toBe('INCOMPLETE_RESUME');
    expect(asked).toHaveLength(1);
    expect(lastOf(answer)).toMatchObject({ outcome: { type: 'success' } });
    expect(kernel.sends).toHaveLength(1);
  });

  it('is never executed twice by the same answer, and a changed one is told apart', async () => {
    const kernel = new ScriptedKernel(asksOnce);
    const talk = new Conversation(await startServer({ replace: { kernel } }), door);
    await talk.say();
    await talk.resume(resolved('permission-1', allow));

    const again = await talk.resume(resolved('permission-1', allow));
    const changed = await talk.resume(resolved('permission-1', { decision: 'deny' }));

    expect(faultOf(again)).toBe('RESUME_ALREADY_APPLIED');
    expect(faultOf(changed)).toMatch(/RESUME_ALREADY_APPLIED|EXECUTION_LOST/);
    expect(kernel.sends).toHaveLength(2);
  });

  it('expires for good: the task is cancelled and the next message is free', async () => {
    const kernel = new ScriptedKernel(asksOnce);
    const talk = new Conversation(
      await startServer({ replace: { kernel }, environment: { AGUI_INTERRUPT_TTL_S: '1' } }),
      door,
    );
    const [asked] = interruptsOf(await talk.say());
    while (Date.now() <= Date.parse(String(asked?.['expiresAt'])))
      await talk.server.parts.store.load(address(talk));

    const late = await talk.resume(resolved('permission-1', allow));
    const next = await talk.say();

    expect(faultOf(late)).toBe('EXECUTION_EXPIRED');
    expect(interruptsOf(next)).toHaveLength(1);
    expect(kernel.cancels).toEqual(['task-1']);
    expect(kernel.sends).toHaveLength(2);
  });

  it('stays answerable when the kernel refuses or drops the answer', async () => {
    let failures = 0;
    const kernel = new ScriptedKernel(async function* (send, names, signal) {
      if (send.message.taskId !== undefined && failures < 2) {
        failures += 1;
        if (failures === 1) throw new KernelError('unavailable', 'connection refused');
        return;
      }
      yield* asksOnce(send, names, signal);
    });
    const talk = new Conversation(await startServer({ replace: { kernel } }), door);
    await talk.say();

    const refused = await talk.resume(resolved('permission-1', allow));
    const dropped = await talk.resume(resolved('permission-1', allow));
    const taken = await talk.resume(resolved('permission-1', allow));

    expect(faultOf(refused)).toBe('A2A_UNAVAILABLE');
    expect(faultOf(dropped)).toBe('A2A_UNAVAILABLE');
    expect(lastOf(taken)).toMatchObject({ outcome: { type: 'success' } });
    expect(kernel.cancels).toEqual([]);
  });

  it('outlives a client that leaves in the middle of a resume that was not taken', async () => {
    let isFirst = true;
    const asked = Promise.withResolvers<void>();
    const kernel = new ScriptedKernel(async function* (send, names, signal) {
      if (send.message.taskId !== undefined && isFirst) {
        isFirst = false;
        asked.resolve();
        await aborted(signal);
        return;
      }
      yield* asksOnce(send, names, signal);
    });
    const talk = new Conversation(await startServer({ replace: { kernel } }), door);
    await talk.say();
    const opened = await talk.open({ resume: [resolved('permission-1', allow)], messages: [] });
    await asked.promise;

    await opened.leave();
    while (talk.server.parts.liveRuns.count > 0) await talk.server.parts.store.load(address(talk));
    const answer = await talk.resume(resolved('permission-1', allow));

    expect(lastOf(answer)).toMatchObject({ outcome: { type: 'success' } });
    expect(kernel.cancels).toEqual([]);
  });

  it('with options is answered by the label that the kernel knows', async () => {
    const kernel = new ScriptedKernel(async function* ({ message }, names) {
      if (message.taskId === undefined) yield [submitted(names), questionOf(names, 'question-1')];
      else yield [stateOf(names, 'TASK_STATE_WORKING'), stateOf(names, 'TASK_STATE_COMPLETED')];
    });
    const talk = new Conversation(await startServer({ replace: { kernel } }), door);
    await talk.say();

    const answer = await talk.resume(resolved('question-1', { selectedId: 'bj' }));

    expect(kernel.sends[1]?.message.parts).toEqual([{ text: 'Beijing' }]);
    expect(eventsOf(answer.text).filter(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject([
      { toolCallId: 'call-of-question-1', content: 'Beijing' },
    ]);
  });

  it('of a question that is walked away from cancels the task', async () => {
    const kernel = new ScriptedKernel(async function* (_send, names) {
      yield [submitted(names), questionOf(names, 'question-1')];
    });
    const talk = new Conversation(await startServer({ replace: { kernel } }), door);
    await talk.say();

    const answer = await talk.resume({ interruptId: 'question-1', status: 'cancelled' });

    expect(lastOf(answer)).toMatchObject(
      door === 'iac-code'
        ? { type: 'RUN_ERROR', code: 'CANCELLED' }
        : { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } },
    );
    expect(kernel.cancels).toEqual(['task-1']);
    expect(kernel.sends).toHaveLength(1);
  });

  it('of a permission that is walked away from denies it', async () => {
    const kernel = new ScriptedKernel(asksOnce);
    const talk = new Conversation(await startServer({ replace: { kernel } }), door);
    await talk.say();

    await talk.resume({ interruptId: 'permission-1', status: 'cancelled' });

    expect(kernel.sends[1]?.message.parts).toMatchObject([{ data: { decision: 'deny' } }]);
  });

  it('is on disk before it is announced', async () => {
    const talk = new Conversation(
      await startServer({ replace: { kernel: new ScriptedKernel(asksOnce) } }),
      door,
    );

    await talk.say();

    const file = join(talk.server.folder, 'agui', 'threads', `${talk.threadId}.json`);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      execution: { taskId: 'task-1', pending: { 'permission-1': { value: { inputId: 'permission-1' } } } },
    });
  });
});

describe('several interrupts', () => {
  it('of parallel sub-tasks are answered one by one without a stream, and the task is then followed', async () => {
    const kernel = new ScriptedKernel(async function* (_send, names) {
      yield [
        submitted(names),
        inputOf(names, { kind: 'permission', inputId: 'a', toolUseId: 'ta', subPipelineId: 'sp0' }),
      ];
    });
    const talk = new Conversation(await startServer({ replace: { kernel } }), 'iac-code');
    await talk.say();
    kernel.tasks.set('task-1', { id: 'task-1', status: { state: 'TASK_STATE_COMPLETED' } });
    kernel.tasks.delete('task-1');

    await talk.resume(resolved('a', allow));

    expect(kernel.answers.map(({ parts }) => parts[0])).toMatchObject([
      { data: { inputId: 'a', decision: 'allow_once' } },
    ]);
    expect(kernel.sends).toHaveLength(1);
    expect(kernel.follows.length).toBeGreaterThan(0);
  });
});

describe('the cancel extension', () => {
  const cancelAt = (talk: Conversation, executionId: unknown, body: object) =>
    run(`${talk.server.url}/extensions/iac-code/v1/executions/${executionId}/cancel`, body);

  async function interrupted(): Promise<{
    talk: Conversation;
    kernel: ScriptedKernel;
    executionId: unknown;
  }> {
    const kernel = new ScriptedKernel(asksOnce);
    const talk = new Conversation(await startServer({ replace: { kernel } }), 'iac-code');
    const answer = await talk.say();
    const session = eventsOf(answer.text).find(({ name }) => name === 'iac-code.session.v1');
    return { talk, kernel, executionId: Object(session?.['value'])['executionId'] };
  }

  it('withdraws what waits, tells the kernel, and says so again when asked again', async () => {
    const { talk, kernel, executionId } = await interrupted();
    const body = { threadId: talk.threadId, rosInvocationId: 'invocation-1' };

    const first = await cancelAt(talk, executionId, body);
    const second = await cancelAt(talk, executionId, body);
    const late = await talk.resume(resolved('permission-1', allow));

    expect(JSON.parse(first.text)).toEqual({ executionId, status: 'cancelled' });
    expect(JSON.parse(second.text)).toEqual({ executionId, status: 'already_terminal' });
    expect(kernel.cancels).toEqual(['task-1']);
    expect(faultOf(late)).toBe('EXECUTION_LOST');
  });

  it.each([
    ['another execution', { executionId: 'other' }],
    ['another thread', { threadId: 'other' }],
    ['another invocation', { rosInvocationId: 'other' }],
  ])('does not know the execution under %s', async (_what, change: Record<string, string>) => {
    const { talk, executionId } = await interrupted();
    const body = { threadId: talk.threadId, rosInvocationId: 'invocation-1', ...change };

    const answer = await cancelAt(talk, change['executionId'] ?? executionId, body);

    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text)).toEqual({
      error: { code: 'EXECUTION_NOT_FOUND', message: expect.any(String) },
    });
  });

  it('ends a run that streams with CANCELLED', async () => {
    const kernel = new ScriptedKernel(async function* (_send, names, signal) {
      yield [submitted(names), textOf(names, 'thinking')];
      await aborted(signal);
    });
    const talk = new Conversation(await startServer({ replace: { kernel } }), 'iac-code');
    const opened = await talk.open();
    const text = await opened.until((sofar) => sofar.includes('thinking'));
    const session = eventsOf(text).find(({ name }) => name === 'iac-code.session.v1');
    const { executionId } = Object(session?.['value']);

    const answer = await cancelAt(talk, executionId, {
      threadId: talk.threadId,
      rosInvocationId: 'invocation-1',
    });

    expect(JSON.parse(answer.text)).toMatchObject({ status: 'cancelled' });
    expect(eventsOf(await opened.ended).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'CANCELLED' });
  });
});

function address(talk: Conversation) {
  return { sessionId: undefined, threadId: talk.threadId as never };
}
