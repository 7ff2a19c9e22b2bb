/** Whatever a kernel sends, the projection gives lawful events or none; it never throws. */
import { EventSchemas } from '@ag-ui/core/schemas';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventOrder } from '../../../src/domain/run/event-order.ts';
import type { AgUiEvent } from '../../../src/protocol/events.ts';
import type { JsonObject, JsonValue } from '../../../src/protocol/json.ts';
import { newMemory } from '../../../src/translate/memory.ts';
import { customKinds } from '../../../src/translate/pipeline/envelope.ts';
import { translateFrame } from '../../../src/translate/translate-frame.ts';

const junk = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
const maybe = <Value>(good: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: junk });
const name = fc.constantFrom('a', 'b', '');

const parts = maybe(fc.array(maybe(fc.record({ text: fc.string() })), { maxLength: 3 }));
const message = maybe(
  fc.record({ messageId: name, role: fc.constantFrom('ROLE_AGENT', 'ROLE_USER'), parts }),
);
const tool = fc.record({
  status: fc.constantFrom('started', 'input_complete', 'completed', 'failed', 'progress', 'x'),
  toolUseId: maybe(name),
  name: maybe(name),
  toolInput: junk,
  result: junk,
});
const envelope = fc.record({
  eventId: maybe(name),
  sequence: maybe(fc.nat(20)),
  eventType: maybe(
    fc.constantFrom(
      'text_delta',
      'thinking_delta',
      'step_started',
      'step_completed',
      'tool_started',
      'tool_result',
      'usage',
      'message_tombstone',
      ...customKinds,
    ),
  ),
  step: maybe(fc.record({ id: name, runId: name })),
  candidate: maybe(fc.record({ id: name })),
  data: maybe(
    fc.record({ text: maybe(fc.string()), type: fc.constant('raw_thinking'), toolUseId: maybe(name) }),
  ),
});
const extension = fc.record(
  {
    tool: maybe(tool),
    pipeline: maybe(envelope),
    pipelineBatch: maybe(fc.record({ events: maybe(fc.array(maybe(envelope), { maxLength: 4 })) })),
    thinking: maybe(fc.record({ type: fc.constant('raw_thinking'), text: maybe(fc.string()) })),
    usage: maybe(fc.record({ model: maybe(name), inputTokens: maybe(fc.nat()) })),
    input: maybe(fc.record({ inputId: maybe(name), required: fc.boolean() })),
    assistantFinal: maybe(fc.record({ complete: fc.boolean() })),
  },
  { requiredKeys: [] },
);
const state = maybe(
  fc.constantFrom(
    'TASK_STATE_WORKING',
    'TASK_STATE_INPUT_REQUIRED',
    'TASK_STATE_COMPLETED',
    'TASK_STATE_FAILED',
  ),
);
const body = fc.record(
  {
    id: maybe(name),
    taskId: maybe(name),
    contextId: maybe(name),
    status: maybe(fc.record({ state, message }, { requiredKeys: [] })),
    metadata: maybe(fc.record({ iac_code: maybe(extension) })),
    history: maybe(fc.array(message, { maxLength: 3 })),
    artifact: maybe(fc.record({ artifactId: maybe(name), parts })),
    append: maybe(fc.boolean()),
  },
  { requiredKeys: [] },
);
const frame = fc.oneof(
  body.map((value) => ({ statusUpdate: value })),
  body.map((value) => ({ task: value })),
  body.map((value) => ({ artifactUpdate: value })),
  message.map((value) => ({ message: value })),
  fc.constant({}),
) as unknown as fc.Arbitrary<JsonObject>;

describe.each(['iac-code', 'a2a'] as const)('projecting frames of the profile %s', (profile) => {
  it('never throws, and gives only events that the official schemas accept', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 12 }), (frames) => {
        const memory = newMemory({ profile, threadId: 't', runId: 'r' });
        const out: AgUiEvent[] = [];
        const order = new EventOrder();
        order.admit([{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }], out);
        for (const each of frames) order.admit(translateFrame(memory, each).events, out);

        for (const event of out) expect(EventSchemas.safeParse(event)).toMatchObject({ success: true });
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives the same events from the same seed every time', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 12 }), (frames) => {
        const play = () => {
          const memory = newMemory({ profile, threadId: 't', runId: 'r' });
          return frames.map((each) => translateFrame(memory, each).events);
        };

        expect(play()).toEqual(play());
      }),
    );
  });

  it('shows a text once, however it is cut into deltas', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 20 }),
        (deltas) => {
          fc.pre(profile === 'iac-code' || !isCumulative(deltas));
          const memory = newMemory({ profile, threadId: 't', runId: 'r' });
          const shown = deltas.flatMap((text) => translateFrame(memory, said(text)).events);

          expect(shown.map((event) => ('delta' in event ? event.delta : '')).join('')).toBe(deltas.join(''));
        },
      ),
    );
  });
});

/** A delta that begins with all that was said before can't be told from a repeat of everything so far. */
function isCumulative(deltas: readonly string[]): boolean {
  return deltas.length > 1 && (deltas[1] ?? '').startsWith(deltas[0] ?? '');
}

function said(text: string): JsonObject {
  const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] };
  return { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING', message } } };
}

describe('what a frame tells of its task', () => {
  const factsOf = (profile: 'iac-code' | 'a2a', frame: JsonObject) =>
    translateFrame(newMemory({ profile, threadId: 't', runId: 'r' }), frame).facts;
  const update = (state: string, iacCode: JsonObject = {}, message?: JsonObject): JsonObject => ({
    statusUpdate: {
      taskId: 'task',
      contextId: 'context',
      status: { state: `TASK_STATE_${state}`, ...(message === undefined ? {} : { message }) },
      metadata: { iac_code: iacCode },
    },
  });
  const question = { kind: 'permission', inputId: 'p-1', required: true };

  it.each([
    ['step_failed', 'TASK_STATE_WORKING'],
    ['pipeline_failed', 'TASK_STATE_FAILED'],
  ])('holds a frame with the event %s for %s', (eventType, state) => {
    const pipeline = { eventId: 'e', sequence: 1, eventType, status: 'failed' };

    expect(factsOf('iac-code', update('FAILED', { pipeline })).state).toBe(state);
    expect(factsOf('iac-code', update('FAILED', { pipelineBatch: { events: [pipeline] } })).state).toBe(
      state,
    );
  });

  it('has no question where nothing must be answered', () => {
    const input = { ...question, required: false };

    expect(factsOf('iac-code', update('INPUT_REQUIRED', { input }))).toMatchObject({
      inputs: [],
      inputsExplicit: true,
    });
    expect(factsOf('iac-code', update('INPUT_REQUIRED'))).toMatchObject({
      inputs: [],
      inputsExplicit: false,
    });
  });

  it('tells the questions of parallel sub-tasks from those that hold the task', () => {
    const facts = factsOf(
      'iac-code',
      update('WORKING', { input: question, pendingPermissions: [{ ...question, inputId: 'p-2' }] }),
    );

    expect(facts.inputs.map(({ inputId, sideband }) => [inputId, sideband])).toEqual([
      ['p-1', false],
      ['p-2', true],
    ]);
  });

  it('reads a question that stands in the pipeline event only, and none in its receipt', () => {
    const asked = { eventId: 'e', eventType: 'input_required', input: question };

    expect(factsOf('iac-code', update('INPUT_REQUIRED', { pipeline: asked })).inputs).toHaveLength(1);
    const received = { ...asked, eventType: 'input_received' };
    expect(factsOf('iac-code', update('WORKING', { pipeline: received })).inputs).toEqual([]);
  });

  it('gives a question without an id the same id each time, and another question another', () => {
    const idOf = (prompt: string) =>
      factsOf('iac-code', update('INPUT_REQUIRED', { input: { kind: 'permission', prompt, required: true } }))
        .inputs[0]?.inputId;

    expect(idOf('Delete?')).toBe(idOf('Delete?'));
    expect(idOf('Delete?')).not.toBe(idOf('Create?'));
  });

  it('asks in the words of a plain agent, and tells a second question from the first by its message', () => {
    const asked = (messageId: string) =>
      factsOf(
        'a2a',
        update('INPUT_REQUIRED', {}, { messageId, role: 'ROLE_AGENT', parts: [{ text: 'Which?' }] }),
      ).inputs[0];

    expect(asked('m-1')?.input).toMatchObject({
      kind: 'input_required',
      prompt: 'Which?',
      allowFreeText: true,
    });
    expect(asked('m-1')).toEqual(asked('m-1'));
    expect(asked('m-2')?.inputId).not.toBe(asked('m-1')?.inputId);
  });

  it('holds a lone message for the end of a plain answer, and an acknowledgement for nothing', () => {
    const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Hi' }] };

    expect(factsOf('a2a', { message }).state).toBe('TASK_STATE_COMPLETED');
    expect(factsOf('iac-code', { message: { ...message, taskId: 'task' } }).state).toBeUndefined();
  });
});
