/** A kernel that does what the test says, frame by frame, and remembers what it was asked. */
import { KernelError, rpcTaskNotCancelable } from '../../src/errors/kernel-error.ts';
import type {
  Kernel,
  KernelBatch,
  KernelDescription,
  KernelProfile,
  KernelSend,
  SessionRestore,
} from '../../src/ports/kernel.ts';
import type { A2aMessage, TaskState } from '../../src/protocol/a2a.ts';
import { type JsonObject, objectAt, stringAt } from '../../src/protocol/json.ts';

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
  /** The pipeline's journal, where the test gives one, by task id. */
  readonly journals = new Map<string, JsonObject>();
  /** Asks of the journal: the task and the sequence behind which events are wanted. */
  readonly journalAsks: (readonly [taskId: string, afterSequence: number])[] = [];
  readonly restores: SessionRestore[] = [];
  /** How the session restore answers. */
  restored: 'ready' | 'missing' | 'absent' = 'absent';
  /** What the frames said last of each task. A task of an earlier kernel waits, and nothing more is known of it. */
  readonly #shown = new Map<string, JsonObject>();
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
      for await (const batch of this.#script(request, names, signal)) {
        for (const frame of batch) this.#note(names.taskId, frame);
        yield batch;
      }
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
    const waiting = { status: { state: 'TASK_STATE_INPUT_REQUIRED' } };
    return this.tasks.get(taskId) ?? { id: taskId, ...(this.#shown.get(taskId) ?? waiting) };
  }

  #note(taskId: string, frame: JsonObject): void {
    const update = objectAt(frame, 'statusUpdate') ?? objectAt(frame, 'task');
    const state = stringAt(objectAt(update, 'status'), 'state');
    if (state === undefined) return;
    const metadata = objectAt(update, 'metadata');
    this.#shown.set(taskId, { status: { state }, ...(metadata === undefined ? {} : { metadata }) });
  }

  async cancel(taskId: string): Promise<JsonObject> {
    if (this.cancels.includes(taskId))
      throw new KernelError('refused', 'over', { rpcCode: rpcTaskNotCancelable });
    this.cancels.push(taskId);
    return { id: taskId, status: { state: 'TASK_STATE_CANCELED' } };
  }

  async pipelineState(taskId: string, afterSequence: number): Promise<JsonObject | undefined> {
    this.journalAsks.push([taskId, afterSequence]);
    return this.journals.get(taskId);
  }

  async ensureRestored(request: SessionRestore): Promise<'ready' | 'missing' | 'absent'> {
    this.restores.push(request);
    return this.restored;
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

/** A frame of a task at work with an iac-code extension: `tool`, `thinking`, `pipeline`, `usage` and the like. */
export function extensionOf({ taskId, contextId }: TaskNames, extension: JsonObject): JsonObject {
  return {
    statusUpdate: {
      taskId,
      contextId,
      status: { state: 'TASK_STATE_WORKING' },
      metadata: { iac_code: extension },
    },
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
    title: 'Run a command',
    purpose: 'look around',
    safeSummary: 'ls',
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

/** Asks for a permission, and works on when it is given. */
export const asksOnce: Script = async function* ({ message }, names) {
  if (message.taskId === undefined) {
    yield [submitted(names), textOf(names, 'I need to look around.'), permissionOf(names, 'permission-1')];
    return;
  }
  const [part] = message.parts;
  const isAllowed = Object(part?.data)['decision'] === 'allow_once';
  yield [
    stateOf(names, 'TASK_STATE_WORKING'),
    textOf(names, isAllowed ? 'Looked.' : 'Did not look.'),
    stateOf(names, 'TASK_STATE_COMPLETED'),
  ];
};
