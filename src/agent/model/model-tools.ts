/**
 * The tools that a model may call: what it is told of them, and which of them run only when the user allows it. Nothing
 * here runs; a call is carried out on the stage, by the tool box, inside the workspace.
 */
import { type JSONSchema7, jsonSchema, type ToolSet, tool } from 'ai';
import { type JsonObject, type JsonValue, listAt, stringAt } from '../../protocol/json.ts';
import type { Asked, Turn } from '../author.ts';
import { partsOf, WorkspaceRefusal } from '../tools/workspace.ts';
import type { ModelWords } from './words.ts';

interface ModelTool {
  readonly description: string;
  readonly properties: NonNullable<JSONSchema7['properties']>;
  readonly required: readonly string[];
  /** Undefined for a tool that changes nothing and runs at once. */
  readonly prompt?: (words: ModelWords, path: string) => string;
  /** The user may change the arguments before the tool runs. */
  readonly isEditable?: boolean;
}

const path = {
  type: 'string' as const,
  description: 'Path below the workspace, with forward slashes: "network/vpc.yaml"',
};

const checkTerraform = 'check_terraform';

const tools: Readonly<Record<string, ModelTool>> = {
  list_files: { description: 'Lists the files of the workspace.', properties: {}, required: [] },
  read_file: { description: 'Reads a text file of the workspace.', properties: { path }, required: ['path'] },
  validate_template: {
    description:
      'Checks a CloudFormation or Alibaba Cloud ROS template of the workspace against the schemas of its resource types.',
    properties: { path },
    required: ['path'],
  },
  [checkTerraform]: {
    description:
      'Checks the syntax of a Terraform file (.tf, .tfvars) of the workspace. Types, references and providers are not checked.',
    properties: { path },
    required: ['path'],
  },
  write_file: {
    description:
      'Writes a text file of the workspace as a whole; one that is there is replaced. The user is asked first.',
    properties: { path, content: { type: 'string', description: 'The whole text of the file' } },
    required: ['path', 'content'],
    prompt: (words, file) => words.mayWrite(file),
    isEditable: true,
  },
  delete_file: {
    description: 'Deletes a file of the workspace. The user is asked first.',
    properties: { path },
    required: ['path'],
    prompt: (words, file) => words.mayDelete(file),
  },
};

const askUser = 'ask_user';
const updateState = 'update_state';
const maxOptions = 20;
const maxPrompt = 2_000;

/** As the SDK wants them: without `execute`, so that every call comes back to the loop. */
const modelToolSet: ToolSet = {
  ...Object.fromEntries(
    Object.entries(tools).map(([name, { description, properties, required }]) => [
      name,
      tool({ description, inputSchema: jsonSchema(closed(properties, required)) }),
    ]),
  ),
  [askUser]: tool({
    description:
      'Asks the user one question and waits for the answer. Give options where there are a few to choose from.',
    inputSchema: jsonSchema(
      closed(
        {
          question: { type: 'string' },
          options: { type: 'array', items: { type: 'string' }, maxItems: maxOptions },
        },
        ['question'],
      ),
    ),
  }),
};

const stateTool: ToolSet[string] = tool({
  description:
    'Changes the state that the client shares and shows, by RFC 6902 operations on it. Answers the new state.',
  inputSchema: jsonSchema<JsonObject>(
    closed(
      {
        patch: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            properties: {
              op: { type: 'string', enum: ['add', 'remove', 'replace'] },
              path: { type: 'string', description: 'JSON Pointer, such as "/steps/0/done"' },
              value: { description: 'Any JSON; for add and replace' },
            },
            required: ['op', 'path'],
          },
        },
      },
      ['patch'],
    ),
  ),
});

export const modelToolNames: readonly string[] = [...Object.keys(tools), askUser, updateState];

/** The agent's tools and the client's; that of the shared state where the client shares one. */
export function toolSetFor(
  { clientTools, state }: Pick<Turn, 'clientTools' | 'state'>,
  hasTerraform: boolean,
): ToolSet {
  const { [checkTerraform]: terraformTool, ...everywhere } = modelToolSet;
  return {
    ...everywhere,
    ...(hasTerraform && terraformTool !== undefined ? { [checkTerraform]: terraformTool } : {}),
    ...(sharesState(state) ? { [updateState]: stateTool } : {}),
    ...Object.fromEntries(
      clientTools.map(({ name, description, parameters }) => [
        name,
        // A JSON Schema of an object, checked at the door; what else it says is between the client and the model.
        tool({ description, inputSchema: jsonSchema({ type: 'object', ...parameters } as JSONSchema7) }),
      ]),
    ),
  };
}

/** A client without one sends none, or an empty object. */
export function sharesState(state: JsonValue): boolean {
  return state !== null && (typeof state !== 'object' || Object.keys(state).length > 0);
}

export type CallPlan =
  | { readonly kind: 'run' }
  | { readonly kind: 'state'; readonly patch: readonly JsonValue[] }
  | { readonly kind: 'ask'; readonly asked: Asked }
  /** The model is told why, and nobody is asked. */
  | { readonly kind: 'refuse'; readonly problem: string };

/** What becomes of a call. Whatever a model was talked into, only the tools above exist, and only inside the workspace. */
export function planCall(name: string, input: JsonObject, words: ModelWords): CallPlan {
  if (name === askUser) return planQuestion(name, input);
  if (name === updateState) return { kind: 'state', patch: listAt(input, 'patch') };
  const known = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (known === undefined) return { kind: 'refuse', problem: `there is no tool ${name.slice(0, 100)}` };
  for (const member of known.required) {
    if (stringAt(input, member) === undefined) return { kind: 'refuse', problem: `${member} must be given` };
  }
  if (known.prompt === undefined) return { kind: 'run' };
  const file = stringAt(input, 'path') ?? '';
  const problem = refusalOf(file);
  if (problem !== undefined) return { kind: 'refuse', problem };
  const asked = {
    name,
    input: onlyKnown(input, known),
    prompt: known.prompt(words, file),
    effect: 'file_change',
    ...(known.isEditable === true
      ? { editable: closed(known.properties, known.required) as JsonObject }
      : {}),
  };
  return { kind: 'ask', asked: { kind: 'permission', ...asked } };
}

function planQuestion(name: string, input: JsonObject): CallPlan {
  const prompt = stringAt(input, 'question')?.trim().slice(0, maxPrompt) ?? '';
  if (prompt === '') return { kind: 'refuse', problem: 'question must be given' };
  const options = listAt(input, 'options').filter((each) => typeof each === 'string' && each.trim() !== '');
  const distinct = [...new Set(options as readonly string[])].slice(0, maxOptions);
  return { kind: 'ask', asked: { kind: 'question', name, input, prompt, options: distinct } };
}

/** What is asked for is what runs: no member rides along that the question does not show. */
function onlyKnown(input: JsonObject, { properties }: ModelTool): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([member]) => Object.hasOwn(properties, member)));
}

function refusalOf(file: string): string | undefined {
  try {
    partsOf(file);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof WorkspaceRefusal) return thrown.message;
    throw thrown;
  }
}

function closed(properties: ModelTool['properties'], required: readonly string[]) {
  return { type: 'object' as const, properties, required: [...required], additionalProperties: false };
}
