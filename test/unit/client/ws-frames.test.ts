import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameReader } from '../../../src/client/ws-frames.ts';
import { frameText, toFrames } from '../../../src/inbound/ws/frames.ts';
import type { AgUiEvent } from '../../../src/protocol/events.ts';

function readAll(events: readonly AgUiEvent[]) {
  const reader = new FrameReader();
  return toFrames(events, 1).flatMap((frame) => reader.read(frameText(frame)));
}

describe('frames of our own server', () => {
  it('give back a result that had to be sent in parts, once', () => {
    const result: AgUiEvent = {
      type: 'TOOL_CALL_RESULT',
      messageId: 'm',
      toolCallId: 'c',
      content: '👋'.repeat(40_000),
      role: 'tool',
    };
    const state: AgUiEvent = { type: 'STATE_SNAPSHOT', snapshot: { text: 'x'.repeat(100_000) } };

    const received = readAll([result, state, { type: 'STEP_STARTED', stepName: 's' }]);

    expect(received.map(({ event }) => event.type)).toEqual([
      'TOOL_CALL_RESULT',
      'STATE_SNAPSHOT',
      'STEP_STARTED',
    ]);
    expect(received[0]?.event).toEqual(result);
    expect(received[1]).toEqual({ event: state, cursor: { after: 2 } });
  });

  it('give back every text that was joined or cut for them, and where it stands', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 9_000 }), { maxLength: 5 }), (deltas) => {
        const events = deltas.map(
          (delta): AgUiEvent => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta }),
        );

        const received = readAll(events);

        expect(received.map(({ event }) => event['delta']).join('')).toBe(deltas.join(''));
        if (events.length > 0) expect(received.at(-1)?.cursor).toEqual({ after: events.length });
      }),
      { numRuns: 50 },
    );
  });
});

describe('frames of others', () => {
  it('may hold several SSE records', () => {
    const frame = 'data: {"type":"A"}\r\n\r\n: note\r\n\r\ndata: {"type":"B"}\r\n\r\n';

    expect(new FrameReader().read(frame).map(({ event }) => event.type)).toEqual(['A', 'B']);
  });

  it('without an event give none', () => {
    expect(new FrameReader().read(': heartbeat\n\n')).toEqual([]);
  });

  it.each(['{"type":', '{}', 'data: 7\n\n', 'data: {"control":"pong"}\n\n'])(
    'that hold %j are a breach',
    (frame) => {
      expect(() => new FrameReader().read(frame)).toThrow(
        expect.objectContaining({ code: 'PROTOCOL_ERROR' }),
      );
    },
  );

  it('with a missing part are a breach', () => {
    const part = (index: number) =>
      JSON.stringify({
        type: 'CUSTOM',
        name: 'agentcore-agui.part.v1',
        value: { id: 1, index, count: 3, text: '{' },
      });
    const reader = new FrameReader();
    reader.read(part(0));

    expect(() => reader.read(part(2))).toThrow(expect.objectContaining({ code: 'PROTOCOL_ERROR' }));
  });
});
