/**
 * An interrupt → what is asked of a person, field by field, from its schema. Pure. What a schema can say beyond these
 * fields is asked for as JSON, and judged by the server.
 */
import type { Interrupt } from '../protocol/interrupt.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  stringAt,
} from '../protocol/json.ts';
import { printable } from './terminal.ts';

export interface Choice {
  readonly label: string;
  readonly value: JsonValue;
}

export type FieldKind =
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  | { readonly kind: 'choices'; readonly choices: readonly Choice[] }
  | { readonly kind: 'yes-no' }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number; readonly isWhole: boolean }
  | { readonly kind: 'text' }
  | { readonly kind: 'json' };

export interface Field {
  /** Member of the answer; undefined when the answer is this value itself. */
  readonly name: string | undefined;
  readonly title: string;
  readonly isRequired: boolean;
  readonly ask: FieldKind;
}

export interface QuestionPlan {
  readonly interruptId: string;
  readonly message: string;
  readonly fields: readonly Field[];
}

export function planQuestion(interrupt: Interrupt): QuestionPlan {
  const labels = labelsIn(interrupt.metadata);
  const schema = isJsonObject(interrupt.responseSchema) ? interrupt.responseSchema : undefined;
  const properties = objectAt(schema, 'properties');
  const required = new Set(listAt(schema, 'required'));
  const fields =
    properties === undefined || Object.keys(properties).length === 0
      ? [fieldOf(undefined, schema ?? schemaFor(interrupt), labels, true)]
      : Object.entries(properties)
          // What a person makes of a call's arguments is more than a line in a terminal, and may be left out.
          .filter(([name]) => name !== 'editedArgs' || required.has(name))
          .map(([name, property]) =>
            fieldOf(name, isJsonObject(property) ? property : {}, labels, required.has(name)),
          );
  const message = typeof interrupt.message === 'string' ? interrupt.message : interrupt.reason;
  return { interruptId: interrupt.id, message: printable(message), fields };
}

/** Without a schema, a confirmation is yes or no, and everything else free text. */
function schemaFor({ reason }: Interrupt): JsonObject {
  return { type: reason === 'confirmation' ? 'boolean' : 'string' };
}

function fieldOf(name: string | undefined, schema: JsonObject, labels: Labels, isRequired: boolean): Field {
  const title = stringAt(schema, 'title') ?? stringAt(schema, 'description') ?? name ?? '';
  return { name, title: printable(title), isRequired, ask: kindOf(schema, labels) };
}

function kindOf(schema: JsonObject, labels: Labels): FieldKind {
  const choices = choicesIn(schema, labels);
  if (choices.length > 0) return { kind: 'choice', choices };
  switch (schema['type']) {
    case 'boolean':
      return { kind: 'yes-no' };
    case 'string':
      return { kind: 'text' };
    case 'integer':
    case 'number': {
      const { minimum, maximum } = schema;
      return {
        kind: 'number',
        isWhole: schema['type'] === 'integer',
        ...(typeof minimum === 'number' ? { min: minimum } : {}),
        ...(typeof maximum === 'number' ? { max: maximum } : {}),
      };
    }
    case 'array': {
      const items = choicesIn(objectAt(schema, 'items') ?? {}, labels);
      return items.length > 0 ? { kind: 'choices', choices: items } : { kind: 'json' };
    }
    default:
      return { kind: 'json' };
  }
}

function choicesIn(schema: JsonObject, labels: Labels): readonly Choice[] {
  const values = listAt(schema, 'enum');
  if (values.length > 0) return values.map((value) => choiceOf(value, labels));
  if ('const' in schema && schema['const'] !== undefined) return [choiceOf(schema['const'], labels)];
  const branches = [...listAt(schema, 'oneOf'), ...listAt(schema, 'anyOf')].filter(isJsonObject);
  const named = branches.flatMap((branch) => {
    const value = branch['const'];
    if (value === undefined) return [];
    const title = stringAt(branch, 'title');
    return [title === undefined ? choiceOf(value, labels) : { label: printable(title), value }];
  });
  // A branch that is no constant can't be chosen from a list.
  return named.length === branches.length ? named : [];
}

type Labels = ReadonlyMap<string, string>;

function choiceOf(value: JsonValue, labels: Labels): Choice {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { label: printable(labels.get(text) ?? text), value };
}

/** What the agent calls its options: in the metadata of our server's interrupts. */
function labelsIn(metadata: unknown): Labels {
  const known = isJsonObject(metadata) ? metadata : undefined;
  const options = [...listAt(known, 'standardOptions'), ...listAt(known, 'options')].filter(isJsonObject);
  return new Map(
    options.flatMap((option) => {
      const id = stringAt(option, 'id');
      const label = stringAt(option, 'label') ?? stringAt(option, 'title');
      return id === undefined || label === undefined ? [] : [[id, label] as const];
    }),
  );
}
