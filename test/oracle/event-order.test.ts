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

const finish: AgUiEvent = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const start: AgUiEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };

function guarded(events: readonly AgUiEvent[]): AgUiEvent[] {
  const out: AgUiEvent[] = [];
  new EventOrder().admit(events, out);
  return out;
}

/**
 * What the guard changes although the verifiers would take it, and why: an empty delta says nothing and kills older
 * clients, a result does not close its call, a reasoning span can be closed over its open message, and a run is not
 * over without its ending.
 */
function isStricter(events: readonly AgUiEvent[]): boolean {
  const calls = new Set<string>();
  const reasonings = new Set<string>();
  return events.some((event) => {
    if (event.type === 'TOOL_CALL_START') calls.add(event.toolCallId);
    if (event.type === 'TOOL_CALL_END') calls.delete(event.toolCallId);
    if (event.type === 'REASONING_MESSAGE_START') reasonings.add(event.messageId);
    if (event.type === 'REASONING_MESSAGE_END') reasonings.delete(event.messageId);
    if ('delta' in event && event.delta === '') return true;
    if (event.type === 'TOOL_CALL_RESULT') return calls.has(event.toolCallId);
    if (event.type === 'REASONING_END') return reasonings.has(event.messageId);
    // An error may cut off what is open.
    return event.type === 'RUN_ERROR';
  });
}

/** A lawful stream with one event left out, sent twice, or sent too late. */
const damaged = fc
  .tuple(fc.array(anyEvent, { maxLength: 30 }), fc.nat(), fc.constantFrom('drop', 'double', 'delay', 'keep'))
  .map(([events, at, damage]): AgUiEvent[] => {
    const lawful = guarded([start, ...events, finish]);
    const index = at % lawful.length;
    const chosen = lawful[index] ?? start;
    if (damage === 'drop') return lawful.toSpliced(index, 1);
    if (damage === 'double') return lawful.toSpliced(index, 0, chosen);
    if (damage === 'delay') return lawful.toSpliced(index, 1).toSpliced(index + 2, 0, chosen);
    return lawful;
  })
  .filter((events) => !isStricter(events) && events.at(-1)?.type === 'RUN_FINISHED');

const verifiers = { '@ag-ui/client 1.0.0': verifyEvents, '@ag-ui/client 0.0.59': olderVerifyEvents };

function isUnchanged(events: readonly AgUiEvent[]): boolean {
  const out = guarded(events);
  return out.length === events.length && out.every((event, index) => event === events[index]);
}

describe.each(Object.entries(verifiers))('%s', (name, verify) => {
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

  it('refuses exactly those streams that the guard would mend', async () => {
    await fc.assert(
      fc.asyncProperty(damaged, async (events) => {
        // The older verifier does not look at reasoning.
        fc.pre(name.endsWith('1.0.0') || !events.some(({ type }) => type.startsWith('REASONING_')));
        const isAccepted = await verdict(events).then(
          () => true,
          () => false,
        );

        expect(isAccepted).toBe(isUnchanged(events));
      }),
      { numRuns: 1_000 },
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
