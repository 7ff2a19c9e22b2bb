/** The stage that an author works on: what it says and does becomes frames of its task. */
import { createHash } from 'node:crypto';
import { setImmediate as loopTurn } from 'node:timers/promises';
import type { Runtime } from '../ports/runtime.ts';
import type { JsonObject, JsonValue } from '../protocol/json.ts';
import { patched } from '../protocol/json-patch.ts';
import type { Asked, ShownArtifact, Stage, StateChange, StateChanged, ToolOutcome, Turn } from './author.ts';
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

/** Characters of the shared state as JSON. */
const maxState = 262_144;

export class TaskStage implements Stage {
  readonly #task: Task;
  readonly #cwd: string;
  readonly #performance: Performance;
  #messageId: string | undefined;
  #state: JsonValue;
  #hasToldState = false;
  /** The allowed call that the author carries out itself, until its outcome was shown. */
  #allowed: { readonly toolUseId: string; readonly name: string } | undefined;
  #pieces = 0;
  #turnBegan = 0;

  constructor(task: Task, { cwd, state }: Turn, performance: Performance) {
    this.#task = task;
    this.#cwd = cwd;
    this.#state = state;
    this.#performance = performance;
  }

  get state(): JsonValue {
    return this.#state;
  }

  /** The whole at its first change, so that no reader has to know what stood before; then only what is new. */
  changeState(change: StateChange): StateChanged {
    const next =
      'patch' in change ? patched(this.#state, change.patch) : { ok: true as const, value: change.state };
    if (!next.ok) return next;
    if (JSON.stringify(next.value).length > maxState)
      return { ok: false, problem: `the state would be longer than ${maxState} characters` };
    this.#state = next.value;
    const isDelta = 'patch' in change && this.#hasToldState;
    this.#hasToldState = true;
    this.#task.showAgui(isDelta ? { stateDelta: change.patch } : { stateSnapshot: next.value });
    return { ok: true };
  }

  async showClientCalls(
    calls: readonly { readonly name: string; readonly input: JsonObject }[],
  ): Promise<string[]> {
    const ids: string[] = [];
    for (const { name, input } of calls) ids.push(await this.announceCall(name, input));
    return ids;
  }

  awaitClient(toolCallIds: readonly string[]): void {
    this.#task.showAgui({ pendingToolCallIds: toolCallIds });
  }

  async showAllowed(outcome: ToolOutcome): Promise<void> {
    const call = this.#allowed;
    if (call === undefined) return;
    this.#allowed = undefined;
    await this.#ready();
    this.#showOutcome(call.toolUseId, call.name, outcome);
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
  async finishCall(toolUseId: string, asked: Asked, answer: Answer): Promise<ToolOutcome> {
    const { name, input } = asked;
    if (answer.kind === 'words') return { ok: true, result: { answer: answer.text } };
    if (answer.decision === 'allow_once') {
      if (asked.kind !== 'permission' || asked.runsItself !== true) return this.#run(toolUseId, name, input);
      this.#allowed = { toolUseId, name };
      return { ok: true, result: { allowed: true } };
    }
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
