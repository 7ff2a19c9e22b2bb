import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerDigest, readContent } from '../../../../src/domain/interrupts/answer.ts';
import { readOptions } from '../../../../src/domain/interrupts/question.ts';
import type { ResumeEntry } from '../../../../src/protocol/interrupt.ts';
import type { JsonObject, JsonValue } from '../../../../src/protocol/json.ts';
import { allow, deny, permission, question, say, select, waiting, walkAway } from './examples.ts';

const resolved = (payload: JsonValue): ResumeEntry => ({ interruptId: 'i', status: 'resolved', payload });
const words = (input: JsonObject, entry: ResumeEntry): unknown => {
  const content = readContent(waiting(input), entry);
  return content?.kind === 'text' ? content.text : content;
};

describe('what an answer says to the kernel', () => {
  it('is a decision for a permission, and walking away is no', () => {
    const said = [allow(), deny(), walkAway('permission-1')].map((entry) => readContent(permission(), entry));

    expect(said).toEqual(
      ['allow_once', 'deny', 'deny'].map((decision) => ({ kind: 'permission', decision })),
    );
  });

  it('is the label of the option chosen', () => {
    expect(readContent(question(), select('hz'))).toEqual({ kind: 'text', text: 'Hangzhou' });
  });

  it('is the free text as written', () => {
    expect(readContent(question(), say(' near Hangzhou '))).toEqual({
      kind: 'text',
      text: ' near Hangzhou ',
    });
  });

  it('is a withdrawal when the user walks away from a question', () => {
    expect(readContent(question(), walkAway('ask-1'))).toEqual({ kind: 'withdrawn' });
  });

  it('is the payload itself where the agent brought a schema', () => {
    const form = waiting({ inputId: 'i', responseSchema: { type: 'object' } });

    expect(readContent(form, resolved({ cidr: '10.0.0.0/8' }))).toEqual({
      kind: 'data',
      data: { cidr: '10.0.0.0/8' },
    });
  });

  it.each<[name: string, options: JsonValue, selectedId: string, expected: string]>([
    [
      'an id that was made unique means its own option',
      [
        { id: 'x', label: 'A' },
        { id: 'x', label: 'B' },
      ],
      'x-2',
      'B',
    ],
    [
      'equal labels are told apart by id',
      [
        { id: 'x', label: 'A' },
        { id: 'y', label: 'A' },
      ],
      'y',
      'y',
    ],
    [
      'equal labels and ids are told apart by number',
      [
        { id: 'x', label: 'A' },
        { id: 'x', label: 'A' },
      ],
      'x-2',
      '2',
    ],
    [
      'a label that is the id of another option is not used',
      [
        { id: 'a', label: 'b' },
        { id: 'b', label: 'c' },
      ],
      'a',
      'a',
    ],
    ['a plain option is its own words', ['small', 'large'], 'large', 'large'],
    ['an option without words is named by its id', [{ id: 'x' }], 'x', 'x'],
    ['an option without anything is named by its number', [{}, { label: 'A' }], '0', '1'],
  ])('of a choice: %s', (_rationale, options, selectedId, expected) => {
    expect(words({ kind: 'ask_user_question', options }, resolved({ selectedId }))).toBe(expected);
  });

  it.each<[name: string, options: JsonValue, selectedId: string, expected: string]>([
    [
      'by name',
      [
        { id: '0', label: 'Plan A' },
        { id: '1', label: 'Plan B' },
      ],
      '1',
      'Plan B',
    ],
    [
      'by place where names repeat, for their ids mean nothing there',
      [
        { id: '0', label: 'Plan' },
        { id: '1', label: 'Plan' },
      ],
      '1',
      'candidate 2',
    ],
    [
      'by place in its raw form',
      [
        { candidate_index: 0, name: 'P' },
        { candidate_index: 1, name: 'P' },
      ],
      '1',
      'candidate 2',
    ],
  ])('of a candidate: %s', (_rationale, options, selectedId, expected) => {
    expect(words({ kind: 'candidate_selection', options }, resolved({ selectedId }))).toBe(expected);
  });

  it('means the option chosen and no other, whatever the options are called', () => {
    const name = fc.constantFrom('a', 'b', 'c', '1', '2', '');
    const option = fc.record({ id: name, label: name }, { requiredKeys: [] });

    fc.assert(
      fc.property(fc.array(option, { minLength: 1, maxLength: 4 }), fc.nat(3), (options, at) => {
        const index = at % options.length;
        const ids = readOptions({ options }).map(({ id }) => id);
        const said = words({ options }, resolved({ selectedId: ids[index] ?? '' }));
        const others = options.filter((each, n) => n !== index && (each.id === said || each.label === said));
        const own = options[index];
        const isNamed = said === own?.id || said === own?.label || said === String(index + 1);
        const couldBeTold = [own?.id, own?.label, String(index + 1)].some(
          (way) => way && options.every((each, n) => n === index || (each.id !== way && each.label !== way)),
        );
        return new Set(ids).size === ids.length && (!couldBeTold || (isNamed && others.length === 0));
      }),
    );
  });

  it('is an action with its parameters for a deployment confirmation', () => {
    const input = {
      kind: 'deployment_confirmation',
      options: [{ id: 'go', label: 'Deploy', action: 'confirm' }],
    };

    expect(words(input, resolved({ selectedId: 'go', parameter_overrides: { n: 2 } }))).toBe(
      '{"action":"confirm","parameter_overrides":{"n":2}}',
    );
    expect(words(input, resolved({ action: 'confirm' }))).toBe(
      '{"action":"confirm","parameter_overrides":{}}',
    );
    expect(words(input, resolved({}))).toBeUndefined();
  });

  it('is structured for a resource selection, also when it is called off', () => {
    const input = {
      kind: 'cloud_resource_selection',
      inputId: 'resource-1',
      requestTaskId: 'task-31',
      selector: { id: 'vpc' },
    };
    const response = {
      schemaVersion: 1,
      kind: 'cloud_resource_selection',
      requestTaskId: 'task-31',
      inputId: 'resource-1',
      selectorId: 'vpc',
    };

    expect(words(input, resolved({ value: 'vpc-1', label: 'Main' }))).toEqual({
      kind: 'resource',
      text: 'Main',
      response: { ...response, status: 'selected', value: 'vpc-1', label: 'Main' },
    });
    expect(words(input, { interruptId: 'i', status: 'cancelled', payload: { optionsEmpty: true } })).toEqual({
      kind: 'resource',
      text: 'canceled',
      response: { ...response, status: 'canceled', optionsEmpty: true },
    });
    expect(words(input, resolved({ value: ' ' }))).toBeUndefined();
  });
});

describe('the digest of an answer', () => {
  const of = (payload: JsonValue | undefined, status: ResumeEntry['status'] = 'resolved') =>
    answerDigest('e', { interruptId: 'i', status, ...(payload === undefined ? {} : { payload }) });

  it('does not depend on the order of members, nor on metadata', () => {
    expect(of({ a: 1, b: { c: 2, d: 3 } })).toBe(of({ b: { d: 3, c: 2 }, a: 1 }));
    expect(answerDigest('e', { ...allow('i'), metadata: { seen: true } })).toBe(
      answerDigest('e', allow('i')),
    );
  });

  it('tells apart status, payload, interrupt and execution', () => {
    const digests = [
      of({ a: 1 }),
      of({ a: 1 }, 'cancelled'),
      of({ a: 2 }),
      of([1]),
      of(JSON.parse('{"__proto__":1}')),
      of({}),
      answerDigest('f', { interruptId: 'i', status: 'resolved', payload: { a: 1 } }),
      answerDigest('e', { interruptId: 'j', status: 'resolved', payload: { a: 1 } }),
    ];

    expect(new Set(digests).size).toBe(digests.length);
  });

  it('takes no payload and null for the same', () => {
    expect(of(undefined, 'cancelled')).toBe(of(null, 'cancelled'));
  });
});
