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
