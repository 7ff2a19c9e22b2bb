/** Resumes on every door: several answers at once, what appeared meanwhile, and what is checked and restored before. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { KernelError, rpcTaskNotFound } from '../../src/errors/kernel-error.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import {
  allow,
  Conversation,
  cancelledEnd,
  deny,
  everyDoor,
  faultOf,
  interruptsOf,
  lastOf,
  resolved,
  saidIn,
  typesOf,
  withdrawn,
} from '../support/conversation.ts';
import {
  asksOnce,
  extensionOf,
  inputOf,
  permissionOf,
  questionOf,
  type Script,
  ScriptedKernel,
  stateOf,
  submitted,
  type TaskNames,
  textOf,
} from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { verifies } from './verifies.ts';

const success = { type: 'RUN_FINISHED', outcome: { type: 'success' } };
const talkContext = (kernel: ScriptedKernel) => String(kernel.sends[0]?.message.contextId);
const done = (names: TaskNames) => [textOf(names, 'Done.'), stateOf(names, 'TASK_STATE_COMPLETED')];

/** All questions in one frame list, so that they wait together. */
function together(names: TaskNames, ...questions: readonly JsonObject[]): JsonObject {
  const inputs = questions.map((frame) => {
    const update = Object(frame['statusUpdate']);
    return Object(Object(update['metadata'])['iac_code'])['input'] as JsonObject;
  });
  return {
    statusUpdate: {
      taskId: names.taskId,
      contextId: names.contextId,
      status: { state: 'TASK_STATE_INPUT_REQUIRED' },
      metadata: { iac_code: { pendingPermissions: inputs } },
    },
  };
}

const subTask = (names: TaskNames, inputId: string): JsonObject =>
  inputOf(names, { kind: 'permission', inputId, toolUseId: `t-${inputId}`, subPipelineId: `sp-${inputId}` });

describe.each(everyDoor)('a resume by the door %s', (door) => {
  const begin = async (script: Script) => {
    const kernel = new ScriptedKernel(script);
    return { kernel, talk: new Conversation(await startServer({ replace: { kernel } }), door) };
  };
  /** Asks the first time; answers each answer with a sign of life and the last one with the end. */
  const asking = (last: string, ask: (names: TaskNames) => JsonObject): Script =>
    async function* ({ message }, names) {
      if (message.taskId === undefined) yield [submitted(names), ask(names)];
      else if (JSON.stringify(message.parts).includes(last))
        yield [stateOf(names, 'TASK_STATE_WORKING'), ...done(names)];
      else yield [stateOf(names, 'TASK_STATE_WORKING')];
    };

  it('answers a permission and a question together: both reach the kernel, the permission first', async () => {
    verifies('resume.mixed', 'interrupt.several');
    const { talk, kernel } = await begin(
      asking('Beijing', (names) => together(names, questionOf(names, 'q'), subTask(names, 'p'))),
    );
    const asked = interruptsOf(await talk.say());

    const answer = await talk.resume(resolved('q', { selectedId: 'bj' }), resolved('p', allow));

    expect(asked.map(({ id }) => id)).toEqual(['q', 'p']);
    expect(kernel.answers.map(({ parts }) => parts[0])).toMatchObject([
      { data: { inputId: 'p', decision: 'allow_once' } },
    ]);
    expect(kernel.sends.slice(1).map(({ message }) => message.parts)).toEqual([[{ text: 'Beijing' }]]);
    expect(lastOf(answer)).toMatchObject(success);
    expect(saidIn(answer.events)).toBe('Done.');
  });

  it('answers several questions: all of them reach the kernel, once each, and are shown as said', async () => {
    verifies('resume.several-questions');
    const { talk, kernel } = await begin(
      asking('Hangzhou', (names) => together(names, questionOf(names, 'q1'), questionOf(names, 'q2'))),
    );
    await talk.say();

    const answer = await talk.resume(
      resolved('q1', { selectedId: 'bj' }),
      resolved('q2', { selectedId: 'hz' }),
    );

    expect(kernel.sends.slice(1).map(({ message }) => message.parts)).toEqual([
      [{ text: 'Beijing' }],
      [{ text: 'Hangzhou' }],
    ]);
    expect(answer.events.filter(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject([
      { toolCallId: 'call-of-q1', content: 'Beijing' },
      { toolCallId: 'call-of-q2', content: 'Hangzhou' },
    ]);
    expect(lastOf(answer)).toMatchObject(success);
  });

  it('of which the kernel takes only the first keeps the other one answerable, and sends none twice', async () => {
    verifies('resume.failure-between-answers', 'resume.kept-until-accepted');
    let failures = 0;
    const base = asking('Hangzhou', (names) =>
      together(names, questionOf(names, 'q1'), questionOf(names, 'q2')),
    );
    const { talk, kernel } = await begin(async function* (send, names, signal) {
      if (JSON.stringify(send.message.parts).includes('Hangzhou') && failures === 0) {
        failures += 1;
        throw new KernelError('unavailable', 'connection reset');
      }
      yield* base(send, names, signal);
    });
    await talk.say();
    const answers = [resolved('q1', { selectedId: 'bj' }), resolved('q2', { selectedId: 'hz' })];

    const broken = await talk.resume(...answers);
    const pending = JSON.parse(await readFile(talk.stateFile, 'utf8')).execution.pending;
    const whole = await talk.resume(...answers);

    expect(faultOf(broken)).toBe('A2A_UNAVAILABLE');
    expect(Object.keys(pending)).toEqual(['q2']);
    expect(lastOf(whole)).toMatchObject(success);
    expect(kernel.sends.slice(1).map(({ message }) => message.parts[0]?.text)).toEqual([
      'Beijing',
      'Hangzhou',
      'Hangzhou',
    ]);
    expect(kernel.cancels).toEqual([]);
  });

  it('answers several questions although the kernel asks again for those whose answers are on their way', async () => {
    verifies('resume.several-questions');
    const { talk, kernel } = await begin(async function* ({ message }, names) {
      const both = [questionOf(names, 'q1'), questionOf(names, 'q2')] as const;
      if (message.taskId === undefined) yield [submitted(names), together(names, ...both)];
      else if (message.parts[0]?.text === 'Beijing') yield [stateOf(names, 'TASK_STATE_WORKING'), both[1]];
      else yield [stateOf(names, 'TASK_STATE_WORKING'), ...done(names)];
    });
    await talk.say();

    const answer = await talk.resume(
      resolved('q1', { selectedId: 'bj' }),
      resolved('q2', { selectedId: 'hz' }),
    );

    expect(kernel.sends.slice(1).map(({ message }) => message.parts[0]?.text)).toEqual([
      'Beijing',
      'Hangzhou',
    ]);
    expect(lastOf(answer)).toMatchObject(success);
  });

  it('must answer all that wait, and applies nothing while one is missing', async () => {
    verifies('error.incomplete-resume', 'resume.each-once');
    const { talk, kernel } = await begin(
      asking('Hangzhou', (names) => together(names, questionOf(names, 'q1'), questionOf(names, 'q2'))),
    );
    await talk.say();

    const half = await talk.resume(resolved('q1', { selectedId: 'bj' }));

    expect(faultOf(half)).toBe('INCOMPLETE_RESUME');
    expect(kernel.sends).toHaveLength(1);
    expect(kernel.answers).toEqual([]);
  });

  it('that walks away from a question denies its sibling permissions and cancels the task', async () => {
    verifies('resume.cancelled-stops', 'resume.cancelled-denies');
    const { talk, kernel } = await begin(
      asking('nothing', (names) => together(names, questionOf(names, 'q'), subTask(names, 'p'))),
    );
    await talk.say();

    const answer = await talk.resume(withdrawn('q'), resolved('p', allow));

    expect(kernel.answers.map(({ parts }) => parts[0])).toMatchObject([
      { data: { inputId: 'p', decision: 'deny' } },
    ]);
    expect(kernel.cancels).toEqual(['task-1']);
    expect(lastOf(answer)).toMatchObject(cancelledEnd(door));
  });

  it.each([true, false])('brings context along where the kernel can use it (%s)', async (context) => {
    const kernel = new ScriptedKernel(asksOnce);
    const described = await kernel.describe();
    kernel.describe = async () => ({ ...described, accepts: { tools: false, context, state: false } });
    const talk = new Conversation(await startServer({ replace: { kernel } }), door);
    const asked = await talk.say();
    const facts = [{ description: 'Where the user is', value: 'Milan' }];

    await talk.say({
      resume: [resolved(String(interruptsOf(asked)[0]?.['id']), allow)],
      messages: [],
      context: facts,
    });

    expect(kernel.sends[1]?.input?.context).toEqual(context ? facts : undefined);
  });

  it('of parallel sub-tasks needs no stream of its own, and follows the task', async () => {
    const { talk, kernel } = await begin(async function* (_send, names) {
      yield [submitted(names), subTask(names, 'a')];
    });
    await talk.say();
    kernel.follow = async function* (taskId) {
      kernel.follows.push(taskId);
      yield [stateOf({ taskId, contextId: talkContext(kernel) }, 'TASK_STATE_COMPLETED')];
    };

    const answer = await talk.resume(resolved('a', allow));

    expect(kernel.answers.map(({ parts }) => parts[0])).toMatchObject([
      { data: { inputId: 'a', decision: 'allow_once' } },
    ]);
    expect(kernel.sends).toHaveLength(1);
    expect(kernel.follows).toEqual(['task-1']);
    expect(lastOf(answer)).toMatchObject(success);
  });

  it('finds a question that appeared meanwhile: nothing is applied, old and new are announced together', async () => {
    verifies('interrupt.several');
    const { talk, kernel } = await begin(asksOnce);
    const [first] = interruptsOf(await talk.say());
    const names = { taskId: 'task-1', contextId: talkContext(kernel) };
    const asked = together(names, permissionOf(names, 'permission-1'), subTask(names, 'permission-2'));
    const { status, metadata } = Object(asked['statusUpdate']);
    kernel.tasks.set('task-1', { id: 'task-1', contextId: names.contextId, status, metadata });

    const again = interruptsOf(await talk.resume(resolved('permission-1', allow)));

    expect(again.map(({ id }) => id)).toEqual(['permission-1', 'permission-2']);
    expect(again[0]?.['expiresAt']).toBe(first?.['expiresAt']);
    expect(kernel.sends).toHaveLength(1);
    expect(kernel.answers).toEqual([]);
  });

  it('can end in the next question of the same task, which is then answered alike', async () => {
    verifies('events.run-is-not-pipeline', 'turns.run-per-request');
    let answers = 0;
    const { talk, kernel } = await begin(async function* ({ message }, names) {
      if (message.taskId === undefined) return yield [submitted(names), permissionOf(names, 'one')];
      answers += 1;
      if (answers === 1) yield [stateOf(names, 'TASK_STATE_WORKING'), permissionOf(names, 'two')];
      else yield [stateOf(names, 'TASK_STATE_WORKING'), ...done(names)];
    });
    await talk.say();

    const next = await talk.resume(resolved('one', allow));
    const repeat = await talk.resume(resolved('one', allow), resolved('two', deny));

    expect(interruptsOf(next).map(({ id }) => id)).toEqual(['two']);
    expect(lastOf(repeat)).toMatchObject(success);
    expect(kernel.sends.slice(1).map(({ message }) => Object(message.parts[0]?.data)['inputId'])).toEqual([
      'one',
      'two',
    ]);
  });
});

describe.each(everyDoor)('before a resume by the door %s', (door) => {
  const session = 'session-of-iac-code';
  const asksInSession: Script = async function* (send, names, signal) {
    if (send.message.taskId !== undefined) return yield* asksOnce(send, names, signal);
    const named = { statusUpdate: { taskId: names.taskId, contextId: names.contextId } };
    const step = { eventType: 'step_started', step: { id: 'plan' }, scope: 'step', pipelineRunId: 'p' };
    yield [
      submitted(names),
      { statusUpdate: { ...named.statusUpdate, metadata: { iac_code: { iacCodeSessionId: session } } } },
      extensionOf(names, { pipeline: { ...step, sequence: 7, eventId: 'e7' } }),
      permissionOf(names, 'permission-1'),
    ];
  };
  const begin = async () => {
    const kernel = new ScriptedKernel(asksInSession);
    const talk = new Conversation(await startServer({ replace: { kernel } }), door);
    await talk.say();
    return { kernel, talk, contextId: talkContext(kernel) };
  };

  it('the iac-code session is restored', async () => {
    verifies('resume.restore-session', 'state.identities');
    const { talk, kernel } = await begin();
    kernel.restored = 'ready';

    const answer = await talk.resume(resolved('permission-1', allow));

    expect(kernel.restores).toEqual([{ cwd: talk.folder, sessionId: session, taskId: 'task-1' }]);
    expect(lastOf(answer)).toMatchObject(success);
  });

  it('a session that is gone is told, and nothing is sent', async () => {
    verifies('error.execution-lost', 'resume.restore-session');
    const { talk, kernel } = await begin();
    kernel.restored = 'missing';

    const answer = await talk.resume(resolved('permission-1', allow));

    expect(faultOf(answer)).toBe('EXECUTION_LOST');
    expect(kernel.sends).toHaveLength(1);
  });

  it('a task that the kernel has no more is told, and nothing is sent', async () => {
    verifies('error.execution-lost');
    const { talk, kernel } = await begin();
    kernel.snapshot = async () => {
      throw new KernelError('refused', 'gone', { rpcCode: rpcTaskNotFound });
    };

    const answer = await talk.resume(resolved('permission-1', allow));

    expect(faultOf(answer)).toBe('EXECUTION_LOST');
    expect(kernel.sends).toHaveLength(1);
  });

  it.each([
    ['task', { id: 'task-of-somebody' }],
    ['context', { contextId: 'context-of-somebody' }],
    ['session', { metadata: { iac_code: { iacCodeSessionId: 'session-of-somebody' } } }],
  ])('a %s that is another one is refused, and nothing is sent', async (_what, change) => {
    verifies('resume.identity-checked', 'error.a2a-protocol');
    const { talk, kernel, contextId } = await begin();
    const task = { id: 'task-1', contextId, status: { state: 'TASK_STATE_INPUT_REQUIRED' } };
    kernel.tasks.set('task-1', { ...task, ...change });

    const answer = await talk.resume(resolved('permission-1', allow));

    expect(faultOf(answer)).toBe('A2A_PROTOCOL_ERROR');
    expect(kernel.sends).toHaveLength(1);
  });

  it('missing pipeline events are fetched from the journal behind the last one shown, each shown once', async () => {
    verifies(
      'resume.pipeline-recovered',
      'events.recovery-snapshot',
      'events.steps-reopened',
      'state.cursor',
    );
    verifies('custom.event-id');
    const { talk, kernel } = await begin();
    const stored = JSON.parse(await readFile(talk.stateFile, 'utf8'));
    const warning = { eventType: 'pipeline_warning', sequence: 9, eventId: 'e9', data: { text: 'careful' } };
    kernel.journals.set('task-1', {
      snapshot: { pipelineRunId: 'p', lastSequence: 9 },
      events: [warning, warning],
    });

    const answer = await talk.resume(resolved('permission-1', allow));

    expect(kernel.journalAsks).toEqual([['task-1', 7]]);
    expect(stored.execution).toMatchObject({ pipelineSequence: 7, pipelineOpenSteps: ['step:plan'] });
    expect(typesOf(answer).slice(0, 4)).toEqual([
      'RUN_STARTED',
      'STEP_STARTED',
      'ACTIVITY_SNAPSHOT',
      'CUSTOM',
    ]);
    expect(answer.events[1]).toMatchObject({ stepName: 'plan' });
    expect(answer.events[2]).toMatchObject({ activityType: 'iac-code.pipeline.v1', messageId: 'pipeline:p' });
    expect(answer.events.filter(({ name }) => name === 'iac-code.pipeline.v1')).toMatchObject([
      { value: { eventType: 'pipeline_warning', eventId: 'e9' } },
    ]);
  });

  it.each([
    ['works on', { status: { state: 'TASK_STATE_WORKING' } }],
    ['is done', { status: { state: 'TASK_STATE_COMPLETED' } }],
    [
      'waits for the next turn and asks nothing',
      {
        status: { state: 'TASK_STATE_INPUT_REQUIRED' },
        metadata: { iac_code: { iacCodeSessionId: session } },
      },
    ],
  ])('a task that %s has its answer already: none is sent, and it is followed', async (_what, task) => {
    verifies('resume.no-second-execution');
    const { talk, kernel, contextId } = await begin();
    const history = [{ messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Looked.' }] }];
    kernel.tasks.set('task-1', { id: 'task-1', contextId, history, ...task });
    kernel.follow = async function* (taskId) {
      kernel.follows.push(taskId);
      yield [stateOf({ taskId, contextId }, 'TASK_STATE_COMPLETED')];
    };

    const answer = await talk.resume(resolved('permission-1', allow));
    const again = await talk.resume(resolved('permission-1', allow));

    expect(saidIn(answer.events)).toBe('Looked.');
    expect(lastOf(answer)).toMatchObject(success);
    expect(faultOf(again)).toBe('RESUME_ALREADY_APPLIED');
    expect(kernel.sends).toHaveLength(1);
    expect(kernel.cancels).toEqual([]);
  });

  it('the rosInvocationId must be that of the execution, and a later turn may bring a new one', async () => {
    verifies('props.invocation-kept-on-resume', 'props.invocation-changes-with-turn', 'resume.new-run');
    const { talk, kernel } = await begin();
    const entries = { resume: [resolved('permission-1', allow)], messages: [] };

    const other = await talk.sayWith({ rosInvocationId: 'invocation-2' }, entries);
    const same = await talk.say(entries);
    const later = await talk.sayWith({ rosInvocationId: 'invocation-3' });

    expect(faultOf(other)).toBe('EXECUTION_LOST');
    expect(lastOf(same)).toMatchObject(success);
    expect(interruptsOf(later)).toHaveLength(1);
    const invocations = kernel.sends.map(({ message }) => Object(message.metadata?.['iac_code']));
    expect(invocations.map(({ rosInvocationId }) => rosInvocationId)).toEqual([
      'invocation-1',
      'invocation-1',
      'invocation-3',
    ]);
  });
});
