/** A kernel that does what the test says, frame by frame, and remembers what it was asked. */
import { KernelError, rpcTaskNotCancelable } from '../../src/errors/kernel-error.ts';
import type {
  Kernel,
  KernelBatch,
  KernelDescription,
  KernelProfile,
  KernelSend,
} from '../../src/ports/kernel.ts';
import type { A2aMessage, TaskState } from '../../src/protocol/a2a.ts';
import type { JsonObject } from '../../src/protocol/json.ts';

export interface TaskNames {
  readonly taskId: string;
  readonly contextId: string;
}

export type Script = (send: KernelSend, names: TaskNames, signal: AbortSignal) => AsyncIterable<KernelBatch>;

export class ScriptedKernel implements Kernel {
  readonly sends: KernelSend[] = [];
  readonly cancels: string[] = [];
  readonly follows: string[] = [];
  readonly answers: A2aMessage[] = [];
  /** What GetTask says, where the test says it. */
  readonly tasks = new Map<string, JsonObject>();
  readonly #script: Script;
  readonly #description: KernelDescription;
  /** Streams that are being read now. */
  reading = 0;

  constructor(script: Script, profile: KernelProfile = 'iac-code') {
    this.#script = script;
    this.#description = {
      name: 'scripted',
      version: '1',
      profile,
      accepts: { tools: false, context: false, state: false },
    };
  }

  async describe(): Promise<KernelDescription> {
    return this.#description;
  }

  async *send(request: KernelSend, signal: AbortSignal): AsyncIterable<KernelBatch> {
    this.sends.push(request);
    const names = {
      taskId: request.message.taskId ?? `task-${this.sends.length}`,
      contextId: request.message.contextId ?? 'context',
    };
    this.reading += 1;
    try {
      yield* this.#script(request, names, signal);
    } finally {
      this.reading -= 1;
    }
  }

  async answer(message: A2aMessage): Promise<JsonObject> {
    this.answers.push(message);
    return { message: { messageId: 'ack', role: 'ROLE_AGENT', parts: [] } };
  }

  // biome-ignore lint/correctness/useYield: nothing more happens on a task of this kernel.
  async *follow(taskId: string): AsyncIterable<KernelBatch> {
    this.follows.push(taskId);
  }

  async snapshot(taskId: string): Promise<JsonObject> {
    return this.tasks.get(taskId) ?? { id: taskId, status: { state: 'TASK_STATE_WORKING' } };
  }

  async cancel(taskId: string): Promise<JsonObject> {
    if (this.cancels.includes(taskId))
      throw new KernelError('refused', 'over', { rpcCode: rpcTaskNotCancelable });
    this.cancels.push(taskId);
    return { id: taskId, status: { state: 'TASK_STATE_CANCELED' } };
  }

  async pipelineState(): Promise<undefined> {
    return undefined;
  }

  async ensureRestored(): Promise<'absent'> {
    return 'absent';
  }

  async close(): Promise<void> {
    this.sends.length = 0;
  }
}

export function submitted({ taskId, contextId }: TaskNames): JsonObject {
  return { task: { id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' } } };
}

export function stateOf({ taskId, contextId }: TaskNames, state: TaskState): JsonObject {
  return { statusUpdate: { taskId, contextId, status: { state } } };
}

export function textOf({ taskId, contextId }: TaskNames, text: string): JsonObject {
  return {
    statusUpdate: {
      taskId,
      contextId,
      status: {
        state: 'TASK_STATE_WORKING',
        message: { messageId: `${taskId}-message`, role: 'ROLE_AGENT', parts: [{ text }] },
      },
    },
  };
}

/** One normal turn that says the given texts. */
export function turn(...texts: readonly string[]): Script {
  return async function* (_send, names) {
    yield [submitted(names)];
    for (const text of texts) yield [textOf(names, text)];
    yield [stateOf(names, 'TASK_STATE_COMPLETED')];
  };
}

/** Waits until the signal says so. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** A question of iac-code's kernel: the task waits for its answer. */
export function inputOf({ taskId, contextId }: TaskNames, input: JsonObject): JsonObject {
  const whole = { schemaVersion: 1, requestTaskId: taskId, contextId, required: true, ...input };
  return {
    statusUpdate: {
      taskId,
      contextId,
      status: { state: 'TASK_STATE_INPUT_REQUIRED' },
      metadata: { iac_code: { input: whole } },
    },
  };
}

export function permissionOf(names: TaskNames, inputId: string): JsonObject {
  return inputOf(names, {
    kind: 'permission',
    inputId,
    toolUseId: `call-of-${inputId}`,
    toolName: 'bash',
    prompt: 'Run ls. Allow once?',
    options: [
      { id: 'allow_once', label: 'Allow once' },
      { id: 'deny', label: 'Deny' },
    ],
  });
}

export function questionOf(names: TaskNames, inputId: string): JsonObject {
  return inputOf(names, {
    kind: 'ask_user_question',
    inputId,
    toolUseId: `call-of-${inputId}`,
    prompt: 'Which region?',
    options: [
      { id: 'hz', label: 'Hangzhou' },
      { id: 'bj', label: 'Beijing' },
    ],
  });
}
