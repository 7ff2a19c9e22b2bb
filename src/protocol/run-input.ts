/** AG-UI 1.0 `RunAgentInput`: unknown JSON in, a typed input without unknown members out, or what is wrong and where. */
import type { RunId, ThreadId } from './ids.ts';
import type { ResumeEntry } from './interrupt.ts';
import type { JsonObject, JsonValue } from './json.ts';

export interface InputMessage extends JsonObject {
  readonly id: string;
  readonly role: 'developer' | 'system' | 'user' | 'assistant' | 'tool' | 'reasoning' | 'activity';
}

export interface Tool extends JsonObject {
  readonly name: string;
  readonly description: string;
  readonly parameters?: JsonObject;
}

export interface ContextEntry {
  readonly description: string;
  readonly value: string;
}

export interface RunAgentInput {
  readonly threadId: ThreadId;
  readonly runId: RunId;
  readonly parentRunId?: string;
  /** Absent from clients that speak AG-UI before 1.0. */
  readonly protocolVersion?: string;
  readonly state: JsonValue;
  readonly messages: readonly InputMessage[];
  readonly tools: readonly Tool[];
  readonly context: readonly ContextEntry[];
  readonly forwardedProps: JsonValue;
  /** Present, even when empty, makes the run a resume. */
  readonly resume?: readonly ResumeEntry[];
}
