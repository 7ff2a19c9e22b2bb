import { describe, expect, it } from 'vitest';
import { askInterrupts, type Prompter } from '../../../src/cli/answer-prompt.ts';
import type { Interrupt } from '../../../src/protocol/interrupt.ts';
import type { JsonValue } from '../../../src/protocol/json.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const exit = Object.assign(new Error('left'), { name: 'ExitPromptError' });

/** Gives the answers in turn, and keeps what was asked. */
function scripted(...answers: readonly (JsonValue | Error)[]) {
  const asked: unknown[] = [];
  const refused: string[] = [];
  const next = async (question: unknown): Promise<JsonValue> => {
    asked.push(question);
    const answer = answers[asked.length - 1];
    if (answer instanceof Error) throw answer;
    if (answer === undefined) throw new Error('the test has no answer for this');
    return answer;
  };
  const prompter: Prompter = {
    choose: async (message, choices) => next({ message, choices: choices.map(({ label }) => label) }),
    chooseMany: async (message, choices) =>
      (await next({ message, many: choices.map(({ label }) => label) })) as readonly JsonValue[],
    confirm: async (message) => (await next({ message, confirm: true })) as boolean,
    text: async (message, check) => {
      const text = String(await next({ message }));
      const verdict = check(text);
      if (verdict !== true) refused.push(verdict);
      return text;
    },
  };
  return { asked, refused, prompter };
}

const permission: Interrupt = {
  id: 'i1',
  reason: 'tool_call',
  message: 'Run ls?',
  responseSchema: {
    type: 'object',
    properties: { decision: { type: 'string', enum: ['allow_once', 'deny'] } },
    required: ['decision'],
  },
  metadata: { options: [{ id: 'allow_once', label: 'Allow once' }] },
};

describe('questions', () => {
  it('offer what their schema lists, by the names that the agent gives', async () => {
    const { asked, prompter } = scripted('deny');

    expect(await askInterrupts([permission], prompter, now)).toEqual([
      { interruptId: 'i1', status: 'resolved', payload: { decision: 'deny' } },
    ]);
    expect(asked).toEqual([{ message: 'Run ls?', choices: ['Allow once', 'deny'] }]);
  });

  it.each([
    ['leave out arguments of a call that may be changed', ['decision'], {}],
    ['ask for them where they must be given', ['decision', 'editedArgs'], { editedArgs: 'x' }],
  ])('%s', async (_what, required, more) => {
    const edits = { decision: { type: 'string', enum: ['allow_once'] }, editedArgs: { type: 'string' } };
    const schema = { type: 'object', properties: edits, required };
    const { prompter } = scripted('allow_once', 'x');

    expect(await askInterrupts([{ ...permission, responseSchema: schema }], prompter, now)).toEqual([
      { interruptId: 'i1', status: 'resolved', payload: { decision: 'allow_once', ...more } },
    ]);
  });

  it('ask for each member in its kind, and leave out what may be and is empty', async () => {
    const interrupt: Interrupt = {
      id: 'i',
      reason: 'input_required',
      message: 'Details',
      responseSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', title: 'Name' },
          size: { type: 'integer', minimum: 1 },
          public: { type: 'boolean' },
          zones: { type: 'array', items: { enum: ['a', 'b'] } },
          mode: { oneOf: [{ const: 'x', title: 'Mode X' }, { const: 'y' }] },
          extra: { type: 'object' },
          note: { type: 'string' },
        },
        required: ['name', 'size'],
      },
    };
    const { asked, prompter } = scripted('n', '3', true, ['a'], null, '{"k":1}', '');

    const [entry] = await askInterrupts([interrupt], prompter, now);

    expect(entry?.payload).toEqual({ name: 'n', size: 3, public: true, zones: ['a'], extra: { k: 1 } });
    expect(asked).toEqual([
      { message: 'Details · Name' },
      { message: 'size' },
      { message: 'public', confirm: true },
      { message: 'zones', many: ['a', 'b'] },
      { message: 'mode', choices: ['Mode X', 'y', '(none)'] },
      { message: 'extra (JSON)' },
      { message: 'note' },
    ]);
  });

  it.each([
    ['', 'an answer is needed'],
    ['x', 'not a number'],
    ['1.5', 'not a whole number'],
    ['0', 'from 1 to 3'],
  ])('refuse %j for a whole number from 1 to 3', async (text, verdict) => {
    const responseSchema = {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 1, maximum: 3 } },
      required: ['n'],
    };
    const { refused, prompter } = scripted(text);

    await askInterrupts([{ id: 'i', reason: 'r', responseSchema }], prompter, now);

    expect(refused).toEqual([verdict]);
  });

  it('without a schema are answered by yes or no, or in words', async () => {
    const { prompter } = scripted(true, 'words');
    const interrupts = [
      { id: 'a', reason: 'confirmation' },
      { id: 'b', reason: 'other' },
    ];

    const entries = await askInterrupts(interrupts, prompter, now);

    expect(entries.map(({ payload }) => payload)).toEqual([true, 'words']);
  });

  it('that a person walks away from are cancelled, and those behind them too', async () => {
    const { asked, prompter } = scripted('deny', exit);

    const entries = await askInterrupts(
      [permission, { ...permission, id: 'i2' }, { ...permission, id: 'i3' }],
      prompter,
      now,
    );

    expect(entries).toMatchObject([
      { interruptId: 'i1', status: 'resolved' },
      { interruptId: 'i2', status: 'cancelled' },
      { interruptId: 'i3', status: 'cancelled' },
    ]);
    expect(asked).toHaveLength(2);
  });

  it('that have expired are cancelled unasked', async () => {
    const { asked, prompter } = scripted();

    const entries = await askInterrupts(
      [{ ...permission, expiresAt: '2025-12-31T23:59:59Z' }],
      prompter,
      now,
    );

    expect(entries).toEqual([{ interruptId: 'i1', status: 'cancelled' }]);
    expect(asked).toEqual([]);
  });
});
