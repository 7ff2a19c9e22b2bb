/**
 * The questions of an execution that wait for an answer: how new ones join, how the kernel's own view of them is
 * taken over, and what each looks like to an AG-UI client.
 *
 * What belongs to which task is checked before (`belongsTo`); when a question runs out of time is `expiry.ts`. Texts
 * for questions that bring none are given in, because their language is chosen elsewhere.
 */
import type { Interrupt } from '../../protocol/interrupt.ts';
import { type JsonObject, type JsonValue, stringAt } from '../../protocol/json.ts';
import type { PendingInterrupt } from '../thread/thread.ts';
import { type Option, readOptions, readQuestion, responseSchemaOf } from './question.ts';

/** A question as the kernel projects it (`metadata.iac_code.input` or one of `pendingPermissions`). */
export interface KernelInput {
  readonly input: JsonObject;
  readonly sideband: boolean;
}

export interface FallbackTexts {
  /** Asked where a question has no words of its own, such as "Input required". */
  readonly inputRequired: string;
  readonly permissionRequired: string;
}

export interface MergeOptions {
  /** ISO 8601, UTC; for the questions that are new. Those already known keep theirs. */
  readonly expiresAt: string;
  /** Ids that this execution has had answered: the kernel may still show them, and they never wait again. */
  readonly answered?: ReadonlySet<string>;
}

/** What the kernel says is waiting, when it is asked before answers are applied. */
export interface KernelView {
  readonly inputs: readonly KernelInput[];
  /** The snapshot says something about questions, be it that there are none. False after a kernel restart. */
  readonly isExplicit: boolean;
  /** The task is over: nothing can wait any more. */
  readonly isTerminal: boolean;
}

/** Members of a projection that are stored and shown (iac-code AG-UI adapter); everything else is dropped. */
const keptMembers = [
  'schemaVersion',
  'kind',
  'requestTaskId',
  'contextId',
  'inputId',
  'toolUseId',
  'toolName',
  'title',
  'purpose',
  'effect',
  'target',
  'isReadOnly',
  'prompt',
  'safeSummary',
  'options',
  'language',
  'deploymentSummary',
  'scope',
  'subPipelineId',
  'operation',
  'displayParameters',
  'allowFreeText',
  'freeTextPrompt',
  'required',
  'selector',
  'responseSchema',
  'editableArguments',
] as const;

export function interruptIdOf(pending: PendingInterrupt): string {
  return stringAt(pending.input, 'inputId') ?? '';
}

/** False when the input names another task or context than the ones that it was received for. */
export function belongsTo(input: JsonObject, taskId: string | null, contextId: string): boolean {
  const ofTask = stringAt(input, 'requestTaskId');
  const ofContext = stringAt(input, 'contextId');
  return (!ofTask || taskId === null || ofTask === taskId) && (!ofContext || ofContext === contextId);
}

/**
 * Adds what is new, in its order, and never takes anything away. A known question keeps its place, its words and its
 * expiry; only its way of being answered can change, to sideband.
 */
export function mergeInputs(
  pending: readonly PendingInterrupt[],
  inputs: readonly KernelInput[],
  options: MergeOptions,
): readonly PendingInterrupt[] {
  const byId = new Map(pending.map((each) => [interruptIdOf(each), each]));
  for (const { input, sideband } of inputs) {
    const stored = storableInput(input);
    const id = stringAt(stored, 'inputId') ?? '';
    if (options.answered?.has(id)) continue;
    const known = byId.get(id);
    if (known === undefined) byId.set(id, { input: stored, expiresAt: options.expiresAt, sideband });
    else if (sideband && !known.sideband) byId.set(id, { ...known, sideband });
  }
  return [...byId.values()];
}

/**
 * Takes over the kernel's view before answers are applied. A task that is over asks nothing. Else the view replaces
 * what was known only when the snapshot speaks of questions and the request answers none of those known; otherwise it
 * only adds, so that a late snapshot never erases the very question that is being answered.
 */
export function reconcile(
  pending: readonly PendingInterrupt[],
  view: KernelView,
  answering: ReadonlySet<string>,
  options: MergeOptions,
): readonly PendingInterrupt[] {
  if (view.isTerminal) return [];
  const merged = mergeInputs(pending, view.inputs, options);
  const answersKnown = pending.some((each) => answering.has(interruptIdOf(each)));
  if (!view.isExplicit || answersKnown) return merged;
  const shown = new Set(mergeInputs([], view.inputs, options).map(interruptIdOf));
  return merged.filter((each) => shown.has(interruptIdOf(each)));
}

/** The AG-UI interrupt of a waiting question, the same every time it is announced. */
export function toInterrupt(pending: PendingInterrupt, texts: FallbackTexts): Interrupt {
  const { input, expiresAt } = pending;
  const question = readQuestion(input);
  const options = readOptions(input);
  const toolCallId = stringAt(input, 'toolUseId');
  return {
    id: interruptIdOf(pending),
    // AG-UI: `tool_call` promises a toolCallId; an approval without one is a `confirmation`.
    reason: question.kind !== 'permission' ? 'input_required' : toolCallId ? 'tool_call' : 'confirmation',
    message: messageOf(input, question.kind === 'permission', options, texts),
    ...(toolCallId ? { toolCallId } : {}),
    responseSchema: responseSchemaOf(question, input),
    expiresAt,
    metadata: { ...input, standardOptions: options.map(({ id, title }) => ({ id, title })) },
  };
}

function messageOf(
  input: JsonObject,
  isPermission: boolean,
  options: readonly Option[],
  texts: FallbackTexts,
): string {
  const prompt = filled(input, 'prompt');
  if (isPermission) return prompt ?? filled(input, 'title') ?? texts.permissionRequired;
  return [prompt ?? texts.inputRequired, ...options.map(({ id, title }) => `- ${id}: ${title}`)].join('\n');
}

function filled(input: JsonObject, key: string): string | undefined {
  const text = stringAt(input, key);
  return text?.trim() ? text : undefined;
}

/** A question without an id of its own gets one from what it belongs to, so that it is the same each time it is seen. */
function storableInput(input: JsonObject): JsonObject {
  const kept: Record<string, JsonValue> = {};
  for (const key of keptMembers) {
    const member = Object.hasOwn(input, key) ? input[key] : undefined;
    if (member !== undefined && member !== null) kept[key] = member;
  }
  const owner = filled(input, 'toolUseId') ?? filled(input, 'requestTaskId');
  kept['inputId'] = filled(input, 'inputId') ?? (owner === undefined ? 'input' : `input-${owner}`);
  return kept;
}
