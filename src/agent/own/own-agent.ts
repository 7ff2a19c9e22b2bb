/**
 * What a developer may put in the place of the agent that comes along: an async generator, or an agent of the AI SDK.
 * Either runs inside the embedded agent, which does the rest: tasks, followers, cancelling, memory.
 */
import type { ModelMessage, TextStreamPart, ToolSet } from 'ai';
import type { JsonObject, JsonValue } from '../../protocol/json.ts';
import type { ContextEntry } from '../../protocol/run-input.ts';
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
  | { readonly kind: 'file'; readonly filename: string; readonly mediaType: string; readonly text: string };

/** One turn. It ends the run when it returns, and fails it when it throws (the cause goes to the log, not to the client). */
export type OwnAgent = (turn: OwnTurn) => AsyncIterable<Piece>;

/** `ToolLoopAgent` of the AI SDK and whatever streams like it. */
export interface SdkAgent {
  stream(options: { messages: ModelMessage[]; abortSignal: AbortSignal }): PromiseLike<{
    readonly stream: AsyncIterable<TextStreamPart<ToolSet>>;
    readonly responseMessages: PromiseLike<ResponseMessage[]>;
  }>;
}
