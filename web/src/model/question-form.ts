/**
 * An interrupt → the form that asks it: a JSON Schema that a form renderer shows well, and the way back from its data to
 * the payload. Schemas of the usual questions (one choice of several, or words of one's own) become a single choice;
 * every other schema is shown as it is.
 */
import type { Interrupt } from '../../../src/protocol/interrupt.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  stringAt,
} from '../../../src/protocol/json.ts';
import { costText, readCostItems } from './candidates.ts';
import type { CostItem } from './thread.ts';

export interface Choice {
  readonly value: JsonValue;
  readonly title: string;
  readonly summary?: string;
  readonly cost?: string;
  readonly costItems: readonly CostItem[];
}

export type QuestionForm =
  /** One click or one card: the payload is `{[member]: choice.value}`; or words, as `{[wordsMember]: text}`. */
  | {
      readonly kind: 'choice';
      readonly member: string;
      readonly choices: readonly Choice[];
      readonly words: { readonly member: string; readonly prompt: string } | undefined;
    }
  /** The schema as the agent gave it. */
  | { readonly kind: 'schema'; readonly schema: JsonObject };

export function questionForm(interrupt: Interrupt): QuestionForm {
  const schema = interrupt.responseSchema ?? schemaWithout(interrupt);
  return choiceOf(schema, interrupt.metadata) ?? { kind: 'schema', schema };
}

/** Without a schema a confirmation is yes or no, and everything else free text. */
function schemaWithout({ reason }: Interrupt): JsonObject {
  return reason === 'confirmation' ? { type: 'boolean' } : { type: 'string', minLength: 1 };
}

interface Branch {
  readonly member: string;
  readonly schema: JsonObject;
  readonly title: string | undefined;
}

function choiceOf(schema: JsonObject, metadata: JsonObject | undefined): QuestionForm | undefined {
  const listed = listAt(schema, 'oneOf');
  const branches = (listed.length > 0 ? listed : [schema]).map(readBranch);
  if (branches.some((branch) => branch === undefined)) return undefined;
  const known = branches.filter((branch) => branch !== undefined);
  const fixed = known.filter((branch) => valuesOf(branch.schema).length > 0);
  const [first] = fixed;
  const open = known.filter(
    (branch) => branch.schema['type'] === 'string' && valuesOf(branch.schema).length === 0,
  );
  if (open.length > 1 || known.length !== fixed.length + open.length) return undefined;
  // Beside the options a confirmation takes the bare action too: the options say it better.
  const same = fixed.filter(({ member }) => member === first?.member);
  if (first === undefined) return undefined;
  const choices = same.flatMap((branch) =>
    valuesOf(branch.schema).map((value) => describe(value, branch.title, metadata)),
  );
  const [words] = open;
  return {
    kind: 'choice',
    member: first.member,
    choices,
    words: words && { member: words.member, prompt: stringAt(words.schema, 'description') ?? '' },
  };
}

/** Members that refine a choice and may be left out: the page offers the choice alone. */
const refinements: readonly string[] = ['parameter_overrides', 'editedArgs'];

/** An object whose only required member is named, or undefined. */
function readBranch(value: JsonValue): Branch | undefined {
  if (!isJsonObject(value) || (value['type'] !== undefined && value['type'] !== 'object')) return undefined;
  const required = listAt(value, 'required');
  const properties = objectAt(value, 'properties') ?? {};
  const [member] = required;
  const schema = typeof member === 'string' ? objectAt(properties, member) : undefined;
  if (typeof member !== 'string' || schema === undefined || required.length !== 1) return undefined;
  const others = Object.keys(properties).filter((name) => name !== member && !refinements.includes(name));
  return others.length > 0 ? undefined : { member, schema, title: stringAt(value, 'title') };
}

function valuesOf(schema: JsonObject): readonly JsonValue[] {
  const { const: only } = schema;
  return only === undefined ? listAt(schema, 'enum') : [only];
}

function describe(value: JsonValue, title: string | undefined, metadata: JsonObject | undefined): Choice {
  const id = typeof value === 'string' ? value : JSON.stringify(value);
  const named = optionsIn(metadata, 'standardOptions', id);
  const index = listAt(metadata, 'standardOptions').indexOf(named ?? null);
  const raw = optionsIn(metadata, 'options', id) ?? listAt(metadata, 'options')[index];
  const option = isJsonObject(raw) ? raw : {};
  const summary = stringAt(option, 'summary') ?? stringAt(option, 'description');
  const cost = costText(option['totalMonthlyCost'] ?? option['total_monthly_cost']);
  return {
    value,
    title: title ?? stringAt(named, 'title') ?? stringAt(option, 'label') ?? id,
    ...(summary === undefined ? {} : { summary }),
    ...(cost === undefined ? {} : { cost }),
    costItems: readCostItems(option),
  };
}

function optionsIn(metadata: JsonObject | undefined, member: string, id: string): JsonObject | undefined {
  return listAt(metadata, member)
    .filter(isJsonObject)
    .find((option) => option['id'] === id);
}

/** The facts that a person decides by, beside the message: only texts, in the order of importance. */
export function factsOf({ metadata }: Interrupt): readonly (readonly [name: string, text: string])[] {
  return ['title', 'purpose', 'safeSummary', 'toolName', 'target', 'effect'].flatMap((name) => {
    const text = stringAt(metadata, name);
    return text === undefined || text === '' ? [] : [[name, text] as const];
  });
}

/** The message without the options that our server lists in it for clients that show text only. */
export function messageOf(interrupt: Interrupt, form: QuestionForm): string {
  const message = interrupt.message ?? interrupt.reason;
  if (form.kind !== 'choice') return message;
  const lines = new Set(form.choices.map(({ value, title }) => `- ${String(value)}: ${title}`));
  return message
    .split('\n')
    .filter((line) => !lines.has(line.trim()))
    .join('\n')
    .trim();
}
