import { createColors } from 'picocolors';
import { describe, expect, it } from 'vitest';
import { EventRenderer } from '../../../src/cli/render-event.ts';
import type { ReceivedEvent } from '../../../src/client/transport.ts';

function render(events: readonly ReceivedEvent[], color = false) {
  const renderer = new EventRenderer(createColors(color));
  const rendered = events.map((event) => renderer.render(event));
  return {
    out: rendered.map(({ out = '' }) => out).join(''),
    notes: rendered.map(({ notes = '' }) => notes).join(''),
  };
}

const say = (...deltas: readonly string[]): readonly ReceivedEvent[] => [
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta })),
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
];
const finished: ReceivedEvent = {
  type: 'RUN_FINISHED',
  threadId: 't',
  runId: 'r',
  outcome: { type: 'success' },
};

describe('what the agent says', () => {
  it('goes out as it comes, and ends with one line end', () => {
    expect(render([...say('Hel', 'lo'), ...say('again\n'), finished])).toEqual({
      out: 'Hello\nagain\n',
      notes: '',
    });
  });

  it('can not steer the terminal', () => {
    const { out, notes } = render([
      ...say('a\u001b[2Jb\u009b31mc\u0007\r\nd\te'),
      { type: 'TOOL_CALL_RESULT', toolCallId: 'c', content: '\u001b]0;title\u0007x' },
      { type: 'RUN_ERROR', message: '\u001b[31mred', code: 'C' },
    ]);

    expect(out).toBe('a[2Jb31mc\nd\te\n');
    for (const control of ['\u001b', '\u0007', '\u009b']) expect(notes).not.toContain(control);
  });

  it('is its result when it says nothing else', () => {
    expect(render([{ ...finished, result: { answer: 42 } }]).out).toBe('{"answer":42}\n');
    expect(render([...say('x'), { ...finished, result: 1 }]).out).toBe('x\n');
  });

  it('is taken from a summary where it was missed, for this turn, once', () => {
    const snapshot: ReceivedEvent = {
      type: 'MESSAGES_SNAPSHOT',
      messages: [
        { id: 'a', role: 'assistant', content: 'old' },
        { id: 'u', role: 'user', content: 'question' },
        { id: 'm', role: 'assistant', content: 'said' },
        { id: 'n', role: 'assistant', content: 'missed ' },
      ],
    };

    expect(render([...say('said'), snapshot, snapshot, finished]).out).toBe('said\nmissed \n');
  });
});

describe('what happens beside it', () => {
  it('is noted: tools, steps, reasoning, questions, cancellation', () => {
    const { out, notes } = render([
      { type: 'STEP_STARTED', stepName: 'plan' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'hm' },
      { type: 'REASONING_MESSAGE_END', messageId: 'r' },
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'write' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"a":' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '1}' },
      { type: 'TOOL_CALL_END', toolCallId: 'c' },
      { type: 'TOOL_CALL_RESULT', toolCallId: 'c', content: `done ${'x'.repeat(500)}` },
      { type: 'STEP_FINISHED', stepName: 'plan' },
      {
        ...finished,
        outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'confirmation', message: 'Go on?' }] },
      },
    ]);

    expect(out).toBe('');
    expect(notes.split('\n').map((line) => line.slice(0, 20))).toEqual([
      '• plan',
      'hm',
      '→ write {"a":1}',
      '← write done xxxxxxx',
      '✓ plan',
      '? Go on?',
      '',
    ]);
    expect(render([{ ...finished, outcome: { type: 'cancelled' } }]).notes).toBe('cancelled\n');
  });

  it('is an error with its codes and the id to name to an operator', () => {
    const metadata = { 'agentcore-agui': { fault: 'THREAD_BUSY', requestId: 'r-1' } };
    const error: ReceivedEvent = { type: 'RUN_ERROR', code: 'SESSION_BUSY', message: 'Busy', metadata };

    expect(render([error]).notes).toBe('error SESSION_BUSY/THREAD_BUSY: Busy (request r-1)\n');
    expect(render([error], true).notes).toContain('\u001b[31m');
  });
});
