/**
 * What kind of question a stored input projection is, the answers it offers and the JSON Schema that an answer must
 * satisfy. Everything is read from the projection alone, so that an interrupt means the same after a restart.
 *
 * A projection of a newer kind that is not well-formed is asked as a plain question, never refused: the user can then
 * still answer in words. What an answer becomes on its way to the kernel is `answer.ts`.
 */
import { assertNever } from '../../errors/assert-never.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  stringAt,
} from '../../protocol/json.ts';

/** One of the answers offered, under the id that the client sends back. */
export interface Option {
  /** Unique within the question: the kernel's own id where it is one, else made from it. */
  readonly id: string;
  readonly title: string;
  /** The id as the kernel spelled it; two options can share it. */
  readonly kernelId: string | undefined;
  /** The words by which the kernel knows the option. */
  readonly kernelLabel: string | undefined;
}

export interface ConfirmationOption extends Option {
  readonly action: string;
}

export type Question =
  /** `editable` is the schema of arguments that may be given in the place of the agent's. */
  | { readonly kind: 'permission'; readonly editable?: JsonObject }
  | {
      readonly kind: 'choice';
      readonly options: readonly Option[];
      readonly freeText: boolean;
      readonly ofCandidates: boolean;
    }
  | { readonly kind: 'confirmation'; readonly options: readonly ConfirmationOption[] }
  | { readonly kind: 'resource'; readonly selectorId: string }
  /** The agent brought its own JSON Schema. */
  | { readonly kind: 'form'; readonly schema: JsonObject };

const confirmationActions: readonly string[] = ['confirm', 'adjust', 'reselect', 'cancel'];
const maxConfirmationIdLength = 200;
const maxConfirmations = 50;
/** Above this many options one `enum` takes the place of a schema branch per option. */
const maxOptionBranches = 50;

export function readQuestion(input: JsonObject): Question {
  const kind = stringAt(input, 'kind');
  if (kind === 'permission') {
    const editable = objectAt(input, 'editableArguments');
    return { kind: 'permission', ...(editable === undefined ? {} : { editable }) };
  }
  const options = readOptions(input);
  if (kind === 'deployment_confirmation') {
    const confirmations = readConfirmations(input, options);
    if (confirmations !== undefined) return { kind: 'confirmation', options: confirmations };
  }
  if (kind === 'cloud_resource_selection') {
    const selectorId = stringAt(objectAt(input, 'selector'), 'id');
    if (selectorId) return { kind: 'resource', selectorId };
  }
  const schema = objectAt(input, 'responseSchema');
  if (schema !== undefined && options.length === 0) return { kind: 'form', schema };
  const freeText = options.length === 0 || isTruthy(input['allowFreeText']);
  return { kind: 'choice', options, freeText, ofCandidates: kind === 'candidate_selection' };
}

/** JSON Schema (2020-12) of the payload that answers the question. */
export function responseSchemaOf(question: Question, input: JsonObject): JsonObject {
  switch (question.kind) {
    case 'permission':
      return closedObject(
        {
          decision: { type: 'string', enum: ['allow_once', 'deny'] },
          ...(question.editable === undefined ? {} : { editedArgs: question.editable }),
        },
        ['decision'],
      );
    case 'choice':
      return choiceSchema(question.options, question.freeText, stringAt(input, 'freeTextPrompt'));
    case 'confirmation':
      return confirmationSchema(question.options);
    case 'resource':
      return {
        oneOf: [
          closedObject({ value: filledText(), label: { type: 'string' } }, ['value']),
          closedObject({ freeText: filledText() }, ['freeText']),
        ],
      };
    case 'form':
      return question.schema;
    default:
      return assertNever(question);
  }
}

/**
 * The options of a projection in their order. Ids that are empty become `option-<n>` (counted from 1); an id that was
 * taken by an earlier option gets `-2`, `-3`, ….
 */
export function readOptions(input: JsonObject): readonly Option[] {
  const taken: TakenIds = { ids: new Set(), next: new Map() };
  return listAt(input, 'options').map((raw, index) => {
    const kernelId = scalarText(isJsonObject(raw) ? raw['id'] : raw);
    const candidate = isJsonObject(raw) ? scalarText(raw['candidate_index']) : undefined;
    const wanted = kernelId ?? candidate ?? String(index);
    const id = unusedId(wanted.trim() === '' ? `option-${index + 1}` : wanted, taken);
    const kernelLabel = isJsonObject(raw) ? firstText(raw, ['label', 'name']) : kernelId;
    const title = kernelLabel ?? (isJsonObject(raw) ? firstText(raw, ['title']) : undefined) ?? id;
    return { id, title, kernelId, kernelLabel };
  });
}

function readConfirmations(
  input: JsonObject,
  options: readonly Option[],
): readonly ConfirmationOption[] | undefined {
  const raw = listAt(input, 'options');
  const confirmations: ConfirmationOption[] = [];
  for (const [index, option] of options.entries()) {
    const member = raw[index];
    const id = isJsonObject(member) ? stringAt(member, 'id') : undefined;
    const action = isJsonObject(member) ? stringAt(member, 'action') : undefined;
    const isWellFormed =
      id !== undefined && id === option.id && id.trim() !== '' && id.length <= maxConfirmationIdLength;
    if (!isWellFormed || action === undefined || !confirmationActions.includes(action)) return undefined;
    confirmations.push({ ...option, action });
  }
  return confirmations.length === 0 || confirmations.length > maxConfirmations ? undefined : confirmations;
}

function choiceSchema(options: readonly Option[], freeText: boolean, prompt: string | undefined): JsonObject {
  const branches: JsonObject[] =
    options.length > maxOptionBranches
      ? [closedObject({ selectedId: { enum: options.map(({ id }) => id) } }, ['selectedId'])]
      : options.map(({ id, title }) => ({
          title,
          ...closedObject({ selectedId: { const: id } }, ['selectedId']),
        }));
  if (freeText) branches.push(closedObject({ freeText: filledText(prompt) }, ['freeText']));
  return { oneOf: branches };
}

function confirmationSchema(options: readonly ConfirmationOption[]): JsonObject {
  const overrides = { parameter_overrides: { type: 'object' } };
  const actions = [...new Set(options.map(({ action }) => action))].sort();
  return {
    oneOf: [
      ...options.map(({ id, title }) => ({
        title,
        ...closedObject({ selectedId: { const: id }, ...overrides }, ['selectedId']),
      })),
      closedObject({ action: { type: 'string', enum: actions }, ...overrides }, ['action']),
    ],
  };
}

function closedObject(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

function filledText(description?: string): JsonObject {
  return { type: 'string', minLength: 1, ...(description ? { description } : {}) };
}

interface TakenIds {
  readonly ids: Set<string>;
  /** Where to go on counting for an id, so that many equal ids don't cost a search each. */
  readonly next: Map<string, number>;
}

function unusedId(wanted: string, taken: TakenIds): string {
  let id = wanted;
  let count = taken.next.get(wanted) ?? 2;
  for (; taken.ids.has(id); count += 1) id = `${wanted}-${count}`;
  taken.next.set(wanted, count);
  taken.ids.add(id);
  return id;
}

function firstText(value: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = scalarText(value[key]);
    if (text !== undefined && text.trim() !== '') return text;
  }
  return undefined;
}

function scalarText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function isTruthy(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
}
