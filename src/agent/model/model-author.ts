/**
 * The author that a language model is. It streams an answer, carries out what the model calls, stops where the user must
 * allow or answer something, and goes on from the conversation in the thread's memory, in this process or the next.
 * Every failure of the model is told in one sentence and ends the turn; the thread stays usable.
 */
import { type LanguageModelUsage, streamText } from 'ai';
import type { JsonObject } from '../../protocol/json.ts';
import type { Asked, Author, Stage, ToolOutcome, Turn, TurnEnd } from '../author.ts';
import { isSpoken } from '../understanding/language.ts';
import { instructionsFor } from './instructions.ts';
import { ModelFailure, toModelFailure } from './model-failure.ts';
import { modelToolSet, planCall } from './model-tools.ts';
import type { Models } from './models.ts';
import { type ResponseMessage, Talk } from './talk.ts';
import { type ModelWords, modelWords } from './words.ts';

export interface ModelAuthorOptions {
  readonly models: Models;
  /** How often the SDK tries again before anything was said: outages and throttling. */
  readonly maxRetries: number;
  /** Answers of the model in one turn; then the user is asked to go on. */
  readonly maxSteps: number;
  /** Milliseconds without a piece of the answer after which it counts as lost. */
  readonly stallMs: number;
}

export const defaultModelAuthorOptions = { maxRetries: 2, maxSteps: 24, stallMs: 120_000 } as const;

export class ModelAuthor implements Author {
  readonly #options: ModelAuthorOptions;

  constructor(options: ModelAuthorOptions) {
    this.#options = options;
  }

  perform(turn: Turn, stage: Stage): Promise<TurnEnd> {
    const talk = Talk.from(turn.remembered);
    talk.ask(turn.text, turn.images);
    return this.#work(turn, stage, talk);
  }

  goOn(turn: Turn, stage: Stage, _asked: Asked, outcome: ToolOutcome | undefined): Promise<TurnEnd> {
    const talk = Talk.from(turn.remembered);
    talk.resolve(outcome ?? { ok: false, problem: 'the user did not allow it' });
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
      if (asked !== undefined || talk.isAnswered || step === this.#options.maxSteps) {
        if (asked === undefined && !talk.isAnswered) await stage.say(words.tooManySteps);
        await stage.remember(talk.toJson());
        return asked ?? 'done';
      }
      talk.answer(await this.#answer(turn, stage, talk));
    }
  }

  /** One answer of the model, shown as it comes. */
  async #answer(turn: Turn, stage: Stage, talk: Talk): Promise<readonly ResponseMessage[]> {
    const { model, effort, providerOptions } = await this.#options.models(turn.wishes);
    const result = streamText({
      model,
      instructions: instructionsFor(turn),
      messages: talk.messages,
      tools: modelToolSet,
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
    talk.resolve(
      plan.kind === 'run'
        ? await stage.callTool(call.name, call.input)
        : { ok: false, problem: plan.problem },
    );
  }
  return undefined;
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
