/**
 * What an upstream frame says about its task, read member by member: nothing that comes from a kernel is trusted to have
 * the shape that it should.
 */
import { createHash } from 'node:crypto';
import { type TaskState, taskStates } from '../protocol/a2a.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  stringAt,
} from '../protocol/json.ts';

/** A question that must be answered. */
export interface KernelInput {
  readonly inputId: string;
  readonly input: JsonObject;
  /** Asked by one of several parallel sub-tasks: the rest of the task goes on. */
  readonly sideband: boolean;
}

export interface FrameFacts {
  readonly taskId?: string;
  readonly contextId?: string;
  readonly kernelSessionId?: string;
  readonly state?: TaskState;
  readonly inputs: readonly KernelInput[];
  /** The frame speaks of questions, be it that there are none. */
  readonly inputsExplicit: boolean;
}

export type FrameKind = 'task' | 'status' | 'artifact' | 'message' | 'empty';

export interface Frame {
  readonly kind: FrameKind;
  readonly body: JsonObject;
  /** `metadata.iac_code` */
  readonly extension: JsonObject | undefined;
  /** `status.message`, or the message itself. */
  readonly message: JsonObject | undefined;
}

const nothing: JsonObject = {};

export function readFrame(item: JsonObject): Frame {
  const status = objectAt(item, 'statusUpdate');
  if (status !== undefined) return toFrame('status', status, objectAt(objectAt(status, 'status'), 'message'));
  const task = objectAt(item, 'task');
  if (task !== undefined) return toFrame('task', task, objectAt(objectAt(task, 'status'), 'message'));
  const artifact = objectAt(item, 'artifactUpdate');
  if (artifact !== undefined) return toFrame('artifact', artifact, undefined);
  const message = objectAt(item, 'message');
  if (message !== undefined) return toFrame('message', message, message);
  return { kind: 'empty', body: nothing, extension: undefined, message: undefined };
}

function toFrame(kind: FrameKind, body: JsonObject, message: JsonObject | undefined): Frame {
  return { kind, body, extension: objectAt(objectAt(body, 'metadata'), 'iac_code'), message };
}

/** The task that an item speaks of; an empty one speaks of none. */
export function taskIdOf(item: JsonObject): string | undefined {
  const { kind, body } = readFrame(item);
  return stringAt(body, kind === 'task' ? 'id' : 'taskId');
}

const states: ReadonlySet<string> = new Set(taskStates);

/** `known` is returned itself when the frame says nothing else. */
export function factsOf(
  frame: Frame,
  profile: 'iac-code' | 'a2a',
  known: FrameFacts | undefined,
): FrameFacts {
  const { kind, body, extension } = frame;
  const taskId = stringAt(body, kind === 'task' ? 'id' : 'taskId');
  const contextId = stringAt(body, 'contextId');
  const kernelSessionId = extension === undefined ? undefined : sessionOf(extension);
  const state = kind === 'message' && taskId === undefined ? 'TASK_STATE_COMPLETED' : stateOf(frame);
  const inputs = inputsOf(frame, profile, taskId, contextId, state);
  const inputsExplicit =
    extension !== undefined && ('input' in extension || 'pendingPermissions' in extension);
  if (
    known !== undefined &&
    inputs.length === 0 &&
    known.taskId === taskId &&
    known.contextId === contextId &&
    known.kernelSessionId === kernelSessionId &&
    known.state === state &&
    known.inputs.length === 0 &&
    known.inputsExplicit === inputsExplicit
  ) {
    return known;
  }
  return {
    ...(taskId === undefined ? {} : { taskId }),
    ...(contextId === undefined ? {} : { contextId }),
    ...(kernelSessionId === undefined ? {} : { kernelSessionId }),
    ...(state === undefined ? {} : { state }),
    inputs,
    inputsExplicit,
  };
}

function stateOf({ body, extension }: Frame): TaskState | undefined {
  const state = stringAt(objectAt(body, 'status'), 'state');
  if (state === undefined) return undefined;
  // iac-code marks the frame of a failed step as failed while its pipeline goes on; the end has events of its own.
  if (state === 'TASK_STATE_FAILED' && stringAt(newestEnvelope(extension), 'eventType') === 'step_failed') {
    return 'TASK_STATE_WORKING';
  }
  // A state that A2A 1.0 does not know says nothing of how the task ends.
  return states.has(state) ? (state as TaskState) : 'TASK_STATE_UNSPECIFIED';
}

function newestEnvelope(extension: JsonObject | undefined): JsonObject | undefined {
  const last = listAt(objectAt(extension, 'pipelineBatch'), 'events').at(-1);
  return objectAt(extension, 'pipeline') ?? (isJsonObject(last) ? last : undefined);
}

function sessionOf(extension: JsonObject): string | undefined {
  const own =
    stringAt(extension, 'iacCodeSessionId') ?? stringAt(objectAt(extension, 'pipeline'), 'iacCodeSessionId');
  if (own !== undefined) return own;
  const batch = objectAt(extension, 'pipelineBatch');
  if (batch === undefined) return undefined;
  for (const event of listAt(batch, 'events')) {
    const session = isJsonObject(event) ? stringAt(event, 'iacCodeSessionId') : undefined;
    if (session !== undefined) return session;
  }
  return undefined;
}

const noInputs: readonly KernelInput[] = [];

function inputsOf(
  { extension, message, body }: Frame,
  profile: 'iac-code' | 'a2a',
  taskId: string | undefined,
  contextId: string | undefined,
  state: TaskState | undefined,
): readonly KernelInput[] {
  const projected = extension === undefined ? noInputs : projectedInputs(extension);
  if (projected.length > 0 || profile === 'iac-code' || state !== 'TASK_STATE_INPUT_REQUIRED')
    return projected;
  return [genericInput(message, body, taskId, contextId)];
}

function projectedInputs(extension: JsonObject): readonly KernelInput[] {
  const single = objectAt(extension, 'input') ?? askedByPipeline(objectAt(extension, 'pipeline'));
  const parallel = listAt(extension, 'pendingPermissions');
  if (single === undefined && parallel.length === 0) return noInputs;
  const byId = new Map<string, KernelInput>();
  const add = (input: JsonValue | undefined, isParallel: boolean): void => {
    if (!isJsonObject(input) || input.required !== true) return;
    const inputId = stringAt(input, 'inputId') ?? `input-${digest(JSON.stringify(input))}`;
    const sideband = isParallel || input.scope === 'candidate' || typeof input.subPipelineId === 'string';
    byId.set(inputId, {
      inputId,
      input: { ...input, inputId },
      sideband: sideband || (byId.get(inputId)?.sideband ?? false),
    });
  };
  add(single, false);
  for (const each of parallel) add(each, true);
  return [...byId.values()];
}

/** Some kinds of question stand in the event only. One that was received is an event too, and asks nothing. */
function askedByPipeline(envelope: JsonObject | undefined): JsonObject | undefined {
  const eventType = stringAt(envelope, 'eventType');
  const isAsking = eventType === 'input_required' || eventType === 'permission_requested';
  return isAsking ? objectAt(envelope, 'input') : undefined;
}

/** A plain A2A agent that requires input asks a question in its own words. The same words give the same id. */
function genericInput(
  message: JsonObject | undefined,
  body: JsonObject,
  taskId: string | undefined,
  contextId: string | undefined,
): KernelInput {
  const prompt = textOf(message);
  const stamp = stringAt(objectAt(body, 'status'), 'timestamp') ?? '';
  const inputId = `input-${digest(JSON.stringify([taskId, stringAt(message, 'messageId'), prompt, stamp]))}`;
  const names = {
    ...(taskId === undefined ? {} : { requestTaskId: taskId }),
    ...(contextId === undefined ? {} : { contextId }),
  };
  return {
    inputId,
    sideband: false,
    input: {
      schemaVersion: 1,
      kind: 'input_required',
      inputId,
      ...names,
      prompt,
      allowFreeText: true,
      required: true,
    },
  };
}

/** The text parts of a message, joined. */
export function textOf(message: JsonObject | undefined): string {
  let text = '';
  for (const part of listAt(message, 'parts')) {
    if (isJsonObject(part) && typeof part.text === 'string') text += part.text;
  }
  return text;
}

/** False for what the user said. */
export function isFromAgent(message: JsonObject): boolean {
  const { role } = message;
  return role === undefined || role === 'ROLE_AGENT' || role === 'agent';
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
