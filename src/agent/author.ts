/**
 * Who answers in an embedded agent. An author works on a stage: what it says and does there becomes the frames of an A2A
 * task. The offline author is one; a model's loop is another.
 */
import type { JsonObject, JsonValue } from '../protocol/json.ts';
import type { ContextEntry, Tool } from '../protocol/run-input.ts';
import type { ClientResult } from './client-results.ts';

export interface Turn {
  /** The user's words. */
  readonly text: string;
  /** Pictures that came with the words, checked at the door. */
  readonly images: readonly TurnImage[];
  /** Workspace of the thread, absolute. */
  readonly cwd: string;
  /** Two letters: the language asked for, where the words themselves do not tell. */
  readonly language: string | undefined;
  /** `preferredLanguage` of the request itself: wins over the words. */
  readonly demandedLanguage: string | undefined;
  /** What the author remembered of the turns before. */
  readonly remembered: JsonObject | undefined;
  /** AG-UI context of the request. */
  readonly context: readonly ContextEntry[];
  /** AG-UI state of the request. */
  readonly state: JsonValue;
  /** Tools of the client, checked at the door: a call of one is carried out by the client, after the run. */
  readonly clientTools: readonly Tool[];
  /** What the client's tools brought, oldest first; the request repeats those of earlier turns. */
  readonly clientResults: readonly ClientResult[];
  /** The request brings results and no new words: `text` was said before. */
  readonly bringsOnlyResults: boolean;
  /** What the request says about the model. Used for this turn and kept nowhere. */
  readonly wishes: ModelWishes;
  /** Aborted when the turn is cancelled. */
  readonly signal: AbortSignal;
}

export interface TurnImage {
  /** `image/png` and the like. */
  readonly mediaType: string;
  readonly base64: string;
}

/** `forwardedProps.iacCode.model`, `llmApiKey` and `thinking` of one request. */
export interface ModelWishes {
  readonly model?: string;
  readonly apiKey?: string;
  readonly thinking?: { readonly enabled: boolean; readonly effort?: string; readonly budget?: number };
}

/** Every member may reject with the reason of `signal` once the turn is cancelled. */
export interface Stage {
  /** Adds to the message that is being said; resolves when the reader can take more. */
  say(text: string): Promise<void>;
  /** Adds to the reasoning that is shown apart from the message. */
  think(text: string): Promise<void>;
  /** Tokens of one answer of a model: `{inputTokens, outputTokens, totalTokens, …}`, counts only. */
  countTokens(usage: JsonObject): void;
  /** Calls a tool and shows call and result. A failure is an outcome, not an exception. */
  callTool(name: string, input: JsonObject): Promise<ToolOutcome>;
  /** Shows a call that the author carried out itself, with its outcome. */
  showCall(name: string, input: JsonObject, outcome: ToolOutcome): Promise<void>;
  /** Shows calls of the client's tools, in order, and answers the ids under which their results will come. */
  showClientCalls(calls: readonly { readonly name: string; readonly input: JsonObject }[]): Promise<string[]>;
  /** The run ends with these calls for the client to carry out. Said after what is needed to go on was remembered. */
  awaitClient(toolCallIds: readonly string[]): void;
  /** AG-UI state as it is now: the request's, with what was changed since. */
  readonly state: JsonValue;
  /** Changes the shared state, as a whole or by RFC 6902 operations, and tells the client. */
  changeState(change: StateChange): StateChanged;
  /** Shows the outcome of the allowed call that the author carries out itself. */
  showAllowed(outcome: ToolOutcome): Promise<void>;
  showArtifact(artifact: ShownArtifact): Promise<void>;
  /** Keeps a document for the turns to come. */
  remember(document: JsonObject): Promise<void>;
}

export type StateChange = { readonly state: JsonValue } | { readonly patch: readonly JsonValue[] };
/** `problem` may be shown to the user. */
export type StateChanged = { readonly ok: true } | { readonly ok: false; readonly problem: string };

export interface ShownArtifact {
  readonly filename: string;
  readonly mediaType: string;
  readonly text: string;
}

export type ToolOutcome =
  | { readonly ok: true; readonly result: JsonObject }
  /** `problem` may be shown to the user. */
  | { readonly ok: false; readonly problem: string };

/** A tool call that must not run before the user allows it. */
export interface AskedCall {
  readonly kind: 'permission';
  readonly name: string;
  readonly input: JsonObject;
  /** One sentence, in the user's language. */
  readonly prompt: string;
  /** What the call does: `file_change` and the like, as iac-code names effects. */
  readonly effect: string;
  /** JSON Schema of arguments that the user may give in the place of `input`; absent where they can't be changed. */
  readonly editable?: JsonObject;
  /** The author carries the allowed call out itself and shows its outcome; else the tool box does. */
  readonly runsItself?: boolean;
}

/** A tool call whose result is what the user answers. */
export interface AskedQuestion {
  readonly kind: 'question';
  readonly name: string;
  readonly input: JsonObject;
  readonly prompt: string;
  /** Answers to choose from; none leaves the user's own words. */
  readonly options: readonly string[];
}

export type Asked = AskedCall | AskedQuestion;

/** How a turn stops: at its end, or at a question that the next message of the task answers. */
export type TurnEnd = 'done' | Asked;

export interface Author {
  /** Works the turn to its end or to a question. What it throws ends the task as failed. */
  perform(turn: Turn, stage: Stage): Promise<TurnEnd>;
  /**
   * Goes on behind a question: with what the allowed call brought, with `{answer}` for a question, or with undefined
   * when the call was denied. `asked.input` is what the user made of it. For a call that the author runs itself the
   * outcome is `{allowed: true}`.
   */
  goOn(turn: Turn, stage: Stage, asked: Asked, outcome: ToolOutcome | undefined): Promise<TurnEnd>;
  /** Client tools and shared state are of use. */
  readonly usesClient?: boolean;
  /** Names that tools of a client must not take. */
  readonly toolNames?: readonly string[];
  /** Is any of these the result of a call that waits, or is there an unfinished answer to go on with? */
  expects?(remembered: JsonObject | undefined, results: readonly ClientResult[]): boolean;
}
