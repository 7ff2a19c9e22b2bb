import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgUiEvent } from '../../../src/protocol/events.ts';
import { EventEncoder } from '../../../src/wire/event-json.ts';

const text = fc.string({ unit: 'binary' });
const deltas: fc.Arbitrary<AgUiEvent> = fc.oneof(
  fc.record({
    type: fc.constant('TEXT_MESSAGE_CONTENT' as const),
    messageId: fc.constantFrom('a', 'b"\n', 'ü'),
    delta: text,
  }),
  fc.record({
    type: fc.constant('REASONING_MESSAGE_CONTENT' as const),
    messageId: fc.constantFrom('a', 'b'),
    delta: text,
  }),
  fc.record({
    type: fc.constant('TOOL_CALL_ARGS' as const),
    toolCallId: fc.constantFrom('a', 'b'),
    delta: text,
  }),
  fc.record({
    type: fc.constant('TEXT_MESSAGE_CONTENT' as const),
    messageId: fc.constant('a'),
    delta: text,
    metadata: fc.constant({ k: 1 }),
  }),
  fc.record({
    type: fc.constant('CUSTOM' as const),
    name: text,
    value: fc.jsonValue() as fc.Arbitrary<null>,
  }),
);

describe('encoding events', () => {
  it('gives the same text as JSON.stringify for every event in every order', () => {
    fc.assert(
      fc.property(fc.array(deltas), (events) => {
        const encoder = new EventEncoder();

        expect(events.map((event) => encoder.encode(event))).toEqual(
          events.map((event) => JSON.stringify(event)),
        );
      }),
    );
  });

  it('never lets a raw line break or a lone surrogate out', () => {
    fc.assert(
      fc.property(deltas, (event) => {
        const json = new EventEncoder().encode(event);

        expect(json).not.toMatch(/[\n\r]/);
        expect(json.isWellFormed()).toBe(true);
      }),
    );
  });
});
