/**
 * The AG-UI 1.0 events that this product emits, as one tagged union. Names, members and optionality follow the
 * AG-UI schema (`@ag-ui/core`); a test keeps the two assignable to each other. Optional members are left out when
 * they have no value, never null.
 */
import type { Interrupt } from './interrupt.ts';
import type { JsonObject, JsonValue } from './json.ts';

interface Common {
  readonly metadata?: JsonObject;
}

export interface RunStarted extends Common {
  readonly type: 'RUN_STARTED';
  readonly threadId: string;
  readonly runId: string;
  readonly protocolVersion?: string;
  readonly parentRunId?: string;
}

/** Tokens of one provider and model in one run. Non-negative integers; absent means not reported. */
export interface TokenUsage {
  readonly provider?: string;
  readonly model?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly reasoningTokens?: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteInputTokens?: number;
}

export type RunOutcome =
  | { readonly type: 'success'; readonly pendingToolCallIds?: readonly string[] }
  | { readonly type: 'interrupt'; readonly interrupts: readonly Interrupt[] }
  | { readonly type: 'cancelled' };

export interface RunFinished extends Common {
  readonly type: 'RUN_FINISHED';
  readonly threadId: string;
  readonly runId: string;
  readonly result?: JsonValue;
  readonly outcome?: RunOutcome;
  readonly usage?: readonly TokenUsage[];
}

export interface RunError extends Common {
  readonly type: 'RUN_ERROR';
  readonly message: string;
  readonly code?: string;
  readonly usage?: readonly TokenUsage[];
}

export interface StepStarted extends Common {
  readonly type: 'STEP_STARTED';
  readonly stepName: string;
}
export interface StepFinished extends Common {
  readonly type: 'STEP_FINISHED';
  readonly stepName: string;
}

export interface TextMessageStart extends Common {
  readonly type: 'TEXT_MESSAGE_START';
  readonly messageId: string;
  readonly role: 'assistant';
}
export interface TextMessageContent extends Common {
  readonly type: 'TEXT_MESSAGE_CONTENT';
  readonly messageId: string;
  readonly delta: string;
}
export interface TextMessageEnd extends Common {
  readonly type: 'TEXT_MESSAGE_END';
  readonly messageId: string;
}

export interface ToolCallStart extends Common {
  readonly type: 'TOOL_CALL_START';
  readonly toolCallId: string;
  readonly toolCallName: string;
  readonly parentMessageId?: string;
}
export interface ToolCallArgs extends Common {
  readonly type: 'TOOL_CALL_ARGS';
  readonly toolCallId: string;
  readonly delta: string;
}
export interface ToolCallEnd extends Common {
  readonly type: 'TOOL_CALL_END';
  readonly toolCallId: string;
}
export interface ToolCallResult extends Common {
  readonly type: 'TOOL_CALL_RESULT';
  readonly messageId: string;
  readonly toolCallId: string;
  readonly content: string;
  readonly role: 'tool';
}

export interface StateSnapshot extends Common {
  readonly type: 'STATE_SNAPSHOT';
  readonly snapshot: JsonValue;
}
export interface StateDelta extends Common {
  readonly type: 'STATE_DELTA';
  readonly delta: readonly JsonObject[];
}
export interface MessagesSnapshot extends Common {
  readonly type: 'MESSAGES_SNAPSHOT';
  readonly messages: readonly JsonObject[];
}
export interface ActivitySnapshot extends Common {
  readonly type: 'ACTIVITY_SNAPSHOT';
  readonly messageId: string;
  readonly activityType: string;
  readonly content: JsonObject;
  readonly replace?: boolean;
}

export interface ReasoningStart extends Common {
  readonly type: 'REASONING_START';
  readonly messageId: string;
}
export interface ReasoningMessageStart extends Common {
  readonly type: 'REASONING_MESSAGE_START';
  readonly messageId: string;
  readonly role: 'reasoning';
}
export interface ReasoningMessageContent extends Common {
  readonly type: 'REASONING_MESSAGE_CONTENT';
  readonly messageId: string;
  readonly delta: string;
}
export interface ReasoningMessageEnd extends Common {
  readonly type: 'REASONING_MESSAGE_END';
  readonly messageId: string;
}
export interface ReasoningEnd extends Common {
  readonly type: 'REASONING_END';
  readonly messageId: string;
}

export interface Custom extends Common {
  readonly type: 'CUSTOM';
  readonly name: string;
  readonly value: JsonValue;
}
export interface Raw extends Common {
  readonly type: 'RAW';
  readonly event: JsonValue;
  readonly source?: string;
}

/** What may stand between `RUN_STARTED` and the terminal event. */
export type ContentEvent =
  | StepStarted
  | StepFinished
  | TextMessageStart
  | TextMessageContent
  | TextMessageEnd
  | ToolCallStart
  | ToolCallArgs
  | ToolCallEnd
  | ToolCallResult
  | StateSnapshot
  | StateDelta
  | MessagesSnapshot
  | ActivitySnapshot
  | ReasoningStart
  | ReasoningMessageStart
  | ReasoningMessageContent
  | ReasoningMessageEnd
  | ReasoningEnd
  | Custom
  | Raw;

export type TerminalEvent = RunFinished | RunError;
export type AgUiEvent = RunStarted | ContentEvent | TerminalEvent;

/** The AG-UI protocol version that we speak and announce on `RUN_STARTED`. */
export const protocolVersion = '1.0';
