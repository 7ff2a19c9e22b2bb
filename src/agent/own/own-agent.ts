/**
 * What a developer may put in the place of the agent that comes along: an async generator, or an agent of the AI SDK.
 * Either runs inside the embedded agent, which does the rest: tasks, followers, cancelling, memory.
 */
import type { ModelMessage, TextStreamPart, ToolSet } from 'ai';
import type { JsonObject, JsonValue } from '../../protocol/json.ts';
import type { ContextEntry, Tool } from '../../protocol/run-input.ts';
import type { ToolOutcome } from '../author.ts';
import type { ResponseMessage } from '../model/talk.ts';

export interface OwnTurn {
  /** The user's newest message. */
  readonly text: string;
  /** The turns before, oldest first; kept over restarts, the oldest are forgotten. */
  readonly history: readonly Utterance[];
  /** Workspace of the thread, absolute; the folder may have to be made. */
  readonly cwd: string;
  /** Two letters: the language that the client prefers. */
  readonly language: string | undefined;
  /** AG-UI `context` and `state` of the request. */
  readonly context: readonly ContextEntry[];
  readonly state: JsonValue;
  /** Tools of the client; they are called by yielding `client-tools`. */
  readonly tools: readonly Tool[];
  /** What an earlier call of this turn asked for. Undefined when the turn begins. */
  readonly answer: OwnAnswer | undefined;
  /** Aborted when the run is cancelled; hand it on to whatever takes time. */
  readonly signal: AbortSignal;
}

export interface Utterance {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** A string is a piece of the answer. */
export type Piece =
  | string
  | { readonly kind: 'thinking'; readonly text: string }
  /** A call that the agent carried out: AG-UI clients see it with arguments and result. */
  | {
      readonly kind: 'tool';
      readonly name: string;
      readonly input: JsonObject;
      readonly outcome: ToolOutcome;
    }
  | { readonly kind: 'file'; readonly filename: string; readonly mediaType: string; readonly text: string }
  /** The shared state as a whole, or RFC 6902 operations on it. */
  | { readonly kind: 'state'; readonly state: JsonValue }
  | { readonly kind: 'state'; readonly patch: readonly JsonObject[] }
  /** What the call brought that was just allowed; left out, it shows as carried out without a result. */
  | { readonly kind: 'result'; readonly outcome: ToolOutcome }
  | Ask;

/**
 * Ends the run and waits, for hours and over restarts. A generator can't be put away for so long: it is closed here (its
 * `finally` runs), and when the answer comes the agent is called again, with `turn.answer`. `keep` is what it wants to find
 * there: JSON, and no secret, for it is written to disk.
 */
export type Ask =
  | {
      readonly kind: 'question';
      readonly prompt: string;
      /** Answers to choose from; words of one's own are always possible. */
      readonly options?: readonly string[];
      readonly keep?: JsonValue;
    }
  /** May this be done? The agent does it itself when it is called again. */
  | {
      readonly kind: 'permission';
      readonly name: string;
      readonly input: JsonObject;
      readonly prompt: string;
      /** JSON Schema of arguments that the person may give in the place of `input`. */
      readonly editable?: JsonObject;
      readonly keep?: JsonValue;
    }
  /** Calls of the client's tools, by the names in `turn.tools`. */
  | { readonly kind: 'client-tools'; readonly calls: readonly ClientCall[]; readonly keep?: JsonValue };

export interface ClientCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** `keep` is null where nothing was to be kept. */
export type OwnAnswer =
  | { readonly kind: 'question'; readonly text: string; readonly keep: JsonValue }
  /** `input` is what is allowed: the person may have changed it where that was offered. */
  | {
      readonly kind: 'permission';
      readonly isAllowed: boolean;
      readonly name: string;
      readonly input: JsonObject;
      readonly keep: JsonValue;
    }
  /** In the order of the calls. */
  | { readonly kind: 'client-tools'; readonly results: readonly ClientOutcome[]; readonly keep: JsonValue };

export interface ClientOutcome extends ClientCall {
  readonly text: string;
  /** What went wrong in the client, in its words. */
  readonly error: string | undefined;
}

/** One turn. It ends the run when it returns, and fails it when it throws (the cause goes to the log, not to the client). */
export type OwnAgent = (turn: OwnTurn) => AsyncIterable<Piece>;

/** `ToolLoopAgent` of the AI SDK and whatever streams like it. */
export interface SdkAgent {
  stream(options: { messages: ModelMessage[]; abortSignal: AbortSignal }): PromiseLike<{
    readonly stream: AsyncIterable<TextStreamPart<ToolSet>>;
    readonly responseMessages: PromiseLike<ResponseMessage[]>;
  }>;
}
