/** Interrupts on every door: announced once they are on disk, answered once, never lost, never executed twice. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { KernelError } from '../../src/errors/kernel-error.ts';
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
  sessionOf,
  typesOf,
  withdrawn,
} from '../support/conversation.ts';
import {
  aborted,
  asksOnce,
  extensionOf,
  permissionOf,
  questionOf,
  ScriptedKernel,
  stateOf,
  submitted,
  textOf,
} from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { verifies } from './verifies.ts';

const success = { type: 'RUN_FINISHED', outcome: { type: 'success' } };

describe.each(everyDoor)('an interrupt by the door %s', (door) => {
  const begin = async (kernel = new ScriptedKernel(asksOnce), environment = {}) => ({
    kernel,
    talk: new Conversation(await startServer({ replace: { kernel }, environment }), door),
  });

  it('ends the run with everything closed, and says what is asked, how to answer and until when', async () => {
    verifies('interrupt.ends-run', 'interrupt.id-reason', 'interrupt.message', 'interrupt.tool-call-id');
    verifies('interrupt.response-schema', 'interrupt.expires-at', 'interrupt.metadata');
    verifies('interrupt.permission-schema', 'events.interrupt');
    const { talk } = await begin();

    const answer = await talk.say();

    expect(interruptsOf(answer)).toEqual([
      expect.objectContaining({
        id: 'permission-1',
        reason: 'tool_call',
        message: 'Run ls. Allow once?',
        toolCallId: 'call-of-permission-1',
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        responseSchema: {
          type: 'object',
          properties: { decision: { type: 'string', enum: ['allow_once', 'deny'] } },
          required: ['decision'],
          additionalProperties: false,
        },
        metadata: expect.objectContaining({
          toolName: 'bash',
          title: 'Run a command',
          purpose: 'look around',
          safeSummary: 'ls',
          options: [
            { id: 'allow_once', label: 'Allow once' },
            { id: 'deny', label: 'Deny' },
          ],
        }),
      }),
    ]);
    expect(typesOf(answer)).toContain('TEXT_MESSAGE_END');
  });

  it('closes what is open before it ends the run: text, reasoning, tool and step', async () => {
    verifies('events.spans-closed');
    const { talk } = await begin(
      new ScriptedKernel(async function* (_send, names) {
        const step = { pipelineRunId: 'p', step: { id: 'plan', runId: 'plan-1' } };
        const envelope = (eventType: string, sequence: number, data = {}) =>
          extensionOf(names, {
            pipeline: { ...step, eventType, sequence, eventId: `e${sequence}`, scope: 'step', data },
          });
        yield [
          submitted(names),
          envelope('step_started', 1),
          envelope('thinking_delta', 2, { type: 'raw_thinking', text: 'Hm' }),
          textOf(names, 'I would like to'),
          extensionOf(names, { tool: { status: 'started', toolUseId: 'call-1', name: 'bash' } }),
          permissionOf(names, 'permission-1'),
        ];
      }),
    );

    const types = typesOf(await talk.say());

    for (const [opening, closing] of [
      ['STEP_STARTED', 'STEP_FINISHED'],
      ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_END'],
      ['REASONING_START', 'REASONING_END'],
      ['REASONING_MESSAGE_START', 'REASONING_MESSAGE_END'],
      ['TOOL_CALL_START', 'TOOL_CALL_END'],
    ] as const) {
      expect(
        types.filter((type) => type === opening),
        opening,
      ).toHaveLength(1);
      expect(
        types.filter((type) => type === closing),
        closing,
      ).toHaveLength(1);
    }
    expect(types.at(-1)).toBe('RUN_FINISHED');
  });

  it('is answered by a new run on the same task, and the work goes on', async () => {
    verifies('resume.new-run', 'resume.allow', 'turns.run-per-request', 'input.resume-without-message');
    verifies('disconnect.resume-connects-anew', 'events.run-is-not-pipeline');
    const { talk, kernel } = await begin();
    const asked = await talk.say();

    const answer = await talk.resume(resolved('permission-1', allow));

    expect(lastOf(answer)).toMatchObject(success);
    expect(answer.text).toContain('Looked.');
    expect(typesOf(asked).filter((type) => /^RUN_/.test(type))).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
    expect(typesOf(answer).filter((type) => /^RUN_/.test(type))).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
    expect(answer.events[0]?.['runId']).not.toBe(asked.events[0]?.['runId']);
    expect(sessionOf(answer)).toMatchObject({
      executionId: sessionOf(asked)['executionId'],
      taskId: 'task-1',
    });
    expect(kernel.sends).toHaveLength(2);
    expect(kernel.sends[1]?.message).toMatchObject({
      taskId: 'task-1',
      contextId: kernel.sends[0]?.message.contextId,
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

  it('is announced again to whoever attaches by any run of its thread, also in a later process', async () => {
    const { talk } = await begin();
    const asked = await talk.say();
    const refusedRun = talk.body();
    await talk.send(refusedRun);
    const later = await startServer({
      replace: { kernel: new ScriptedKernel(asksOnce) },
      folder: talk.server.folder,
    });
    const beside = new Conversation(later, 'agentcore', { threadId: talk.threadId });
    const attach = (runId: unknown) => beside.send({ control: 'attach', threadId: talk.threadId, runId });

    const again = await attach(asked.events[0]?.['runId']);
    const unknown = await attach('never-heard-of');

    expect(interruptsOf(again)).toEqual(interruptsOf(asked));
    expect(faultOf(unknown)).toBe('EXECUTION_NOT_FOUND');
  });

  it('that is denied says so to the task, whose tool does not run', async () => {
    verifies('resume.deny');
    const { talk, kernel } = await begin();
    await talk.say();

    const answer = await talk.resume(resolved('permission-1', deny));

    expect(kernel.sends[1]?.message.parts).toMatchObject([
      { data: { inputId: 'permission-1', decision: 'deny' } },
    ]);
    expect(answer.text).not.toContain('Looked.');
    expect(lastOf(answer)).toMatchObject(success);
  });

  it('must be answered before anything else is said', async () => {
    verifies('error.resume-required');
    const { talk, kernel } = await begin();
    await talk.say();

    const answer = await talk.say();

    expect(faultOf(answer)).toBe('RESUME_REQUIRED');
    if (door !== 'ws') expect(answer.status).toBe(door === 'iac-code' ? 409 : 400);
    expect(kernel.sends).toHaveLength(1);
  });

  it.each([
    ['no answer at all', [], 'INCOMPLETE_RESUME'],
    ['the same answer twice', ['permission-1', 'permission-1'], 'INCOMPLETE_RESUME'],
    ['an answer to something else', ['permission-1', 'other'], 'UNKNOWN_INTERRUPT'],
  ])('refuses %s, sends nothing, and can then be answered rightly', async (_what, ids, fault) => {
    verifies('resume.each-once', 'resume.duplicates-refused', 'resume.unknown-refused');
    verifies('error.incomplete-resume', 'error.unknown-interrupt');
    const { talk, kernel } = await begin();
    await talk.say();

    const wrong = await talk.resume(...ids.map((id) => resolved(id, allow)));
    const right = await talk.resume(resolved('permission-1', allow));

    if (door !== 'ws') expect(wrong.status).toBe(door === 'iac-code' ? 200 : 400);
    expect(faultOf(wrong)).toBe(fault);
    expect(lastOf(right)).toMatchObject(success);
    expect(kernel.sends).toHaveLength(2);
  });

  it.each([
    ['is missing', { interruptId: 'permission-1', status: 'resolved' }],
    ['has another form', resolved('permission-1', { decision: 'maybe' })],
    ['is a word', resolved('permission-1', 'allow_once')],
    ['has more than asked', resolved('permission-1', { ...allow, x: 1 })],
  ])(
    'refuses a payload that %s by RUN_ERROR, sends nothing, and can be answered again',
    async (_what, entry) => {
      verifies('resume.payload-required', 'resume.payload-schema', 'resume.schema-error-retry');
      verifies('error.resume-payload-invalid');
      const { talk, kernel } = await begin();
      await talk.say();

      const wrong = await talk.resume(entry);
      const right = await talk.resume(resolved('permission-1', allow));

      expect(lastOf(wrong)).toMatchObject({ type: 'RUN_ERROR' });
      expect(faultOf(wrong)).toBe('RESUME_PAYLOAD_INVALID');
      expect(lastOf(right)).toMatchObject(success);
      expect(kernel.sends).toHaveLength(2);
    },
  );

  it('survives a restart of the server, whatever the new time to live is', async () => {
    verifies('resume.after-restart', 'state.interrupts');
    const { talk: before } = await begin();
    const asked = interruptsOf(await before.say());
    await before.server.stop();
    const kernel = new ScriptedKernel(asksOnce);
    const server = await startServer({
      replace: { kernel },
      folder: before.server.folder,
      environment: { AGUI_INTERRUPT_TTL_S: '7' },
    });
    const after = new Conversation(server, door, { threadId: before.threadId });

    const incomplete = await after.resume();
    const answer = await after.resume(resolved('permission-1', allow));

    expect(faultOf(incomplete)).toBe('INCOMPLETE_RESUME');
    expect(asked).toHaveLength(1);
    expect(lastOf(answer)).toMatchObject(success);
    expect(kernel.sends).toHaveLength(1);
  });

  it('is never executed twice by the same answer, and a changed one is told apart', async () => {
    verifies('resume.no-second-execution', 'error.resume-already-applied');
    const { talk, kernel } = await begin();
    await talk.say();
    await talk.resume(resolved('permission-1', allow));

    const again = await talk.resume(resolved('permission-1', allow));
    const changed = await talk.resume(resolved('permission-1', deny));

    expect(faultOf(again)).toBe('RESUME_ALREADY_APPLIED');
    expect(faultOf(changed)).toMatch(/RESUME_ALREADY_APPLIED|EXECUTION_LOST/);
    expect(kernel.sends).toHaveLength(2);
  });

  it('expires for good: refused, removed, its task cancelled, and the next message is free', async () => {
    verifies('error.execution-expired', 'state.expired-refused', 'state.expired-removed');
    verifies('state.expired-cancelled');
    const { talk, kernel } = await begin(new ScriptedKernel(asksOnce), { AGUI_INTERRUPT_TTL_S: '1' });
    const [asked] = interruptsOf(await talk.say());
    while (Date.now() <= Date.parse(String(asked?.['expiresAt'])))
      await talk.server.parts.store.load(talk.address);

    const late = await talk.resume(resolved('permission-1', allow));
    const stored = JSON.parse(await readFile(talk.stateFile, 'utf8'));
    const next = await talk.say();

    expect(faultOf(late)).toBe('EXECUTION_EXPIRED');
    expect(stored.execution.pending).toEqual({});
    expect(interruptsOf(next)).toHaveLength(1);
    expect(kernel.cancels).toEqual(['task-1']);
    expect(kernel.sends).toHaveLength(2);
  });

  it('expires also where the time ran out while no server was there', async () => {
    verifies('state.expired-refused', 'state.expired-removed', 'state.expired-cancelled');
    const { talk: before } = await begin(new ScriptedKernel(asksOnce), { AGUI_INTERRUPT_TTL_S: '1' });
    const [asked] = interruptsOf(await before.say());
    await before.server.stop();
    while (Date.now() <= Date.parse(String(asked?.['expiresAt']))) await readFile(before.stateFile);
    const kernel = new ScriptedKernel(asksOnce);
    const server = await startServer({ replace: { kernel }, folder: before.server.folder });
    const after = new Conversation(server, door, { threadId: before.threadId });

    const late = await after.resume(resolved('permission-1', allow));
    const again = await after.resume(resolved('permission-1', allow));
    const next = await after.say();

    expect(faultOf(late)).toBe('EXECUTION_EXPIRED');
    expect(faultOf(again)).toBe('EXECUTION_EXPIRED');
    expect(interruptsOf(next)).toHaveLength(1);
    expect(kernel.cancels).toEqual(['task-1']);
    expect(kernel.sends).toHaveLength(1);
  });

  it('stays answerable when the kernel refuses or drops the answer', async () => {
    verifies('resume.kept-until-accepted', 'error.a2a-unavailable');
    let failures = 0;
    const { talk, kernel } = await begin(
      new ScriptedKernel(async function* (send, names, signal) {
        if (send.message.taskId !== undefined && failures < 2) {
          failures += 1;
          if (failures === 1) throw new KernelError('unavailable', 'connection refused');
          return;
        }
        yield* asksOnce(send, names, signal);
      }),
    );
    await talk.say();

    const refused = await talk.resume(resolved('permission-1', allow));
    const dropped = await talk.resume(resolved('permission-1', allow));
    const waiting = JSON.parse(await readFile(talk.stateFile, 'utf8')).execution.pending;
    const taken = await talk.resume(resolved('permission-1', allow));

    expect(faultOf(refused)).toBe('A2A_UNAVAILABLE');
    expect(faultOf(dropped)).toBe('A2A_UNAVAILABLE');
    expect(Object.keys(waiting)).toEqual(['permission-1']);
    expect(lastOf(taken)).toMatchObject(success);
    expect(kernel.cancels).toEqual([]);
  });

  it('outlives a client that leaves after it was announced', async () => {
    verifies('disconnect.after-interrupt', 'disconnect.keeps-resume-state');
    const { talk, kernel } = await begin();
    const opened = await talk.open();
    await opened.ended;
    await opened.leave();

    const stored = JSON.parse(await readFile(talk.stateFile, 'utf8'));
    const answer = await talk.resume(resolved('permission-1', allow));

    expect(Object.keys(stored.execution.pending)).toEqual(['permission-1']);
    expect(kernel.cancels).toEqual([]);
    expect(lastOf(answer)).toMatchObject(success);
  });

  it('outlives a client that leaves in the middle of a resume that was not taken', async () => {
    verifies('resume.kept-until-accepted');
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
    const { talk } = await begin(kernel, { AGUI_ON_DISCONNECT: 'cancel' });
    await talk.say();
    const opened = await talk.open(talk.body({ resume: [resolved('permission-1', allow)], messages: [] }));
    await asked.promise;

    await opened.leave();
    while (talk.server.parts.liveRuns.count > 0) await talk.server.parts.store.load(talk.address);
    const answer = await talk.resume(resolved('permission-1', allow));

    expect(lastOf(answer)).toMatchObject(success);
    expect(kernel.cancels).toEqual([]);
  });

  it('with options is answered by the label that the kernel knows', async () => {
    verifies('interrupt.question-schema');
    const { talk, kernel } = await begin(
      new ScriptedKernel(async function* ({ message }, names) {
        if (message.taskId === undefined) yield [submitted(names), questionOf(names, 'question-1')];
        else yield [stateOf(names, 'TASK_STATE_WORKING'), stateOf(names, 'TASK_STATE_COMPLETED')];
      }),
    );
    const [asked] = interruptsOf(await talk.say());

    const answer = await talk.resume(resolved('question-1', { selectedId: 'bj' }));

    expect(JSON.stringify(asked?.['responseSchema'])).toContain('{"selectedId":{"const":"bj"}}');
    expect(kernel.sends[1]?.message.parts).toEqual([{ text: 'Beijing' }]);
    expect(answer.events.filter(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject([
      { toolCallId: 'call-of-question-1', content: 'Beijing' },
    ]);
  });

  it('of a question that is walked away from cancels the task', async () => {
    verifies('resume.cancelled-stops', 'error.cancelled');
    const { talk, kernel } = await begin(
      new ScriptedKernel(async function* (_send, names) {
        yield [submitted(names), questionOf(names, 'question-1')];
      }),
    );
    await talk.say();

    const answer = await talk.resume(withdrawn('question-1'));

    expect(lastOf(answer)).toMatchObject(cancelledEnd(door));
    expect(kernel.cancels).toEqual(['task-1']);
    expect(kernel.sends).toHaveLength(1);
  });

  it('of a permission that is walked away from denies it', async () => {
    verifies('resume.cancelled-denies');
    const { talk, kernel } = await begin();
    await talk.say();

    await talk.resume(withdrawn('permission-1'));

    expect(kernel.sends[1]?.message.parts).toMatchObject([{ data: { decision: 'deny' } }]);
    expect(kernel.cancels).toEqual([]);
  });

  it('is on disk before it is announced', async () => {
    verifies('interrupt.on-disk-first');
    const kernel = new ScriptedKernel(asksOnce);
    const server = await startServer({ replace: { kernel } });
    const talk = new Conversation(server, door);
    const { store } = server.parts;
    const hold = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const save = store.save.bind(store);
    store.save = async (record) => {
      if (record.execution.pending.length > 0) {
        reached.resolve();
        await hold.promise;
      }
      return save(record);
    };

    const opened = await talk.open();
    const soFar: unknown[] = [];
    void opened.ended.then((events) => soFar.push(...events));
    await reached.promise;
    // Other traffic goes back and forth while the save is held up.
    for (let index = 0; index < 20; index += 1) await new Conversation(server, door).send('{}');
    const whileUnsaved = soFar.length;
    hold.resolve();
    const events = await opened.ended;

    expect(whileUnsaved).toBe(0);
    expect(events.at(-1)).toMatchObject({ outcome: { type: 'interrupt' } });
    expect(JSON.parse(await readFile(talk.stateFile, 'utf8'))).toMatchObject({
      execution: { taskId: 'task-1', pending: { 'permission-1': { value: { inputId: 'permission-1' } } } },
    });
  });
});
