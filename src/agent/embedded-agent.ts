/**
 * The agent that comes along: a kernel in this process. It speaks A2A like one behind a network, so that the engine never
 * knows which it drives. It keeps tasks in memory (the newest ones) and what its author remembers in `AgentMemory`.
 */
import { createHash } from 'node:crypto';
import { KernelError, rpcTaskNotCancelable, rpcTaskNotFound } from '../errors/kernel-error.ts';
import type { Kernel, KernelBatch, KernelDescription, KernelSend } from '../ports/kernel.ts';
import type { Runtime } from '../ports/runtime.ts';
import type { A2aMessage } from '../protocol/a2a.ts';
import { type JsonObject, objectAt, stringAt } from '../protocol/json.ts';
import type { RunAgentInput } from '../protocol/run-input.ts';
import type { Author } from './author.ts';
import type { AgentMemory } from './memory.ts';
import { performTurn } from './perform-turn.ts';
import { Task } from './task.ts';
import type { ToolBox } from './tools/tool-box.ts';

export interface EmbeddedAgentOptions {
  readonly runtime: Runtime;
  readonly memory: AgentMemory;
  readonly author: Author;
  readonly tools: ToolBox;
}

const rpcInvalidParams = -32602;
const maxTasks = 100;

export class EmbeddedAgent implements Kernel {
  readonly #options: EmbeddedAgentOptions;
  readonly #tasks = new Map<string, Task>();
  readonly #turns = new Set<Promise<void>>();

  constructor(options: EmbeddedAgentOptions) {
    this.#options = options;
  }

  async describe(): Promise<KernelDescription> {
    return {
      name: 'agentcore-agui embedded agent',
      version: undefined,
      profile: 'iac-code',
      accepts: { tools: false, context: true, state: true },
    };
  }

  async *send({ message, input }: KernelSend, signal: AbortSignal): AsyncIterable<KernelBatch> {
    if (signal.aborted) return;
    const task = this.#begin(message);
    const opening = task.snapshot();
    const follower = task.follow(signal);
    this.#work(task, message, input);
    yield [{ task: opening }];
    yield* follower;
  }

  async answer(): Promise<JsonObject> {
    throw new KernelError('refused', 'nothing waits for an answer', { rpcCode: rpcInvalidParams });
  }

  async *follow(taskId: string, signal: AbortSignal): AsyncIterable<KernelBatch> {
    const task = this.#find(taskId);
    const follower = task.follow(signal);
    yield [{ task: task.snapshot() }];
    yield* follower;
  }

  async snapshot(taskId: string): Promise<JsonObject> {
    return this.#find(taskId).snapshot();
  }

  async cancel(taskId: string): Promise<JsonObject> {
    const task = this.#find(taskId);
    if (task.isOver) throw new KernelError('refused', 'the task is over', { rpcCode: rpcTaskNotCancelable });
    task.enter('TASK_STATE_CANCELED');
    task.cancelled.abort();
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
      task.enter('TASK_STATE_CANCELED');
      task.cancelled.abort();
    }
    await Promise.allSettled(this.#turns);
    await this.#options.tools.close();
  }

  #begin(message: A2aMessage): Task {
    const { ids } = this.#options.runtime;
    const contextId = message.contextId ?? ids.uuid();
    const sessionId = `session-${createHash('sha256').update(contextId).digest('hex').slice(0, 24)}`;
    const task = new Task({ id: ids.uuid(), contextId, sessionId }, withoutSecrets(message));
    this.#tasks.set(task.id, task);
    this.#forgetOldest();
    return task;
  }

  #work(task: Task, message: A2aMessage, input: RunAgentInput | undefined): void {
    const turn = performTurn(task, message, input, this.#options);
    this.#turns.add(turn);
    void turn.finally(() => this.#turns.delete(turn));
  }

  #find(taskId: string): Task {
    const task = this.#tasks.get(taskId);
    if (task === undefined) throw new KernelError('refused', 'no such task', { rpcCode: rpcTaskNotFound });
    return task;
  }

  #forgetOldest(): void {
    for (const [id, task] of this.#tasks) {
      if (this.#tasks.size <= maxTasks) return;
      if (task.isOver) this.#tasks.delete(id);
    }
  }
}

/** The message as the task's history shows it: its options may hold keys, and are nobody's business afterwards. */
function withoutSecrets({ metadata: _options, ...message }: A2aMessage): A2aMessage {
  return { ...message, messageId: message.messageId, role: message.role, parts: message.parts };
}

/** The workspace of a message, or undefined when it names none. */
export function workspaceOf(message: A2aMessage): string | undefined {
  return stringAt(objectAt(message.metadata, 'iac_code'), 'cwd');
}
