/** One turn of the author on the stage of its task, from the first word to the final state or to a question. */
import type { KernelSend } from '../ports/kernel.ts';
import type { A2aMessage } from '../protocol/a2a.ts';
import { isJsonObject, type JsonObject, objectAt, stringAt } from '../protocol/json.ts';
import type { RunAgentInput } from '../protocol/run-input.ts';
import type { Asked, Author, ModelWishes, Turn, TurnEnd } from './author.ts';
import { bringsOnlyResults, clientResultsOf } from './client-results.ts';
import { type Performance, TaskStage } from './stage.ts';
import type { Task } from './task.ts';
import { type Answer, saveWaiting, type WaitingCall } from './waiting-call.ts';

/** Characters of a call's arguments that its question repeats; the call itself shows them all. */
const maxSummary = 2_000;

export interface Play extends Performance {
  readonly author: Author;
}

/** Never rejects: what goes wrong is the task's state, and its cause is for the log only. */
export async function performTurn(
  task: Task,
  message: A2aMessage,
  input: RunAgentInput | undefined,
  play: Play,
): Promise<void> {
  task.enter('TASK_STATE_WORKING');
  await guarded(task, play, async () => {
    const turn = await turnOf(task, message, input, play);
    const stage = new TaskStage(task, turn, play);
    await close(task, turn, stage, await play.author.perform(turn, stage), play);
  });
}

/** The task goes on behind the question that it waited with. */
export async function continueTurn(
  task: Task,
  { message, input }: KernelSend,
  waiting: WaitingCall,
  answer: Answer,
  play: Play,
): Promise<void> {
  await guarded(task, play, async () => {
    const turn = await turnOf(task, message, input, play);
    const stage = new TaskStage(task, turn, play);
    const call = edited(waiting.call, answer);
    const outcome = await stage.finishCall(waiting.toolUseId, call, answer);
    const isDenied = answer.kind === 'decision' && answer.decision === 'deny';
    const end = await play.author.goOn(turn, stage, call, isDenied ? undefined : outcome);
    // A call is always answered.
    await stage.showAllowed({ ok: true, result: {} });
    await close(task, turn, stage, end, play);
  });
}

/** With the arguments that the user gave in the place of the agent's, where the question offered that. */
function edited(call: Asked, answer: Answer): Asked {
  if (answer.kind !== 'decision' || answer.editedArgs === undefined) return call;
  if (call.kind !== 'permission' || call.editable === undefined) return call;
  return { ...call, input: answer.editedArgs };
}

async function guarded(task: Task, { runtime }: Play, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (task.cancelled.signal.aborted) return;
    runtime.log.error('embedded agent failed', { cause });
    task.enter('TASK_STATE_FAILED');
  }
}

async function turnOf(
  task: Task,
  message: A2aMessage,
  input: RunAgentInput | undefined,
  { memory }: Play,
): Promise<Turn> {
  const options = objectAt(message.metadata, 'iac_code');
  const cwd = stringAt(options, 'cwd');
  if (cwd === undefined) throw new TypeError('the message names no workspace');
  return {
    text: message.parts.map(({ text }) => text ?? '').join('\n'),
    images: message.parts.flatMap(({ raw, mediaType }) =>
      raw !== undefined && mediaType !== undefined ? [{ mediaType, base64: raw }] : [],
    ),
    cwd,
    language: stringAt(options, 'preferredLanguage'),
    demandedLanguage: demandedLanguage(input),
    remembered: await memory.load(task.contextId),
    context: input?.context ?? [],
    state: input?.state ?? {},
    clientTools: input?.tools ?? [],
    clientResults: clientResultsOf(input?.messages ?? []),
    bringsOnlyResults: bringsOnlyResults(input?.messages ?? []),
    wishes: wishesOf(options),
    signal: task.cancelled.signal,
  };
}

/** The message's options always name a language; only here is seen whether the caller asked for it. */
function demandedLanguage(input: RunAgentInput | undefined): string | undefined {
  const props = isJsonObject(input?.forwardedProps) ? objectAt(input.forwardedProps, 'iacCode') : undefined;
  return stringAt(props, 'preferredLanguage')?.slice(0, 2).toLowerCase();
}

function wishesOf(options: JsonObject | undefined): ModelWishes {
  const model = stringAt(options, 'iac_code_model');
  const apiKey = stringAt(options, 'iac_code_api_key');
  const thinking = objectAt(options, 'thinking');
  const effort = stringAt(thinking, 'effort');
  const budget = thinking?.budget;
  return {
    ...(model === undefined ? {} : { model }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(thinking === undefined
      ? {}
      : {
          thinking: {
            enabled: thinking.enabled === true,
            ...(effort === undefined ? {} : { effort }),
            ...(typeof budget === 'number' && budget > 0 ? { budget } : {}),
          },
        }),
  };
}

async function close(task: Task, turn: Turn, stage: TaskStage, end: TurnEnd, play: Play): Promise<void> {
  if (end !== 'done') return ask(task, stage, end, play);
  turn.signal.throwIfAborted();
  task.enter('TASK_STATE_COMPLETED');
}

/** On disk first, so that the answer finds its question after a restart too. */
async function ask(task: Task, stage: TaskStage, call: Asked, play: Play): Promise<void> {
  const toolUseId = await stage.announceCall(call.name, call.input);
  const kind = call.kind === 'permission' ? 'permission' : 'ask_user_question';
  const question = {
    schemaVersion: 1,
    kind,
    requestTaskId: task.id,
    contextId: task.contextId,
    inputId: `${kind === 'permission' ? 'permission' : 'ask'}-${play.runtime.ids.uuid()}`,
    toolUseId,
    toolName: call.name,
    required: true,
    prompt: call.prompt,
    ...wordsOf(call),
  };
  await saveWaiting(task, { call, toolUseId, question }, play.memory);
  task.ask(question);
}

function wordsOf(call: Asked): JsonObject {
  if (call.kind === 'question') {
    const options = call.options.map((label, index) => ({ id: String(index + 1), label }));
    return { question: call.prompt, options, allowFreeText: true };
  }
  return {
    title: call.prompt,
    effect: call.effect,
    isReadOnly: false,
    ...(call.editable === undefined ? {} : { editableArguments: call.editable }),
    safeSummary: `${call.name}: ${JSON.stringify(call.input).slice(0, maxSummary)}`,
    options: [
      { id: 'allow_once', label: 'Allow once' },
      { id: 'deny', label: 'Deny' },
    ],
  };
}
