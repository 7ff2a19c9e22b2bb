import type { JsonObject, JsonValue } from './json.ts';

/** AG-UI 1.0 interrupt, as it stands in `RUN_FINISHED.outcome.interrupts`. */
export interface Interrupt {
  readonly id: string;
  readonly reason: string;
  readonly message?: string;
  readonly toolCallId?: string;
  readonly responseSchema?: JsonObject;
  /** ISO 8601, UTC. */
  readonly expiresAt?: string;
  readonly metadata?: JsonObject;
}

/** AG-UI 1.0 answer to one interrupt, as it stands in `RunAgentInput.resume`. */
export interface ResumeEntry {
  readonly interruptId: string;
  readonly status: 'resolved' | 'cancelled';
  readonly payload?: JsonValue;
  readonly metadata?: JsonObject;
}
