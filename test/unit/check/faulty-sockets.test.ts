/** Containers that break one rule of the WebSocket: the check fails on that rule and on no other. */
import { describe, expect, it } from 'vitest';
import { type Event, honest, type Parts } from '../../support/echo-container.ts';
import { checkEcho, failureOf, failuresOf } from './check-containers.ts';

type Fault = readonly [what: string, id: string, seen: string, faults: Partial<Parts>];

const framing = (edit: (events: readonly Event[]) => readonly Event[]): Partial<Parts> => ({
  socketFrames: (events) => honest.socketFrames(edit(events)),
});

const inserting = (...more: readonly Event[]) => framing((events) => events.toSpliced(2, 0, ...more));

const words = (messageId: unknown, delta: string): Event => ({
  type: 'TEXT_MESSAGE_CONTENT',
  messageId,
  delta,
});

const faults: readonly Fault[] = [
  ['has no socket', 'ws.path', '404', { hasSocket: false }],
  [
    'leaves a run without its end',
    'ws.conversation',
    'TEXT_MESSAGE_END',
    framing((events) => events.slice(0, -1)),
  ],
  [
    'sends binary frames',
    'ws.conversation',
    'binary',
    { socketFrames: (events) => honest.socketFrames(events).map((frame) => Buffer.from(frame)) },
  ],
  [
    'sends SSE text in its frames',
    'ws.framing',
    'data: {',
    { socketFrames: (events) => honest.socketFrames(events).map((frame) => `data: ${String(frame)}\n\n`) },
  ],
  [
    'sends frames of 40 KB',
    'ws.frame-size',
    'RUN_STARTED',
    framing((events) => events.with(2, words(events[2]?.['messageId'], 'x'.repeat(40_000)))),
  ],
  [
    'sends 300 frames at once',
    'ws.frame-rate',
    'frames more',
    framing((events) =>
      events.toSpliced(2, 0, ...Array.from({ length: 300 }, () => words(events[1]?.['messageId'], 'x'))),
    ),
  ],
  ['closes behind one run', 'ws.multi-turn', 'closed 1000', { runsPerSocket: 1 }],
  [
    'closes on a wrong message',
    'ws.bad-message',
    'closed 1003',
    { onBadFrame: (socket) => socket.close(1003) },
  ],
  [
    'sends an unlawful event',
    'ws.events-schema',
    'vendor.x',
    inserting({ type: 'CUSTOM', name: 'vendor.x' }),
  ],
  ['makes up a type of event', 'ws.events-known-types', 'TEXT_WIZARD', inserting({ type: 'TEXT_WIZARD' })],
  [
    'speaks in a message that is not open',
    'ws.events-order',
    'TEXT_MESSAGE_CONTENT',
    inserting(words('unopened', 'x')),
  ],
];

describe('a check of a container over WebSocket', { concurrent: true }, () => {
  it('finds nothing in an honest one', async () => {
    const report = await checkEcho();

    expect(failuresOf(report)).toEqual([]);
    expect(
      report.results.filter(({ id }) => id.startsWith('ws.')).map(({ outcome }) => outcome.kind),
    ).toEqual(Array.from({ length: 11 }, () => 'passed'));
  });

  it.each(faults)('finds that it %s: %s', async (_what, id, seen, parts) => {
    const report = await checkEcho(parts, { answerMs: 1_000 });

    expect(failuresOf(report)).toEqual([id]);
    expect(failureOf(report, id).seen).toContain(seen);
  });
});
