/**
 * AG-UI 1.0 `RunAgentInput`: unknown JSON in, a typed input without unknown members out, or what is wrong and where.
 * The official schemas decide what is malformed; this file only brings older spellings into the 1.0 form first
 * (null for an absent member, `binary` parts) and takes unknown members out afterwards.
 */
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { maxIdLength, type RunId, runId, type ThreadId, threadId } from './ids.ts';
import type { ResumeEntry } from './interrupt.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from './json.ts';

export interface InputMessage extends JsonObject {
  readonly id: string;
  readonly role: 'developer' | 'system' | 'user' | 'assistant' | 'tool' | 'reasoning' | 'activity';
}

export interface Tool extends JsonObject {
  readonly name: string;
  readonly description: string;
  readonly parameters?: JsonObject;
}

export interface ContextEntry {
  readonly description: string;
  readonly value: string;
}

export interface RunAgentInput {
  readonly threadId: ThreadId;
  readonly runId: RunId;
  readonly parentRunId?: string;
  /** Absent from clients that speak AG-UI before 1.0. */
  readonly protocolVersion?: string;
  readonly state: JsonValue;
  readonly messages: readonly InputMessage[];
  readonly tools: readonly Tool[];
  readonly context: readonly ContextEntry[];
  readonly forwardedProps: JsonValue;
  /** Present, even when empty, makes the run a resume. */
  readonly resume?: readonly ResumeEntry[];
}

export interface InputProblem {
  /** Path of the offending member, such as `messages[0].content`. */
  readonly where: string;
  readonly problem: string;
}

export type ParsedInput =
  | { readonly ok: true; readonly input: RunAgentInput; readonly dropped: readonly string[] }
  | { readonly ok: false; readonly problem: InputProblem };

const inputMembers = new Set([
  'threadId',
  'runId',
  'parentRunId',
  'protocolVersion',
  'state',
  'messages',
  'tools',
  'context',
  'forwardedProps',
  'resume',
]);
const partTypes = new Set(['text', 'image', 'audio', 'video', 'document']);

/** Reads a request body that is already known to be a JSON object. `dropped` names members left out, for the log. */
export function parseRunInput(body: JsonObject): ParsedInput {
  const dropped: string[] = [];
  const known = knownMembers(body, dropped);
  const parsed = RunAgentInputSchema.safeParse(known);
  if (!parsed.success) return { ok: false, problem: describe(parsed.error.issues) };
  for (const member of ['threadId', 'runId'] as const) {
    const problem = idProblem(parsed.data[member], member);
    if (problem !== undefined) return { ok: false, problem };
  }
  return { ok: true, input: toInput(parsed.data.threadId, parsed.data.runId, known), dropped };
}

function toInput(thread: string, run: string, known: JsonObject): RunAgentInput {
  return {
    // The official schema has accepted `known`, and no member of it is unknown or null.
    ...(known as unknown as RunAgentInput),
    threadId: threadId(thread),
    runId: runId(run),
    state: known.state ?? {},
    tools: (known.tools ?? []) as readonly Tool[],
    // Checked by the schema, as above.
    context: (known.context ?? []) as unknown as readonly ContextEntry[],
    forwardedProps: known.forwardedProps ?? {},
  };
}

function idProblem(id: string, where: string): InputProblem | undefined {
  if (id.length === 0) return { where, problem: 'must not be empty' };
  if (id.length > maxIdLength) return { where, problem: `is longer than ${maxIdLength} characters` };
  // A lone surrogate has no UTF-8 form: it could be neither stored nor echoed as sent.
  return id.isWellFormed() ? undefined : { where, problem: 'is not well-formed Unicode' };
}

function knownMembers(body: JsonObject, dropped: string[]): JsonObject {
  const known: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(body)) {
    if (!inputMembers.has(key)) dropped.push(key);
    else if (value !== null && value !== undefined) known[key] = value;
  }
  if (Array.isArray(known.messages)) known.messages = known.messages.map((each) => toMessage(each, dropped));
  return known;
}

function toMessage(message: JsonValue, dropped: string[]): JsonValue {
  if (!isJsonObject(message) || !Array.isArray(message.content)) return message;
  const content: JsonValue[] = [];
  for (const part of message.content as readonly JsonValue[]) {
    const current = isJsonObject(part) && part.type === 'binary' ? binaryAsMedia(part) : part;
    const type = isJsonObject(current) ? stringAt(current, 'type') : undefined;
    // A kind of part that this version does not know can't be used, and must not fail the run (AG-UI 1.0).
    if (type !== undefined && !partTypes.has(type)) dropped.push(`messages[].content[${type}]`);
    else content.push(current);
  }
  return { ...message, content };
}

/** The retired `binary` part in its 1.0 form. One that holds only a provider's id can't be expressed and stays as it is. */
function binaryAsMedia(part: JsonObject): JsonObject {
  const mimeType = stringAt(part, 'mimeType') ?? '';
  const data = stringAt(part, 'data');
  const url = stringAt(part, 'url');
  if (data === undefined && url === undefined) return part;
  const family = mimeType.split('/', 1)[0] ?? '';
  const type = ['image', 'audio', 'video'].includes(family) ? family : 'document';
  const source =
    data === undefined ? { type: 'url', value: url, mimeType } : { type: 'data', value: data, mimeType };
  const filename = stringAt(part, 'filename');
  return { type, source, ...(filename === undefined ? {} : { metadata: { filename } }) };
}

interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly errors?: readonly (readonly SchemaIssue[])[];
}

function describe(issues: readonly SchemaIssue[]): InputProblem {
  const first = issues[0];
  if (first === undefined) return { where: 'body', problem: 'is not a RunAgentInput' };
  return { where: toPath(first.path), problem: lowerFirst(first.message) };
}

function toPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : `${text && '.'}${String(step)}`;
  return text === '' ? 'body' : text.slice(0, 200);
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1, 200);
}
