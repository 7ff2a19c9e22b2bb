/** Our order guard against the official verifiers: what leaves it, they accept, whatever went in. */
import { verifyEvents } from '@ag-ui/client';
import { verifyEvents as olderVerifyEvents } from 'ag-ui-client-0.0.59';
import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { EventOrder } from '../../src/domain/run/event-order.ts';
import type { AgUiEvent } from '../../src/protocol/events.ts';

const id = fc.constantFrom('a', 'b', 'c');
const delta = fc.constantFrom('', 'x', 'yz');
const withId = <Type extends string>(type: Type) => fc.record({ type: fc.constant(type), messageId: id });

/** Any event that the engine can emit, in any order. */
const anyEvent = fc.oneof(
  withId('TEXT_MESSAGE_START').map((event) => ({ ...event, role: 'assistant' as const })),
  fc.record({ type: fc.constant('TEXT_MESSAGE_CONTENT' as const), messageId: id, delta }),
  withId('TEXT_MESSAGE_END'),
  fc.record({
    type: fc.constant('TOOL_CALL_START' as const),
    toolCallId: id,
    toolCallName: fc.constant('tool'),
  }),
  fc.record({ type: fc.constant('TOOL_CALL_ARGS' as const), toolCallId: id, delta }),
  fc.record({ type: fc.constant('TOOL_CALL_END' as const), toolCallId: id }),
  fc.record({
    type: fc.constant('TOOL_CALL_RESULT' as const),
    messageId: fc.constantFrom('r1', 'r2'),
    toolCallId: id,
    content: fc.constant('done'),
    role: fc.constant('tool' as const),
  }),
  withId('REASONING_START'),
  withId('REASONING_MESSAGE_START').map((event) => ({ ...event, role: 'reasoning' as const })),
  fc.record({ type: fc.constant('REASONING_MESSAGE_CONTENT' as const), messageId: id, delta }),
  withId('REASONING_MESSAGE_END'),
  withId('REASONING_END'),
  fc.record({ type: fc.constantFrom('STEP_STARTED' as const, 'STEP_FINISHED' as const), stepName: id }),
  fc.record({
    type: fc.constant('CUSTOM' as const),
    name: fc.constant('vendor.x'),
    value: fc.constant(null),
  }),
  fc.constant<AgUiEvent>({ type: 'RUN_STARTED', threadId: 't', runId: 'r' }),
) as fc.Arbitrary<AgUiEvent>;

const terminal = fc.constantFrom<AgUiEvent>(
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome: { type: 'success' } },
  { type: 'RUN_ERROR', message: 'm', code: 'c' },
);

const start: AgUiEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };

function guarded(events: readonly AgUiEvent[]): AgUiEvent[] {
  const out: AgUiEvent[] = [];
  new EventOrder().admit(events, out);
  return out;
}

const verifiers = { '@ag-ui/client 1.0.0': verifyEvents, '@ag-ui/client 0.0.59': olderVerifyEvents };

describe.each(Object.entries(verifiers))('%s', (_name, verify) => {
  const verdict = (events: readonly AgUiEvent[]) =>
    // The verifiers are typed by the official event classes; the wire form is the same.
    lastValueFrom(from(events as never[]).pipe(verify(false), toArray()));

  it('accepts everything that the guard lets through, whatever was put in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyEvent, { maxLength: 40 }),
        terminal,
        fc.array(anyEvent, { maxLength: 5 }),
        async (events, end, late) => {
          const out = guarded([start, ...events, end, ...late]);

          expect(await verdict(out)).toHaveLength(out.length);
          expect(out.at(-1)).toBe(end);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('sees a lawful stream unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { maxLength: 40 }), async (events) => {
        const lawful = guarded([start, ...events, { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }]);

        expect(guarded(lawful)).toEqual(lawful);
      }),
    );
  });
});

describe('the guard', () => {
  it('lets text out that no start came for, with its start', () => {
    expect(
      guarded([start, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'a', delta: 'x' }]).map(({ type }) => type),
    ).toEqual(['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT']);
  });

  it('loses no text and no result', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        const kept = (list: readonly AgUiEvent[]) =>
          list.filter(
            (event) => event.type === 'TOOL_CALL_RESULT' || ('delta' in event && event.delta !== ''),
          );

        expect(kept(guarded([start, ...events]))).toEqual(kept(events));
      }),
    );
  });

  it('closes everything before an error too', () => {
    const out = guarded([
      start,
      { type: 'STEP_STARTED', stepName: 's' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'a', delta: 'x' },
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'tool' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'x' },
      { type: 'RUN_ERROR', message: 'm' },
    ]);

    expect(out.slice(-5).map(({ type }) => type)).toEqual([
      'REASONING_MESSAGE_END',
      'TOOL_CALL_END',
      'TEXT_MESSAGE_END',
      'STEP_FINISHED',
      'RUN_ERROR',
    ]);
  });
});
