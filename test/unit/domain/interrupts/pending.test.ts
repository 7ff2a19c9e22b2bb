import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  belongsTo,
  interruptIdOf,
  type KernelInput,
  mergeInputs,
  reconcile,
  toInterrupt,
} from '../../../../src/domain/interrupts/pending.ts';
import { readOptions } from '../../../../src/domain/interrupts/question.ts';
import type { PendingInterrupt } from '../../../../src/domain/thread/thread.ts';
import { AjvAnswerSchemas } from '../../../../src/outbound/schema/ajv-answer-schemas.ts';
import type { Log } from '../../../../src/ports/runtime.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';
import { later, permission, permissionInput, question, questionInput, waiting } from './examples.ts';

const texts = { inputRequired: 'Input required', permissionRequired: 'Permission required' };
const newer = '2026-03-01T11:00:00.000Z';
const ids = (pending: readonly PendingInterrupt[]) => pending.map(interruptIdOf);
const foreground = (input: JsonObject): KernelInput => ({ input, sideband: false });
const sideband = (input: JsonObject): KernelInput => ({ input, sideband: true });
const noted: string[] = [];
const log: Log = {
  debug: (event) => void noted.push(event),
  info: (event) => void noted.push(event),
  warn: (event) => void noted.push(event),
  error: (event) => void noted.push(event),
  child: () => log,
};
const accepts = (interrupt: { responseSchema?: JsonObject }, payload: JsonObject): boolean =>
  new AjvAnswerSchemas(log).check(interrupt.responseSchema ?? {}, payload).ok;

describe('a permission as an interrupt', () => {
  const interrupt = toInterrupt(waiting(permissionInput), texts);

  it('names the call that it is about, when it runs out, and what it was made from', () => {
    expect(interrupt).toMatchObject({
      id: 'permission-1',
      reason: 'tool_call',
      message: 'Run ls. Allow once?',
      toolCallId: 'tu-5',
      expiresAt: later,
      metadata: {
        ...permissionInput,
        standardOptions: [
          { id: 'allow_once', title: 'Allow once' },
          { id: 'deny', title: 'Deny' },
        ],
      },
    });
  });

  it('can be allowed once or denied and nothing else', () => {
    expect(accepts(interrupt, { decision: 'allow_once' })).toBe(true);
    expect(accepts(interrupt, { decision: 'deny' })).toBe(true);
    expect(accepts(interrupt, { decision: 'allow_always' })).toBe(false);
    expect(accepts(interrupt, { decision: 'deny', note: 'x' })).toBe(false);
  });

  it('asks in its title, or else in general words, when it brings no prompt', () => {
    const message = (more: JsonObject) =>
      toInterrupt(waiting({ ...permissionInput, ...more }), texts).message;

    expect(message({ prompt: ' ', title: 'Run a command' })).toBe('Run a command');
    expect(message({ prompt: '' })).toBe('Permission required');
  });

  it('without a call is a confirmation, because tool_call promises one', () => {
    const interrupt = toInterrupt(waiting({ kind: 'permission', inputId: 'p' }), texts);

    expect(interrupt.reason).toBe('confirmation');
    expect(interrupt).not.toHaveProperty('toolCallId');
  });
});

describe('a question as an interrupt', () => {
  it('lists its options below its words', () => {
    const interrupt = toInterrupt(waiting(questionInput), texts);

    expect(interrupt.reason).toBe('input_required');
    expect(interrupt.message).toBe('Which region?\n- hz: Hangzhou\n- bj: Beijing');
  });

  it('takes an option or, where allowed, free text, never both', () => {
    const interrupt = toInterrupt(waiting(questionInput), texts);

    expect(accepts(interrupt, { selectedId: 'hz' })).toBe(true);
    expect(accepts(interrupt, { freeText: 'Shanghai' })).toBe(true);
    expect(accepts(interrupt, { freeText: '' })).toBe(false);
    expect(accepts(interrupt, { selectedId: 'sh' })).toBe(false);
    expect(accepts(interrupt, { selectedId: 'hz', freeText: 'x' })).toBe(false);
  });

  it('takes no free text where only its options are allowed', () => {
    const interrupt = toInterrupt(waiting({ ...questionInput, allowFreeText: false }), texts);

    expect(accepts(interrupt, { freeText: 'Shanghai' })).toBe(false);
  });

  it('without options takes free text and asks in general words when it has none of its own', () => {
    const interrupt = toInterrupt(waiting({ kind: 'something new', inputId: 'i' }), texts);

    expect(interrupt).toMatchObject({ reason: 'input_required', message: 'Input required' });
    expect(accepts(interrupt, { freeText: 'x' })).toBe(true);
  });

  it('keeps the schema that an agent brought for it', () => {
    const schema = { type: 'object', required: ['cidr'] };

    expect(toInterrupt(waiting({ inputId: 'i', responseSchema: schema }), texts).responseSchema).toEqual(
      schema,
    );
  });

  it('gives every option an id of its own', () => {
    const options = [
      { id: 'x', label: 'A' },
      { id: 'x', name: 'B' },
      { id: ' ' },
      'y',
      7,
      { candidate_index: 0, name: 'P' },
      { title: 'T' },
      null,
    ];

    expect(toInterrupt(waiting({ inputId: 'i', options }), texts).metadata?.['standardOptions']).toEqual([
      { id: 'x', title: 'A' },
      { id: 'x-2', title: 'B' },
      { id: 'option-3', title: 'option-3' },
      { id: 'y', title: 'y' },
      { id: '7', title: '7' },
      { id: '0', title: 'P' },
      { id: '6', title: 'T' },
      { id: '7-2', title: '7-2' },
    ]);
  });

  it('stays answerable with more options than a schema can list one by one', () => {
    const options = Array.from({ length: 1000 }, (_, n) => ({ id: `o${n}`, label: `Option ${n}` }));
    const interrupt = toInterrupt(waiting({ inputId: 'i', options }), texts);

    expect(accepts(interrupt, { selectedId: 'o999' })).toBe(true);
    expect(accepts(interrupt, { selectedId: 'o1000' })).toBe(false);
  });
});

describe('newer kinds of question', () => {
  const confirmation = {
    kind: 'deployment_confirmation',
    inputId: 'confirm-1',
    options: [
      { id: 'go', label: 'Deploy', action: 'confirm' },
      { id: 'stop', label: 'Stop', action: 'cancel' },
    ],
  };

  it('a deployment confirmation takes an option or an action, with parameters', () => {
    const interrupt = toInterrupt(waiting(confirmation), texts);

    expect(accepts(interrupt, { selectedId: 'go', parameter_overrides: { size: 2 } })).toBe(true);
    expect(accepts(interrupt, { action: 'cancel' })).toBe(true);
    expect(accepts(interrupt, { action: 'adjust' })).toBe(false);
    expect(accepts(interrupt, { freeText: 'go' })).toBe(false);
  });

  it.each([
    ['an unknown action', [{ id: 'go', action: 'explode' }]],
    [
      'two options of one id',
      [
        { id: 'go', action: 'confirm' },
        { id: 'go', action: 'cancel' },
      ],
    ],
    ['a blank id', [{ id: ' ', action: 'confirm' }]],
    ['an id that is too long', [{ id: 'x'.repeat(201), action: 'confirm' }]],
    ['an option that is none', ['go']],
  ])('a deployment confirmation with %s is asked as a plain question', (_name, options) => {
    const interrupt = toInterrupt(waiting({ ...confirmation, options }), texts);
    const [first] = readOptions({ options });

    expect(accepts(interrupt, { selectedId: first?.id ?? '' })).toBe(true);
    expect(accepts(interrupt, { action: 'confirm' })).toBe(false);
  });

  it('a resource selection takes a value with its label, or free text', () => {
    const interrupt = toInterrupt(
      waiting({ kind: 'cloud_resource_selection', inputId: 'resource-1', selector: { id: 'vpc' } }),
      texts,
    );

    expect(accepts(interrupt, { value: 'vpc-1', label: 'Main' })).toBe(true);
    expect(accepts(interrupt, { freeText: 'vpc-1' })).toBe(true);
    expect(accepts(interrupt, { label: 'Main' })).toBe(false);
  });

  it('a resource selection without a selector is asked as a plain question', () => {
    const interrupt = toInterrupt(waiting({ kind: 'cloud_resource_selection', inputId: 'r' }), texts);

    expect(accepts(interrupt, { value: 'vpc-1' })).toBe(false);
    expect(accepts(interrupt, { freeText: 'vpc-1' })).toBe(true);
  });
});

describe('merging what the kernel asks', () => {
  it('adds what is new behind what was known, with its own expiry', () => {
    const merged = mergeInputs([permission()], [foreground(questionInput)], { expiresAt: newer });

    expect(ids(merged)).toEqual(['permission-1', 'ask-1']);
    expect(merged.map(({ expiresAt }) => expiresAt)).toEqual([later, newer]);
  });

  it('leaves a known question as it was announced', () => {
    const changed = { ...permissionInput, inputId: 'permission-1', prompt: 'Delete everything?' };

    expect(mergeInputs([permission()], [foreground(changed)], { expiresAt: newer })).toEqual([permission()]);
  });

  it('upgrades a known question to sideband and never back', () => {
    const upgraded = mergeInputs([permission()], [sideband(permissionInput)], { expiresAt: newer });
    const again = mergeInputs(upgraded, [foreground(permissionInput)], { expiresAt: newer });

    expect(again).toEqual([permission('permission-1', { sideband: true })]);
  });

  it('never lets a question wait again that was answered', () => {
    const options = { expiresAt: newer, answered: new Set(['permission-1']) };

    expect(mergeInputs([], [foreground(permissionInput)], options)).toEqual([]);
  });

  it('stores only what may be stored', () => {
    const [stored] = mergeInputs(
      [],
      [foreground({ ...permissionInput, llmApiKey: 'k', toolInput: {}, title: null })],
      {
        expiresAt: newer,
      },
    );

    expect(stored?.input).toEqual(permissionInput);
  });

  it.each([
    ['its call', { kind: 'permission', toolUseId: 'tu-1', requestTaskId: 't' }, 'input-tu-1'],
    ['its task', { inputId: ' ', requestTaskId: 't' }, 'input-t'],
    ['nothing', {}, 'input'],
  ])('names a question without an id after %s, the same every time', (_name, input, id) => {
    const once = mergeInputs([], [foreground(input)], { expiresAt: newer });

    expect(ids(once)).toEqual([id]);
    expect(mergeInputs(once, [foreground(input)], { expiresAt: newer })).toEqual(once);
  });

  it.each([
    ['its own task and context', { requestTaskId: 'task-31', contextId: 'ctx-7' }, true],
    ['none', {}, true],
    ['another task', { requestTaskId: 'task-32' }, false],
    ['another context', { contextId: 'ctx-8' }, false],
  ])('tells an input of %s', (_name, input, expected) => {
    expect(belongsTo(input, 'task-31', 'ctx-7')).toBe(expected);
  });
});

describe("taking over the kernel's view before answers are applied", () => {
  const options = { expiresAt: newer };
  const view = { inputs: [] as KernelInput[], isExplicit: true, isTerminal: false };
  const known = [permission(), question()];

  it.each([
    ['an explicit view replaces when the request answers none of the known', view, ['other'], []],
    [
      'an explicit view can be stale when the request answers a known one',
      view,
      ['ask-1'],
      ['permission-1', 'ask-1'],
    ],
    [
      'a view that says nothing of questions erases none',
      { ...view, isExplicit: false },
      [],
      ['permission-1', 'ask-1'],
    ],
    [
      'a task that is over asks nothing',
      { ...view, isTerminal: true, inputs: [foreground(questionInput)] },
      ['ask-1'],
      [],
    ],
    ['what the view still shows stays', { ...view, inputs: [foreground(questionInput)] }, [], ['ask-1']],
    [
      'what appeared is added',
      { ...view, inputs: [foreground({ inputId: 'new' })] },
      ['ask-1'],
      ['permission-1', 'ask-1', 'new'],
    ],
  ])('%s', (_rationale, kernel, answering, expected) => {
    expect(ids(reconcile(known, kernel, new Set(answering), options))).toEqual(expected);
  });

  it('keeps the expiry of what stays', () => {
    const [kept] = reconcile(known, { ...view, inputs: [foreground(questionInput)] }, new Set(), options);

    expect(kept).toEqual(question());
  });

  it('never erases what is being answered while the task lives, whatever the view', () => {
    const id: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd');
    const inputs = fc.array(fc.record({ input: fc.record({ inputId: id }), sideband: fc.boolean() }));

    fc.assert(
      fc.property(
        inputs,
        inputs,
        fc.boolean(),
        fc.uniqueArray(id),
        (before, shown, isExplicit, answering) => {
          const pending = mergeInputs([], before, options);
          const kernel = { inputs: shown, isExplicit, isTerminal: false };
          const after = new Set(ids(reconcile(pending, kernel, new Set(answering), options)));
          return ids(pending).every((each) => !answering.includes(each) || after.has(each));
        },
      ),
    );
  });
});
