/** What the chat page makes of a run's events. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { shownItems } from '../../web/src/model/thread.ts';
import {
  asked,
  finished,
  golden,
  itemsOf,
  pipeline,
  receive,
  said,
  started,
  threadWith,
  turnOf,
} from './turns.ts';

describe('events on the chat page', () => {
  it('join the deltas of a message, of reasoning and of arguments', () => {
    const thread = receive(threadWith(), [
      started(),
      ...said('m', 'Hel', 'lo'),
      { type: 'REASONING_START', messageId: 's' },
      { type: 'REASONING_MESSAGE_START', messageId: 'r', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'Hm.' },
      { type: 'REASONING_MESSAGE_END', messageId: 'r' },
      { type: 'REASONING_END', messageId: 's' },
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'write_file' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"a"' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: ':1}' },
      { type: 'TOOL_CALL_END', toolCallId: 'c' },
      { type: 'TOOL_CALL_RESULT', messageId: 't', toolCallId: 'c', content: 'done', role: 'tool' },
    ]);

    expect(turnOf(thread).items).toEqual([
      { kind: 'text', id: 'm', role: 'assistant', text: 'Hello', isOpen: false },
      { kind: 'reasoning', id: 'r', text: 'Hm.', isOpen: false },
      { kind: 'tool', id: 'c', name: 'write_file', args: '{"a":1}', isOpen: false, result: 'done' },
    ]);
  });

  it('show each word once when a run is told again from its start', () => {
    const whole = [started(), ...said('m', 'Hel', 'lo'), finished()];
    const cut = receive(threadWith(), whole.slice(0, 3));

    expect(itemsOf(receive(cut, whole), 'text').map(({ text }) => text)).toEqual(['Hello']);
  });

  it('keep what was shown when a restarted server tells less of the run', () => {
    const shown = receive(threadWith(), [started(), ...said('m1', 'Before.'), ...said('m2', 'Half')]);
    const attached = receive(shown, [started(), ...said('m2', 'Half, and whole.')]);
    const texts = [{ text: 'Before.' }, { text: 'Half, and whole.' }];

    expect(shownItems(turnOf(attached))).toMatchObject(texts);
    expect(turnOf(receive(attached, [finished()])).items).toMatchObject(texts);
  });

  it('join what was shown to what follows, when a restarted server only knows the rest', () => {
    const shown = receive(threadWith(), [started(), ...said('m', 'First half, ').slice(0, 2)]);
    const rest = receive(shown, [started(), ...said('m', 'second half.'), finished()]);
    const again = receive(shown, [started(), ...said('m', 'First ').slice(0, 2)]);

    expect(itemsOf(rest, 'text')).toMatchObject([{ text: 'First half, second half.' }]);
    expect(shownItems(turnOf(again))).toMatchObject([{ text: 'First half, ' }]);
  });

  it('show what a summary tells whole, in the place of its beginning, and earlier turns not again', () => {
    const first = receive(threadWith(), [started(), ...said('m1', 'One'), finished()]);
    const second = receive(
      { ...first, turns: [...first.turns, { ...turnOf(threadWith('More', 'run-2')) }] },
      [
        started('run-2'),
        { type: 'TEXT_MESSAGE_START', messageId: 'm2', role: 'assistant' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: 'Tw' },
      ],
      'run-2',
    );
    const summary: JsonObject = {
      type: 'MESSAGES_SNAPSHOT',
      messages: [
        { id: 'm1', role: 'assistant', content: 'One' },
        { id: 'm2', role: 'assistant', content: 'Two' },
        {
          id: 'a3',
          role: 'assistant',
          toolCalls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { id: 't3', role: 'tool', toolCallId: 'c', content: 'ok' },
      ],
    };
    const { items } = turnOf(receive(second, [summary], 'run-2'));

    expect(items).toEqual([
      { kind: 'text', id: 'm2', role: 'assistant', text: 'Two', isOpen: false },
      { kind: 'tool', id: 'c', name: 'f', args: '{}', isOpen: false, result: 'ok' },
    ]);
  });

  it('end a turn as its outcome says', () => {
    const interrupts = [{ id: 'i', reason: 'tool_call', message: 'May I?' }];
    const endOf = (event: JsonObject) => turnOf(receive(threadWith(), [started(), event])).status;

    expect(endOf(finished())).toEqual({ kind: 'success' });
    expect(endOf(finished({ type: 'cancelled' }))).toEqual({ kind: 'cancelled' });
    expect(endOf(finished({ type: 'interrupt', interrupts }))).toEqual({ kind: 'interrupted', interrupts });
    expect(endOf({ type: 'RUN_ERROR', code: 'CANCELLED', message: '' })).toEqual({ kind: 'cancelled' });
    const vendor = { fault: 'A2A_UNAVAILABLE', requestId: 'req' };
    const error = {
      type: 'RUN_ERROR',
      code: 'AGENT_ERROR',
      message: 'No.',
      metadata: { 'agentcore-agui': vendor },
    };
    expect(endOf(error)).toEqual({
      kind: 'failed',
      failure: { code: 'AGENT_ERROR', message: 'No.', ...vendor, remedy: 'new-run' },
    });
  });

  it('close what the agent left open', () => {
    const open = [
      { type: 'TEXT_MESSAGE_START', messageId: 'm' },
      { type: 'STEP_STARTED', stepName: 's' },
    ];
    const { items } = turnOf(
      receive(threadWith(), [started(), ...open, { type: 'RUN_ERROR', message: 'x' }]),
    );

    expect(items).toMatchObject([{ isOpen: false }, { state: 'done' }]);
  });

  it('collect the plans of a pipeline in one place, however often each is told', () => {
    const events = golden('pipeline-candidates');
    const thread = receive(threadWith(), [started(), ...events, ...events]);

    expect(itemsOf(thread, 'candidates')).toMatchObject([
      {
        candidates: [
          { name: 'Plan 0', state: 'done' },
          { name: 'Plan 1', diagram: 'graph TD' },
        ],
      },
    ]);
  });

  it('keep a plan’s costs, and tell which one was chosen', () => {
    const candidate = { id: 'sp0', index: 0, name: 'Plan A' };
    const detail = {
      summary: 'Small',
      totalMonthlyCost: 12.5,
      costItems: [{ name: 'ECS', monthlyCost: '$9' }],
    };
    const thread = receive(threadWith(), [
      started(),
      pipeline('candidate_started', { candidate }),
      pipeline('candidate_detail_shown', { data: { candidateIndex: 0, detail } }),
      pipeline('candidate_selected', { candidate }),
    ]);

    expect(itemsOf(thread, 'candidates')[0]?.candidates).toEqual([
      {
        id: 'sp0',
        index: 0,
        name: 'Plan A',
        state: 'selected',
        summary: 'Small',
        cost: '12.5',
        costItems: [{ name: 'ECS', monthly: '$9' }],
      },
    ]);
  });

  it('move the bar of a stack and of a tool', () => {
    const data = { stackId: 's', stackName: 'web', status: 'CREATE_IN_PROGRESS', progressPercentage: 40 };
    const mcp = { progress: 3, total: 4, message: 'Copying' };
    const thread = receive(threadWith(), [
      started(),
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'copy' },
      { type: 'CUSTOM', name: 'iac-code.tool-progress.v1', value: { toolUseId: 'c', mcp } },
      pipeline('stack_progress', { data }),
      pipeline('stack_progress', { data: { ...data, progressPercentage: 250 } }),
    ]);

    expect(itemsOf(thread, 'tool')[0]?.progress).toEqual({ part: 0.75, message: 'Copying' });
    expect(itemsOf(thread, 'stack')).toMatchObject([{ name: 'web', status: 'CREATE_IN_PROGRESS', part: 1 }]);
  });

  it('keep an artifact’s older text beside its new one', () => {
    const artifact = (text: string): JsonObject => ({
      type: 'CUSTOM',
      name: 'iac-code.artifact.v1',
      value: { artifactId: 'a', name: 'vpc.yml', parts: [{ text, mediaType: 'text/yaml' }] },
    });
    const thread = receive(threadWith(), [started(), artifact('a: 1'), artifact('a: 2')]);

    expect(itemsOf(thread, 'artifact')).toEqual([
      {
        kind: 'artifact',
        id: 'a',
        name: 'vpc.yml',
        parts: [{ mediaType: 'text/yaml', text: 'a: 2' }],
        previous: 'a: 1',
      },
    ]);
  });

  it('compare a file with the one of the same name in an earlier turn', () => {
    const artifact = (artifactId: string, text: string): JsonObject => ({
      type: 'CUSTOM',
      name: 'iac-code.artifact.v1',
      value: { artifactId, name: 'vpc.yml', parts: [{ text }] },
    });
    const first = receive(threadWith(), [started(), artifact('a', 'a: 1'), finished()]);
    const second = receive(
      asked(first, 'Change it', 'run-2'),
      [started('run-2'), artifact('b', 'a: 2')],
      'run-2',
    );

    expect(itemsOf(second, 'artifact')).toMatchObject([{ previous: 'a: 1' }]);
  });

  it('never fail, whatever an event holds', () => {
    const types = [
      'RUN_FINISHED',
      'CUSTOM',
      'MESSAGES_SNAPSHOT',
      'STATE_DELTA',
      'STATE_SNAPSHOT',
      'ACTIVITY_SNAPSHOT',
      'X',
    ];
    const names = ['iac-code.pipeline.v1', 'iac-code.artifact.v1', 'iac-code.tool-progress.v1', undefined];
    const event = fc.record({
      type: fc.constantFrom(...types),
      name: fc.constantFrom(...names),
      value: fc.jsonValue(),
      outcome: fc.jsonValue(),
      messages: fc.jsonValue(),
      delta: fc.jsonValue(),
      content: fc.jsonValue(),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), (events) => {
        // Numbers, texts, lists and objects are JSON.
        const thread = receive(threadWith(), [started(), ...(events as unknown as JsonObject[])]);
        expect(thread.turns).toHaveLength(1);
      }),
    );
  });
});
