/** What becomes of the kernel's frames, on every door: standard events where AG-UI has a word, custom ones where not. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { customKinds } from '../../src/translate/pipeline/envelope.ts';
import {
  Conversation,
  customsOf,
  everyDoor,
  faultOf,
  lastOf,
  saidIn,
  sessionOf,
  typesOf,
} from '../support/conversation.ts';
import {
  extensionOf,
  ScriptedKernel,
  stateOf,
  submitted,
  type TaskNames,
  turn,
} from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { verifies } from './verifies.ts';

const kindsByEntry = {
  'custom.pipeline.lifecycle': [
    'pipeline_started',
    'pipeline_resumed',
    'pipeline_completed',
    'pipeline_error',
    'pipeline_warning',
    'backup_blocked',
  ],
  'custom.pipeline.candidates': [
    'candidate_started',
    'candidate_completed',
    'candidate_failed',
    'candidate_interrupted',
    'candidate_restart_requested',
    'candidate_selected',
    'candidate_detail_shown',
    'candidate_step_failed',
  ],
  'custom.pipeline.sub-pipelines': [
    'sub_pipeline_started',
    'sub_pipeline_completed',
    'sub_step_failed',
    'step_failed',
  ],
  'custom.pipeline.stacks': [
    'stack_progress',
    'stack_instances_progress',
    'stack_current_changed',
    'cleanup_started',
    'cleanup_progress',
    'cleanup_completed',
    'cleanup_failed',
  ],
  'custom.pipeline.rollback': ['rollback_triggered', 'rollback_completed'],
  'custom.pipeline.context': [
    'context_compaction_started',
    'context_compacted',
    'context_compaction_failed',
    'fields_marked_stale',
  ],
  'custom.pipeline.presentation': ['diagram_shown', 'mcp_status', 'tool_progress'],
} as const;

const envelopeOf = (eventType: string, sequence: number, more: JsonObject = {}): JsonObject => ({
  eventType,
  sequence,
  eventId: `event-${sequence}`,
  pipelineRunId: 'pipeline-1',
  scope: 'pipeline',
  data: {},
  ...more,
});

describe.each(everyDoor)('by the door %s', (door) => {
  /** One turn that brings these frames between its beginning and its normal end. */
  const runOf = async (frames: (names: TaskNames) => readonly JsonObject[]) => {
    const kernel = new ScriptedKernel(async function* (_send, names) {
      yield [submitted(names), ...frames(names), stateOf(names, 'TASK_STATE_COMPLETED')];
    });
    return new Conversation(await startServer({ replace: { kernel } }), door).say();
  };
  const pipelineOf = (...envelopes: readonly JsonObject[]) =>
    runOf((names) => envelopes.map((pipeline) => extensionOf(names, { pipeline })));

  it('an accepted request is RUN_STARTED with its ids and those of its parent', async () => {
    verifies('events.run-started', 'input.parent-run-id');
    const kernel = new ScriptedKernel(turn('hello'));
    const talk = new Conversation(await startServer({ replace: { kernel } }), door);

    const [started] = (await talk.say({ runId: 'run-7', parentRunId: 'run-6' })).events;
    const [orphan] = (await talk.say()).events;

    expect(started).toMatchObject({
      type: 'RUN_STARTED',
      threadId: talk.threadId,
      runId: 'run-7',
      parentRunId: 'run-6',
    });
    expect(orphan).not.toHaveProperty('parentRunId');
  });

  it('text is one message with its deltas', async () => {
    verifies('events.text', 'events.success');
    const kernel = new ScriptedKernel(turn('Hel', 'lo'));
    const talk = new Conversation(await startServer({ replace: { kernel } }), door);

    const answer = await talk.say();

    const text = answer.events.filter(({ type }) => type.startsWith('TEXT_'));
    expect(text[0]).toMatchObject({ type: 'TEXT_MESSAGE_START', role: 'assistant' });
    expect(text.at(-1)?.type).toBe('TEXT_MESSAGE_END');
    expect(new Set(text.map(({ messageId }) => messageId)).size).toBe(1);
    expect(saidIn(answer.events)).toBe('Hello');
    expect(lastOf(answer)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
  });

  it('raw reasoning is one span of reasoning', async () => {
    verifies('events.reasoning');
    const answer = await runOf((names) => [
      extensionOf(names, { thinking: { type: 'raw_thinking', text: 'Let me ' } }),
      extensionOf(names, { thinking: { type: 'raw_thinking', text: 'see' } }),
    ]);

    const reasoning = answer.events.filter(({ type }) => type.startsWith('REASONING'));
    const types = reasoning.map(({ type }) => type);
    expect(types.slice(0, 2)).toEqual(['REASONING_START', 'REASONING_MESSAGE_START']);
    expect(types.slice(-2)).toEqual(['REASONING_MESSAGE_END', 'REASONING_END']);
    expect(reasoning.map(({ delta }) => delta ?? '').join('')).toBe('Let me see');
  });

  it('a tool is its call with arguments and its result; only what lies between is progress', async () => {
    verifies('events.tool-call', 'events.tool-result', 'custom.tool-progress', 'custom.tool-progress-only');
    const tool = (status: string, more: JsonObject = {}) => ({
      tool: { status, toolUseId: 'call-1', name: 'bash', ...more },
    });

    const answer = await runOf((names) => [
      extensionOf(names, tool('started')),
      extensionOf(names, tool('input_complete', { toolInput: { command: 'ls' } })),
      extensionOf(names, tool('progress', { message: 'half way' })),
      extensionOf(names, tool('completed', { result: 'a b' })),
    ]);

    const shown = answer.events.filter((event) => event['toolCallId'] !== undefined);
    expect(shown).toMatchObject([
      {
        type: 'TOOL_CALL_START',
        toolCallId: 'call-1',
        toolCallName: 'bash',
        parentMessageId: expect.any(String),
      },
      { type: 'TOOL_CALL_ARGS', delta: '{"command":"ls"}' },
      { type: 'TOOL_CALL_END', toolCallId: 'call-1' },
      { type: 'TOOL_CALL_RESULT', toolCallId: 'call-1', content: 'a b', role: 'tool' },
    ]);
    expect(customsOf(answer.events, 'iac-code.tool-progress.v1')).toMatchObject([
      { status: 'progress', message: 'half way' },
    ]);
  });

  it('the life of a pipeline step is STEP_STARTED and STEP_FINISHED, and no custom event', async () => {
    verifies('events.steps', 'custom.no-duplicates');
    const step = { step: { id: 'plan' } };
    const answer = await pipelineOf(
      envelopeOf('step_started', 1, step),
      envelopeOf('text_delta', 2, { ...step, data: { text: 'planned' } }),
      envelopeOf('thinking_delta', 3, { ...step, data: { type: 'raw_thinking', text: 'hm' } }),
      envelopeOf('tool_started', 4, { ...step, data: { toolUseId: 'c', toolName: 'bash', input: {} } }),
      envelopeOf('tool_result', 5, { ...step, data: { toolUseId: 'c', toolName: 'bash', result: 'r' } }),
      envelopeOf('usage', 6, { ...step, data: { inputTokens: 1 } }),
      envelopeOf('step_completed', 7, step),
    );

    const steps = answer.events.filter(({ type }) => type.startsWith('STEP_'));
    expect(steps).toMatchObject([
      { type: 'STEP_STARTED', stepName: 'plan' },
      { type: 'STEP_FINISHED', stepName: 'plan' },
    ]);
    expect(saidIn(answer.events)).toBe('planned');
    expect(typesOf(answer)).toEqual(
      expect.arrayContaining(['REASONING_MESSAGE_CONTENT', 'TOOL_CALL_START', 'TOOL_CALL_RESULT']),
    );
    expect(customsOf(answer.events, 'iac-code.pipeline.v1')).toEqual([]);
  });

  it('each of the pipeline kinds of the reference goes out once, unchanged, with its eventId', async () => {
    verifies('custom.pipeline', 'custom.event-id', 'custom.pipeline.lifecycle', 'custom.pipeline.candidates');
    verifies('custom.pipeline.sub-pipelines', 'custom.pipeline.stacks', 'custom.pipeline.rollback');
    verifies('custom.pipeline.context', 'custom.pipeline.presentation');
    const kinds = Object.values(kindsByEntry).flat();
    const envelopes = kinds.map((kind, index) => envelopeOf(kind, index + 1, { data: { of: kind } }));

    const answer = await pipelineOf(...envelopes, ...envelopes, envelopeOf('something_internal', 99));

    expect(kinds).toHaveLength(34);
    expect(new Set(kinds)).toEqual(customKinds);
    expect(customsOf(answer.events, 'iac-code.pipeline.v1')).toEqual(envelopes);
  });

  it('an artifact is iac-code.artifact.v1, structured', async () => {
    verifies('custom.artifact');
    const artifact = { artifactId: 'a-1', name: 'vpc.yaml', parts: [{ text: 'Resources: {}' }] };

    const answer = await runOf(({ taskId, contextId }) => [
      { artifactUpdate: { taskId, contextId, artifact } },
    ]);

    expect(customsOf(answer.events, 'iac-code.artifact.v1')).toEqual([{ schemaVersion: 1, ...artifact }]);
  });

  it('usage is summed into the last event and is no event of its own', async () => {
    verifies('custom.usage');
    const usage = { provider: 'p', model: 'm', inputTokens: 3, outputTokens: 4 };

    const answer = await runOf((names) => [
      extensionOf(names, { usage }),
      extensionOf(names, { usage: { ...usage, inputTokens: 10 } }),
    ]);

    expect(lastOf(answer)).toMatchObject({
      type: 'RUN_FINISHED',
      usage: [{ provider: 'p', model: 'm', inputTokens: 13, outputTokens: 8 }],
    });
    expect(answer.events.filter(({ type }) => type === 'CUSTOM')).toHaveLength(1);
  });

  it('the session event names all that belongs together, once, with the session of the kernel', async () => {
    verifies('custom.session');
    const answer = await runOf((names) => [extensionOf(names, { iacCodeSessionId: 'session-1' })]);

    expect(customsOf(answer.events, 'iac-code.session.v1')).toHaveLength(1);
    expect(sessionOf(answer)).toMatchObject({
      threadId: answer.events[0]?.['threadId'],
      aguiRunId: answer.events[0]?.['runId'],
      executionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      contextId: expect.stringMatching(/^agui-/),
      taskId: 'task-1',
      rosInvocationId: 'invocation-1',
      sessionId: 'session-1',
    });
  });

  it.each([
    ['TASK_STATE_FAILED', 'A2A_EXECUTION_FAILED'],
    ['TASK_STATE_REJECTED', 'A2A_EXECUTION_FAILED'],
    ['TASK_STATE_CANCELED', 'CANCELLED'],
  ] as const)('a task that ends in %s is a run that ends so, in the stream', async (state, fault) => {
    verifies('error.a2a-failed', 'events.error', 'error.in-stream');
    const kernel = new ScriptedKernel(async function* (_send, names) {
      yield [submitted(names), stateOf(names, state)];
    });
    const talk = new Conversation(await startServer({ replace: { kernel } }), door);

    const answer = await talk.say({ protocolVersion: undefined });

    expect(answer.status).toBe(200);
    expect(typesOf(answer)).toEqual(['RUN_STARTED', 'CUSTOM', 'RUN_ERROR']);
    expect(faultOf(answer)).toBe(fault);
  });

  it.each([
    ['context', { contextId: 'context-of-somebody' }],
    ['task', { taskId: 'task-of-somebody' }],
  ])('a frame of another %s breaks the run off before anything of it is shown', async (_what, change) => {
    verifies('error.a2a-protocol');
    const answer = await runOf((names) => {
      const { statusUpdate } = extensionOf(names, { tool: { status: 'started', toolUseId: 'c', name: 'x' } });
      return [{ statusUpdate: { ...Object(statusUpdate), ...change } }];
    });

    expect(faultOf(answer)).toBe('A2A_PROTOCOL_ERROR');
    expect(typesOf(answer)).not.toContain('TOOL_CALL_START');
  });
});
