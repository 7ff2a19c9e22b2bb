import Form from '@rjsf/core';
import type { RJSFSchema } from '@rjsf/utils';
import { useMemo, useState } from 'react';
import type { JsonObject, JsonValue } from '../../../src/protocol/json.ts';
import { createFormValidator, withoutPatterns } from '../model/form-validator.ts';
import { useChat } from './chat-context.tsx';

export interface SchemaFormProps {
  readonly id: string;
  readonly schema: JsonObject;
  readonly isDisabled: boolean;
  readonly onAnswer: (payload: JsonValue) => void;
}

/** The form of a JSON Schema that an agent gave. */
export function SchemaForm({ id, schema, isDisabled, onAnswer }: SchemaFormProps) {
  const { t } = useChat();
  const [data, setData] = useState<unknown>();
  const validator = useMemo(() => createFormValidator(t('question.missing')), [t]);
  // Patterns stay with the server; the browser's own check of them is as slow as any.
  const shown = useMemo(() => withoutPatterns(schema) as RJSFSchema, [schema]);
  return (
    <Form
      className="schema-form"
      idPrefix={id}
      schema={shown}
      validator={validator}
      formData={data}
      disabled={isDisabled}
      noHtml5Validate
      showErrorList={false}
      focusOnFirstError
      // Each problem is told at its field.
      onError={() => undefined}
      uiSchema={uiSchema}
      onChange={({ formData }) => setData(formData)}
      // What the form gives is JSON.
      onSubmit={({ formData }) => onAnswer(formData as JsonValue)}
    >
      <button type="submit" className="primary" disabled={isDisabled}>
        {t('question.answer')}
      </button>
    </Form>
  );
}

const uiSchema = { 'ui:options': { label: true } };
