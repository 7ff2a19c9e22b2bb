/** What an iac-code style kernel sends, as the `result` of one response each. Contents are made up. */
import type { TaskState } from '../../src/protocol/a2a.ts';
import type { JsonObject } from '../../src/protocol/json.ts';

export interface TaskNames {
  readonly taskId: string;
  readonly contextId: string;
}

export interface Question extends JsonObject {
  readonly kind: string;
  readonly inputId: string;
}

export class Frames {
  readonly #names: TaskNames;
  /** `metadata.iac_code.iacCodeSessionId` of every frame; undefined for a plain A2A agent. */
  readonly #sessionId: string | undefined;
  #sequence = 0;

  constructor(names: TaskNames, sessionId: string | undefined) {
    this.#names = names;
    this.#sessionId = sessionId;
  }

  task(state: TaskState, more: JsonObject = {}): JsonObject {
    const { taskId, contextId } = this.#names;
    return { task: { id: taskId, contextId, status: { state }, ...more } };
  }

  /** A status update; `iacCode` goes into `metadata.iac_code`. */
  status(state: TaskState, iacCode: JsonObject = {}, message?: JsonObject): JsonObject {
    const session = this.#sessionId === undefined ? {} : { iacCodeSessionId: this.#sessionId };
    const metadata = { ...session, ...iacCode };
    return {
      statusUpdate: {
        ...this.#names,
        status: { state, ...(message === undefined ? {} : { message }) },
        ...(Object.keys(metadata).length === 0 ? {} : { metadata: { iac_code: metadata } }),
      },
    };
  }

  working(): JsonObject {
    return this.status('TASK_STATE_WORKING');
  }

  text(delta: string): JsonObject {
    return this.status('TASK_STATE_WORKING', {}, this.#says(delta, 'message'));
  }

  /** The whole text of the last message once more, as the kernel repeats it before the end of a turn. */
  finalText(whole: string): JsonObject {
    return this.status('TASK_STATE_WORKING', { assistantFinal: { complete: true } }, this.#says(whole, '2'));
  }

  thinking(text: string): JsonObject {
    return this.status('TASK_STATE_WORKING', { thinking: { type: 'raw_thinking', text } });
  }

  usage(inputTokens: number, outputTokens: number): JsonObject {
    const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
    return this.status('TASK_STATE_WORKING', { usage });
  }

  /** `status`: started, input_delta, input_complete, progress, completed or failed. */
  tool(status: string, toolUseId: string, more: JsonObject = {}): JsonObject {
    return this.status('TASK_STATE_WORKING', { tool: { status, toolUseId, ...more } });
  }

  artifact(artifactId: string, parts: readonly JsonObject[], more: JsonObject = {}): JsonObject {
    return { artifactUpdate: { ...this.#names, lastChunk: true, artifact: { artifactId, parts }, ...more } };
  }

  permission(inputId: string, toolUseId = 'tool-1'): JsonObject {
    return this.asks({
      schemaVersion: 1,
      kind: 'permission',
      inputId,
      toolUseId,
      toolName: 'bash',
      prompt: 'Run a local shell command. Allow once?',
      options: [
        { id: 'allow_once', label: 'Allow once' },
        { id: 'deny', label: 'Deny' },
      ],
    });
  }

  question(inputId: string, prompt: string, labels: readonly string[] = []): JsonObject {
    const options = labels.map((label, index) => ({ id: String(index), label }));
    return this.asks({ schemaVersion: 1, kind: 'ask_user_question', inputId, prompt, options });
  }

  asks(question: Question): JsonObject {
    const input = { ...question, requestTaskId: this.#names.taskId, contextId: this.#names.contextId };
    return this.status('TASK_STATE_INPUT_REQUIRED', { input: { ...input, required: true } });
  }

  /** A pipeline envelope; sequence and event id grow by themselves. */
  pipeline(eventType: string, data: JsonObject, more: JsonObject = {}): JsonObject {
    this.#sequence += 1;
    const pipeline = {
      schemaVersion: '1.0',
      eventId: `event-${this.#names.taskId}-${this.#sequence}`,
      sequence: this.#sequence,
      eventType,
      scope: 'pipeline',
      status: 'working',
      ...this.#names,
      data,
      ...more,
    };
    return this.status('TASK_STATE_WORKING', { pipeline });
  }

  /** The normal end of a turn of iac-code: input is required, but nothing is asked. */
  endOfTurn(): JsonObject {
    return this.status('TASK_STATE_INPUT_REQUIRED');
  }

  completed(): JsonObject {
    return this.status('TASK_STATE_COMPLETED');
  }

  failed(text: string): JsonObject {
    return this.status('TASK_STATE_FAILED', {}, this.#says(text, '4'));
  }

  canceled(): JsonObject {
    return this.status('TASK_STATE_CANCELED', {}, this.#says('Task canceled.', '5'));
  }

  #says(text: string, suffix: string): JsonObject {
    const messageId = `${this.#names.taskId}-${suffix}`;
    return { messageId, role: 'ROLE_AGENT', ...this.#names, parts: [{ text }] };
  }
}
