/**
 * The agent that comes along: a kernel in this process. It speaks A2A like one behind a network, so that the engine never
 * knows which it drives. It keeps tasks in memory (the newest ones) and what its author remembers in `AgentMemory`.
 */
import { createHash } from 'node:crypto';
import { fault } from '../errors/fault.ts';
import { KernelError, rpcTaskNotCancelable, rpcTaskNotFound } from '../errors/kernel-error.ts';
import type { Kernel, KernelBatch, KernelDescription, KernelSend } from '../ports/kernel.ts';
import type { Runtime } from '../ports/runtime.ts';
import type { A2aMessage, A2aTask } from '../protocol/a2a.ts';
import { isJsonObject, type JsonObject, objectAt } from '../protocol/json.ts';
import type { RunAgentInput } from '../protocol/run-input.ts';
import type { Author } from './author.ts';
import { clientResultsOf, strayResultAt } from './client-results.ts';
import type { AgentMemory } from './memory.ts';
import { continueTurn, performTurn } from './perform-turn.ts';
import { type Follower, Task } from './task.ts';
import type { ToolBox } from './tools/tool-box.ts';
import { type Answer, forgetWaiting, loadWaiting, type WaitingCall } from './waiting-call.ts';

export interface EmbeddedAgentOptions {
  readonly runtime: Runtime;
  readonly memory: AgentMemory;
  readonly author: Author;
  readonly tools: ToolBox;
}

const rpcInvalidParams = -32602;
const maxTasks = 100;
/** Characters of an answer in the user's own words. */
const maxAnswer = 16_384;

export class EmbeddedAgent implements Kernel {
  readonly #options: EmbeddedAgentOptions;
  readonly #tasks = new Map<string, Task>();
  readonly #turns = new Set<Promise<void>>();

  constructor(options: EmbeddedAgentOptions) {
    this.#options = options;
  }

  async describe(): Promise<KernelDescription> {
    const { author } = this.#options;
    return {
      name: 'agentcore-agui embedded agent',
      version: undefined,
      profile: 'iac-code',
      accepts: { tools: author.usesClient === true, context: true, state: true },
      ...(author.toolNames === undefined ? {} : { toolNames: author.toolNames }),
    };
  }

  async *send(request: KernelSend, signal: AbortSignal): AsyncIterable<KernelBatch> {
    if (signal.aborted) return;
    const { message, input } = request;
    if (message.taskId !== undefined) {
      yield* await this.#goOn(request, message.taskId, signal);
      return;
    }
    await this.#refuseStrayResult(message, input);
    const task = this.#begin(message);
    const opening = task.snapshot();
    const follower = task.follow(signal);
    this.#work(task, message, input);
    yield* openedBy(opening, follower);
  }

  async answer(message: A2aMessage, signal: AbortSignal): Promise<JsonObject> {
    const stream = await this.#goOn({ message }, message.taskId ?? '', signal);
    await stream.return();
    return { task: (await this.#find(message.taskId ?? '')).snapshot() };
  }

  async *follow(taskId: string, signal: AbortSignal): AsyncIterable<KernelBatch> {
    const task = await this.#find(taskId);
    yield* openedBy(task.snapshot(), task.follow(signal));
  }

  async snapshot(taskId: string): Promise<JsonObject> {
    return (await this.#find(taskId)).snapshot();
  }

  async cancel(taskId: string): Promise<JsonObject> {
    const task = await this.#find(taskId);
    if (task.isOver) throw new KernelError('refused', 'the task is over', { rpcCode: rpcTaskNotCancelable });
    task.enter('TASK_STATE_CANCELED');
    task.cancelled.abort();
    await forgetWaiting(task, this.#options.memory);
    return task.snapshot();
  }

  async pipelineState(): Promise<undefined> {
    return undefined;
  }

  /** Contexts are where the memory keeps them: there is nothing to bring back. */
  async ensureRestored(): Promise<'absent'> {
    return 'absent';
  }

  async close(): Promise<void> {
    for (const task of this.#tasks.values()) {
      // What waits for an answer goes on waiting, for the next process.
      if (task.question !== undefined) continue;
      task.enter('TASK_STATE_CANCELED');
      task.cancelled.abort();
    }
    await Promise.allSettled(this.#turns);
    await this.#options.tools.close();
  }

  /** A run that only brings a result which nobody waits for would say the user's last words a second time. */
  async #refuseStrayResult(message: A2aMessage, input: RunAgentInput | undefined): Promise<void> {
    const { author, memory } = this.#options;
    const index = input === undefined ? undefined : strayResultAt(input, message.parts.length === 0);
    if (index === undefined || input === undefined || author.expects === undefined) return;
    const remembered = await memory.load(message.contextId ?? '');
    if (author.expects(remembered, clientResultsOf(input.messages))) return;
    const problem = 'names no tool call that waits for a result';
    throw fault('envelope-invalid', { where: `messages[${index}].toolCallId`, problem });
  }

  #begin(message: A2aMessage): Task {
    const { ids } = this.#options.runtime;
    const contextId = message.contextId ?? ids.uuid();
    const task = new Task(
      { id: ids.uuid(), contextId, sessionId: sessionIdOf(contextId) },
      withoutSecrets(message),
    );
    return this.#hold(task);
  }

  /** The answer to the question that a task waits with. A wrong one, or a second one, changes nothing. */
  async #goOn(request: KernelSend, taskId: string, signal: AbortSignal): Promise<Follower> {
    const { message } = request;
    const found = await this.#find(taskId);
    const waiting = await loadWaiting(taskId, this.#options.memory);
    const task = this.#hold(found);
    const answer = answerOf(message, task.question);
    // What was read may have been answered meanwhile, and another question be open.
    const isCurrent = waiting?.question.inputId === task.question?.inputId;
    if (waiting === undefined || answer === undefined || !isCurrent) {
      throw new KernelError('refused', 'no question of the task has this answer', {
        rpcCode: rpcInvalidParams,
      });
    }
    const follower = task.follow(signal, true);
    // At once, so that of two answers at the same time only one is taken.
    task.answered(answer.kind === 'decision' ? answer.decision : undefined);
    // Forgotten before anything runs: whatever happens to this process now, the call can't run a second time.
    await this.#putAway(task, waiting);
    this.#keep(continueTurn(task, request, waiting, answer, this.#options));
    return follower;
  }

  /** A question that can't be put away is asked again: an answer that might be taken twice must not be taken. */
  async #putAway(task: Task, { question }: WaitingCall): Promise<void> {
    try {
      await forgetWaiting(task, this.#options.memory);
    } catch (cause) {
      task.ask(question);
      throw new KernelError('unavailable', 'the question could not be put away', { cause });
    }
  }

  #work(task: Task, message: A2aMessage, input: RunAgentInput | undefined): void {
    this.#keep(performTurn(task, message, input, this.#options));
  }

  #keep(turn: Promise<void>): void {
    this.#turns.add(turn);
    void turn.finally(() => this.#turns.delete(turn));
  }

  /** A task of this process, or one that waits since before it. */
  async #find(taskId: string): Promise<Task> {
    const known = this.#tasks.get(taskId);
    if (known !== undefined) return known;
    const waiting = await loadWaiting(taskId, this.#options.memory);
    if (waiting === undefined) throw new KernelError('refused', 'no such task', { rpcCode: rpcTaskNotFound });
    const { contextId, question } = waiting;
    const task = new Task({ id: taskId, contextId, sessionId: sessionIdOf(contextId) }, restoredMessage);
    task.ask(question);
    return this.#hold(task);
  }

  /** The one task of this id: of two that were brought back at the same time, or after one was let go, the first counts. */
  #hold(task: Task): Task {
    const held = this.#tasks.get(task.id);
    if (held !== undefined) return held;
    this.#tasks.set(task.id, task);
    this.#forgetOldest(task);
    return task;
  }

  /** Those that are over, then those that wait: they are brought back from the memory when their answer comes. */
  #forgetOldest(newest: Task): void {
    for (const isPast of [(task: Task) => task.isOver, (task: Task) => task.question !== undefined]) {
      for (const [id, task] of this.#tasks) {
        if (this.#tasks.size <= maxTasks) return;
        if (task !== newest && isPast(task)) this.#tasks.delete(id);
      }
    }
  }
}

/** The task as it stands, then what its follower sees. A reader that leaves in between no longer holds the author back. */
async function* openedBy(task: A2aTask, follower: Follower): AsyncGenerator<KernelBatch, void> {
  try {
    yield [{ task }];
    yield* follower;
  } finally {
    await follower.return();
  }
}

/** The message as the task's history shows it: its options may hold keys, and are nobody's business afterwards. */
function withoutSecrets({ metadata: _options, ...message }: A2aMessage): A2aMessage {
  return { ...message, messageId: message.messageId, role: message.role, parts: message.parts };
}

/** A task that was brought back has no words of the turn before. */
const restoredMessage: A2aMessage = { messageId: 'restored', role: 'ROLE_USER', parts: [] };

function sessionIdOf(contextId: string): string {
  return `session-${createHash('sha256').update(contextId).digest('hex').slice(0, 24)}`;
}

/** What the message answers to this question; undefined when it is no answer to it. */
function answerOf(message: A2aMessage, question: JsonObject | undefined): Answer | undefined {
  const part = message.parts.length === 1 ? message.parts[0] : undefined;
  if (part === undefined || question === undefined) return undefined;
  if (question.kind !== 'permission') {
    const text = part.text?.slice(0, maxAnswer) ?? '';
    return text.trim() === '' ? undefined : { kind: 'words', text };
  }
  const data = isJsonObject(part.data) ? part.data : undefined;
  if (data?.kind !== 'permission' || data.inputId !== question.inputId) return undefined;
  const { decision } = data;
  if (decision !== 'allow_once' && decision !== 'deny') return undefined;
  const editedArgs = objectAt(data, 'editedArgs');
  return { kind: 'decision', decision, ...(editedArgs === undefined ? {} : { editedArgs }) };
}
