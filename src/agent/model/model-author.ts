/**
 * The author that a language model is. It streams an answer, carries out what the model calls, stops where the user must
 * allow or answer something, and goes on from the conversation in the thread's memory, in this process or the next.
 * Every failure of the model is told in one sentence and ends the turn; the thread stays usable.
 */
import { type LanguageModelUsage, streamText } from 'ai';
import type { JsonObject } from '../../protocol/json.ts';
import type { Asked, Author, Stage, ToolOutcome, Turn, TurnEnd } from '../author.ts';
import type { ClientResult } from '../client-results.ts';
import { isSpoken } from '../understanding/language.ts';
import { instructionsFor } from './instructions.ts';
import { ModelFailure, toModelFailure } from './model-failure.ts';
import { type CallPlan, modelToolNames, planCall, toolSetFor } from './model-tools.ts';
import type { Models } from './models.ts';
import { type OpenCall, type ResponseMessage, Talk } from './talk.ts';
import { type ModelWords, modelWords } from './words.ts';

export interface ModelAuthorOptions {
  readonly models: Models;
  /** How often the SDK tries again before anything was said: outages and throttling. */
  readonly maxRetries: number;
  /** Answers of the model in one turn; then the user is asked to go on. */
  readonly maxSteps: number;
  /** Milliseconds without a piece of the answer after which it counts as lost. */
  readonly stallMs: number;
  /** The tool box can check Terraform files. */
  readonly hasTerraform: boolean;
}

export const defaultModelAuthorOptions = { maxRetries: 2, maxSteps: 24, stallMs: 120_000 } as const;

export class ModelAuthor implements Author {
  readonly #options: ModelAuthorOptions;
  readonly usesClient = true;
  readonly toolNames = modelToolNames;

  constructor(options: ModelAuthorOptions) {
    this.#options = options;
  }

  expects(remembered: JsonObject | undefined, results: readonly ClientResult[]): boolean {
    const talk = Talk.from(remembered);
    return talk.takeResults(results) > 0 || talk.isUnanswered;
  }

  /** Goes on with the results of the client's tools, or begins anew with the user's words. */
  perform(turn: Turn, stage: Stage): Promise<TurnEnd> {
    const talk = Talk.from(turn.remembered);
    const taken = talk.takeResults(turn.clientResults);
    const goesOn = turn.bringsOnlyResults && (taken > 0 || talk.isUnanswered);
    if (!goesOn) talk.ask(turn.text, turn.images);
    return this.#work(turn, stage, talk);
  }

  goOn(turn: Turn, stage: Stage, asked: Asked, outcome: ToolOutcome | undefined): Promise<TurnEnd> {
    const talk = Talk.from(turn.remembered);
    talk.resolve(withEdits(outcome ?? { ok: false, problem: 'the user did not allow it' }, asked, talk));
    return this.#work(turn, stage, talk);
  }

  async #work(turn: Turn, stage: Stage, talk: Talk): Promise<TurnEnd> {
    const words = wordsFor(turn);
    try {
      return await this.#loop(turn, stage, talk, words);
    } catch (thrown) {
      turn.signal.throwIfAborted();
      const failure = toModelFailure(thrown);
      talk.closeCalls('the turn failed before this ran');
      if (failure.kind === 'too-long') talk.forget();
      await stage.remember(talk.toJson());
      await stage.say(words.failures[failure.kind]);
      throw failure;
    }
  }

  async #loop(turn: Turn, stage: Stage, talk: Talk, words: ModelWords): Promise<TurnEnd> {
    for (let step = 0; ; step += 1) {
      const asked = await carryOut(stage, talk, words);
      if (asked === undefined && talk.clientCalls.length > 0) return handOver(stage, talk);
      if (asked !== undefined || talk.isAnswered || this.#isEnough(step, talk)) {
        if (asked === undefined && !talk.isAnswered) await stage.say(words.tooManySteps);
        await stage.remember(talk.toJson());
        return asked ?? 'done';
      }
      const names = new Set(turn.clientTools.map(({ name }) => name));
      talk.answer(await this.#answer(turn, stage, talk), names);
    }
  }

  #isEnough(step: number, talk: Talk): boolean {
    return step === this.#options.maxSteps || talk.isOverlong;
  }

  /** One answer of the model, shown as it comes. */
  async #answer(turn: Turn, stage: Stage, talk: Talk): Promise<readonly ResponseMessage[]> {
    const { model, effort, providerOptions } = await this.#options.models(turn.wishes);
    const result = streamText({
      model,
      instructions: instructionsFor({ ...turn, state: stage.state }),
      messages: talk.messages,
      tools: toolSetFor(turn, this.#options.hasTerraform),
      abortSignal: turn.signal,
      maxRetries: this.#options.maxRetries,
      timeout: { chunkMs: this.#options.stallMs },
      ...(effort === undefined ? {} : { reasoning: effort }),
      ...(providerOptions === undefined ? {} : { providerOptions }),
      // The stream says it too; without this the SDK writes errors, and what was sent, to the console.
      onError: () => undefined,
    });
    for await (const part of result.stream) {
      if (part.type === 'text-delta') await stage.say(part.text);
      else if (part.type === 'reasoning-delta') await stage.think(part.text);
      else if (part.type === 'error') throw toModelFailure(part.error);
      else if (part.type === 'abort') throw new ModelFailure('away');
      else if (part.type === 'finish-step') {
        stage.countTokens(usageOf(part.usage));
        if (part.finishReason === 'content-filter') throw new ModelFailure('filtered');
        if (part.finishReason === 'error') throw new ModelFailure('away');
      }
    }
    const messages = await result.responseMessages;
    if (messages.length === 0) throw new ModelFailure('away');
    return messages;
  }
}

/** Calls run one after the other, in the model's order, up to the first that the user must speak about. */
async function carryOut(stage: Stage, talk: Talk, words: ModelWords): Promise<Asked | undefined> {
  for (let call = talk.nextCall; call !== undefined; call = talk.nextCall) {
    const plan = planCall(call.name, call.input, words);
    if (plan.kind === 'ask') return plan.asked;
    talk.resolve(await outcomeOf(plan, call, stage));
  }
  return undefined;
}

async function outcomeOf(
  plan: Exclude<CallPlan, { kind: 'ask' }>,
  { name, input }: OpenCall,
  stage: Stage,
): Promise<ToolOutcome> {
  if (plan.kind === 'run') return stage.callTool(name, input);
  if (plan.kind === 'refuse') return { ok: false, problem: plan.problem };
  const changed = stage.changeState({ patch: plan.patch });
  const outcome = changed.ok ? { ok: true as const, result: { state: stage.state } } : changed;
  await stage.showCall(name, input, outcome);
  return outcome;
}

/** The client's calls, each shown once, and on disk before the run ends with them: a result finds its call. */
async function handOver(stage: Stage, talk: Talk): Promise<TurnEnd> {
  const unseen = talk.clientCalls.filter(({ shownId }) => shownId === undefined);
  const ids = await stage.showClientCalls(unseen);
  for (const [index, call] of unseen.entries()) talk.noteShown(call, ids[index] ?? '');
  await stage.remember(talk.toJson());
  stage.awaitClient(talk.clientCalls.flatMap(({ shownId }) => (shownId === undefined ? [] : [shownId])));
  return 'done';
}

/** A model must not go on with what it wrote when the user has made something else of it. */
function withEdits(outcome: ToolOutcome, { input }: Asked, talk: Talk): ToolOutcome {
  const before = talk.nextCall?.input;
  if (!outcome.ok || before === undefined) return outcome;
  const isEdited = Object.entries(input).some(([member, value]) => before[member] !== value);
  return isEdited ? { ok: true, result: { ...outcome.result, changedByUser: input } } : outcome;
}

function wordsFor({ demandedLanguage, language }: Turn): ModelWords {
  return modelWords[isSpoken(demandedLanguage) ? demandedLanguage : isSpoken(language) ? language : 'en'];
}

function usageOf(usage: LanguageModelUsage): JsonObject {
  const counts = {
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    totalTokens: usage.totalTokens,
    reasoningTokens: usage.outputTokenDetails.reasoningTokens,
    cachedInputTokens: usage.inputTokenDetails.cacheReadTokens,
    cacheWriteInputTokens: usage.inputTokenDetails.cacheWriteTokens,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}
