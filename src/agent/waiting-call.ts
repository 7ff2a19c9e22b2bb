/** The question that a task waits with, kept under the task's id so that it outlives the process. */
import { type JsonObject, listAt, objectAt, stringAt } from '../protocol/json.ts';
import type { Asked } from './author.ts';
import type { AgentMemory } from './memory.ts';
import type { Task } from './task.ts';

/** What the user said to the question. */
export type Answer =
  | {
      readonly kind: 'decision';
      readonly decision: 'allow_once' | 'deny';
      /** Arguments in the place of the agent's. */
      readonly editedArgs?: JsonObject;
    }
  | { readonly kind: 'words'; readonly text: string };

export interface WaitingCall {
  readonly call: Asked;
  readonly toolUseId: string;
  /** `metadata.iac_code.input` */
  readonly question: JsonObject;
}

const keyOf = (taskId: string): string => `task:${taskId}`;

export async function saveWaiting(
  task: Task,
  { call, toolUseId, question }: WaitingCall,
  memory: AgentMemory,
): Promise<void> {
  await memory.save(keyOf(task.id), { contextId: task.contextId, toolUseId, question, call: { ...call } });
}

/** Nothing waits any more; a second answer finds no question. */
export async function forgetWaiting(task: Task, memory: AgentMemory): Promise<void> {
  if ((await memory.load(keyOf(task.id))) !== undefined) await memory.save(keyOf(task.id), {});
}

export async function loadWaiting(
  taskId: string,
  memory: AgentMemory,
): Promise<(WaitingCall & { readonly contextId: string }) | undefined> {
  const stored = await memory.load(keyOf(taskId));
  const contextId = stringAt(stored, 'contextId');
  const toolUseId = stringAt(stored, 'toolUseId');
  const question = objectAt(stored, 'question');
  const call = objectAt(stored, 'call');
  if (contextId === undefined || toolUseId === undefined || question === undefined || call === undefined)
    return undefined;
  return { contextId, toolUseId, question, call: askedOf(call) };
}

function askedOf(call: JsonObject): Asked {
  const shared = {
    name: stringAt(call, 'name') ?? '',
    input: objectAt(call, 'input') ?? {},
    prompt: stringAt(call, 'prompt') ?? '',
  };
  if (stringAt(call, 'kind') === 'question') {
    const options = listAt(call, 'options').filter((each) => typeof each === 'string');
    return { kind: 'question', ...shared, options };
  }
  const editable = objectAt(call, 'editable');
  return {
    kind: 'permission',
    ...shared,
    effect: stringAt(call, 'effect') ?? 'unknown',
    ...(editable === undefined ? {} : { editable }),
    ...(call.runsItself === true ? { runsItself: true } : {}),
  };
}
