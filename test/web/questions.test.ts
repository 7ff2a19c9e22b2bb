/** Interrupts as forms, and the way back to the payload. */
import type { RJSFSchema } from '@rjsf/utils';
import { describe, expect, it } from 'vitest';
import { readQuestion, responseSchemaOf } from '../../src/domain/interrupts/question.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { createFormValidator, withoutPatterns } from '../../web/src/model/form-validator.ts';
import { messageOf, questionForm } from '../../web/src/model/question-form.ts';
import { cpuMs } from '../support/cpu-time.ts';

function asked(input: JsonObject) {
  const question = readQuestion(input);
  const responseSchema = responseSchemaOf(question, input);
  return { id: 'i', reason: 'input_required', responseSchema, metadata: input };
}

describe('a question on the chat page', () => {
  it.each([{}, { editableArguments: { type: 'object', properties: { path: { type: 'string' } } } }])(
    'of permission becomes two buttons with the agent’s words: %j',
    (more) => {
      const options = [
        { id: 'allow_once', label: 'Allow once' },
        { id: 'deny', label: 'Deny' },
      ];

      expect(questionForm(asked({ kind: 'permission', options, ...more }))).toMatchObject({
        kind: 'choice',
        member: 'decision',
        choices: [
          { value: 'allow_once', title: 'Allow once' },
          { value: 'deny', title: 'Deny' },
        ],
        words: undefined,
      });
    },
  );

  it('with options and free text becomes choices and a field', () => {
    const options = [{ id: 'hz', label: 'Hangzhou', summary: 'Near', totalMonthlyCost: '$5' }];
    const form = questionForm(
      asked({ kind: 'ask_user_question', options, allowFreeText: true, freeTextPrompt: 'Another' }),
    );

    expect(form).toMatchObject({
      kind: 'choice',
      member: 'selectedId',
      choices: [{ value: 'hz', title: 'Hangzhou', summary: 'Near', cost: '$5' }],
      words: { member: 'freeText', prompt: 'Another' },
    });
  });

  it('of a deployment becomes one choice per option', () => {
    const options = [
      { id: 'go', label: 'Deploy', action: 'confirm' },
      { id: 'no', label: 'Stop', action: 'cancel' },
    ];

    expect(questionForm(asked({ kind: 'deployment_confirmation', options }))).toMatchObject({
      kind: 'choice',
      member: 'selectedId',
      choices: [{ title: 'Deploy' }, { title: 'Stop' }],
    });
  });

  it('with many options in one list becomes the same choice', () => {
    const options = Array.from({ length: 60 }, (_each, index) => ({
      id: `o${index}`,
      label: `Option ${index}`,
    }));
    const form = questionForm(asked({ kind: 'ask_user_question', options }));

    expect(form.kind === 'choice' && form.choices[59]).toMatchObject({ value: 'o59', title: 'Option 59' });
  });

  it('with a schema of its own is shown by that schema', () => {
    const schema = { type: 'object', properties: { size: { type: 'integer' }, name: { type: 'string' } } };

    expect(questionForm(asked({ kind: 'other', responseSchema: schema }))).toEqual({
      kind: 'schema',
      schema,
    });
    expect(questionForm({ id: 'i', reason: 'confirmation' })).toEqual({
      kind: 'schema',
      schema: { type: 'boolean' },
    });
  });

  it('does not repeat in its message the options that it shows', () => {
    const interrupt = {
      ...asked({ options: [{ id: 'hz', label: 'Hangzhou' }] }),
      message: 'Where?\n- hz: Hangzhou',
    };

    expect(messageOf(interrupt, questionForm(interrupt))).toBe('Where?');
  });
});

describe('the form’s validator', () => {
  const validator = createFormValidator('needed');
  const schema: RJSFSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

  it('says what is missing, at its field', () => {
    const { errors, errorSchema } = validator.validateFormData({}, schema);

    expect(errors).toMatchObject([{ property: '.name', message: 'needed' }]);
    expect(errorSchema).toEqual({ name: { __errors: ['needed'] } });
    expect(validator.isValid(schema, { name: 'x' }, schema)).toBe(true);
  });

  it('leaves an agent’s regular expressions to the server, however slow they are', () => {
    const slow = { type: 'string', pattern: '^(a+)+$' } as const;
    const before = cpuMs();

    expect(validator.isValid(slow, `${'a'.repeat(40)}!`, slow)).toBe(true);
    expect(cpuMs() - before).toBeLessThan(1_000);
    expect(withoutPatterns({ properties: { pattern: { type: 'string', pattern: 'x' } } })).toEqual({
      properties: { pattern: { type: 'string' } },
    });
  });
});
