/** The stage that an author works on: what it says and does becomes frames of its task. */
import { createHash } from 'node:crypto';
import { setImmediate as loopTurn } from 'node:timers/promises';
import type { Runtime } from '../ports/runtime.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { Asked, ShownArtifact, Stage, ToolOutcome } from './author.ts';
import type { AgentMemory } from './memory.ts';
import type { Task } from './task.ts';
import type { ToolBox } from './tools/tool-box.ts';
import type { Answer } from './waiting-call.ts';

/** Pieces, and milliseconds, between two turns of the event loop. Each turn ends in a write of its own to every reader. */
const piecesPerTurn = 64;
const msPerTurn = 2;

export interface Performance {
  readonly runtime: Runtime;
  readonly memory: AgentMemory;
  readonly tools: ToolBox;
}

export class TaskStage implements Stage {
  readonly #task: Task;
  readonly #cwd: string;
  readonly #performance: Performance;
  #messageId: string | undefined;
  #pieces = 0;
  #turnBegan = 0;

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

  /** No message ends at it: a reader shows reasoning beside the words. */
  async think(text: string): Promise<void> {
    await this.#ready();
    if (text !== '') this.#task.think(text);
  }

  countTokens(usage: JsonObject): void {
    this.#task.countTokens(usage);
  }

  async callTool(name: string, input: JsonObject): Promise<ToolOutcome> {
    const toolUseId = await this.announceCall(name, input);
    return this.#run(toolUseId, name, input);
  }

  async showCall(name: string, input: JsonObject, outcome: ToolOutcome): Promise<void> {
    const toolUseId = await this.announceCall(name, input);
    this.#showOutcome(toolUseId, name, outcome);
  }

  /** Shows a call and does not run it; answers its id. */
  async announceCall(name: string, input: JsonObject): Promise<string> {
    await this.#ready();
    this.#messageId = undefined;
    const call = { toolUseId: this.#performance.runtime.ids.uuid(), name };
    this.#task.showTool({ ...call, status: 'started' });
    this.#task.showTool({ ...call, status: 'input_complete', toolInput: input });
    return call.toolUseId;
  }

  /**
   * Runs a call that was announced and is allowed, or shows that it was denied. The answer to a question is its result,
   * and whoever brought it has shown it.
   */
  async finishCall(toolUseId: string, { name, input }: Asked, answer: Answer): Promise<ToolOutcome> {
    if (answer.kind === 'words') return { ok: true, result: { answer: answer.text } };
    if (answer.decision === 'allow_once') return this.#run(toolUseId, name, input);
    const problem = 'denied by the user';
    this.#task.showTool({ toolUseId, name, status: 'failed', result: problem });
    return { ok: false, problem };
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

  async #run(toolUseId: string, name: string, input: JsonObject): Promise<ToolOutcome> {
    const outcome = await this.#outcomeOf(name, input);
    await this.#ready();
    this.#showOutcome(toolUseId, name, outcome);
    return outcome;
  }

  #showOutcome(toolUseId: string, name: string, outcome: ToolOutcome): void {
    const result = outcome.ok ? outcome.result : outcome.problem;
    this.#task.showTool({ toolUseId, name, status: outcome.ok ? 'completed' : 'failed', result });
  }

  /** A tool that breaks is a tool that failed: the turn goes on, and the cause is for the log. */
  async #outcomeOf(name: string, input: JsonObject): Promise<ToolOutcome> {
    const { tools, runtime } = this.#performance;
    try {
      return await tools.call(name, input, this.#cwd, this.#task.cancelled.signal);
    } catch (cause) {
      runtime.log.error('tool of the embedded agent failed', { tool: name, cause });
      return { ok: false, problem: `${name} could not be carried out` };
    }
  }

  /** Lets everything else have its turn, waits for slow readers, and ends a cancelled turn. */
  async #ready(): Promise<void> {
    this.#pieces += 1;
    const { clock } = this.#performance.runtime;
    if (this.#pieces >= piecesPerTurn || clock.now() - this.#turnBegan >= msPerTurn) {
      await loopTurn();
      this.#pieces = 0;
      this.#turnBegan = clock.now();
    }
    await this.#task.room();
    this.#task.cancelled.signal.throwIfAborted();
  }
}
