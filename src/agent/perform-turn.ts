/** One turn of the author on the stage of its task, from the first word to the final state. */
import { createHash } from 'node:crypto';
import { setImmediate as loopTurn } from 'node:timers/promises';
import type { Runtime } from '../ports/runtime.ts';
import type { A2aMessage } from '../protocol/a2a.ts';
import { type JsonObject, objectAt, stringAt } from '../protocol/json.ts';
import type { RunAgentInput } from '../protocol/run-input.ts';
import type { Author, ShownArtifact, Stage, ToolOutcome } from './author.ts';
import type { AgentMemory } from './memory.ts';
import type { Task } from './task.ts';
import type { ToolBox } from './tools/tool-box.ts';

export interface Performance {
  readonly runtime: Runtime;
  readonly memory: AgentMemory;
  readonly author: Author;
  readonly tools: ToolBox;
}

/** Never rejects: what goes wrong is the task's state, and its cause is for the log only. */
export async function performTurn(
  task: Task,
  message: A2aMessage,
  input: RunAgentInput | undefined,
  performance: Performance,
): Promise<void> {
  const { author, memory, runtime } = performance;
  const options = objectAt(message.metadata, 'iac_code');
  const cwd = stringAt(options, 'cwd');
  task.enter('TASK_STATE_WORKING');
  try {
    if (cwd === undefined) throw new TypeError('the message names no workspace');
    const turn = {
      text: message.parts.map(({ text }) => text ?? '').join('\n'),
      cwd,
      language: stringAt(options, 'preferredLanguage'),
      remembered: await memory.load(task.contextId),
      context: input?.context ?? [],
      signal: task.cancelled.signal,
    };
    await author.perform(turn, new TaskStage(task, cwd, performance));
    task.enter('TASK_STATE_COMPLETED');
  } catch (cause) {
    if (task.cancelled.signal.aborted) return;
    runtime.log.error('embedded agent failed', { cause });
    task.enter('TASK_STATE_FAILED');
  }
}

class TaskStage implements Stage {
  readonly #task: Task;
  readonly #cwd: string;
  readonly #performance: Performance;
  #messageId: string | undefined;

  constructor(task: Task, cwd: string, performance: Performance) {
    this.#task = task;
    this.#cwd = cwd;
    this.#performance = performance;
  }

  async say(text: string): Promise<void> {
    await this.#ready();
    this.#messageId ??= this.#performance.runtime.ids.uuid();
    if (text !== '') this.#task.say(this.#messageId, text);
  }

  async callTool(name: string, toolInput: JsonObject): Promise<ToolOutcome> {
    await this.#ready();
    this.#messageId = undefined;
    const call = { toolUseId: this.#performance.runtime.ids.uuid(), name };
    this.#task.showTool({ ...call, status: 'started' });
    this.#task.showTool({ ...call, status: 'input_complete', toolInput });
    const outcome = await this.#performance.tools.call(
      name,
      toolInput,
      this.#cwd,
      this.#task.cancelled.signal,
    );
    await this.#ready();
    const result = outcome.ok ? outcome.result : outcome.problem;
    this.#task.showTool({ ...call, status: outcome.ok ? 'completed' : 'failed', result });
    return outcome;
  }

  async showArtifact({ filename, mediaType, text }: ShownArtifact): Promise<void> {
    await this.#ready();
    const sha256 = createHash('sha256').update(text).digest('hex');
    this.#task.showArtifact({
      artifactId: `${this.#task.id}-${filename}`,
      name: filename,
      parts: [{ text, filename, mediaType }],
      metadata: { byteSize: Buffer.byteLength(text), sha256 },
    });
  }

  async remember(document: JsonObject): Promise<void> {
    await this.#performance.memory.save(this.#task.contextId, document);
  }

  /** Lets everything else have its turn, waits for slow readers, and ends a cancelled turn. */
  async #ready(): Promise<void> {
    await loopTurn();
    await this.#task.room();
    this.#task.cancelled.signal.throwIfAborted();
  }
}
