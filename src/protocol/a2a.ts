/**
 * A2A 1.0 as it stands on the wire (ProtoJSON spelling). These types describe what we *write*; what a kernel sends
 * is a `JsonObject` that `translate/kernel-frame` reads member by member, because it is not to be trusted.
 */
import type { JsonObject, JsonValue } from './json.ts';

export const taskStates = [
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
] as const;
export type TaskState = (typeof taskStates)[number];

/** Exactly one of `text`, `data`, `raw` (base64) and `url` is present. */
export interface A2aPart extends JsonObject {
  readonly text?: string;
  readonly data?: JsonValue;
  readonly raw?: string;
  readonly url?: string;
  readonly filename?: string;
  readonly mediaType?: string;
  readonly metadata?: JsonObject;
}

export interface A2aMessage extends JsonObject {
  readonly messageId: string;
  readonly role: 'ROLE_USER' | 'ROLE_AGENT';
  readonly contextId?: string;
  readonly taskId?: string;
  readonly parts: readonly A2aPart[];
  readonly metadata?: JsonObject;
}

export interface A2aTaskStatus extends JsonObject {
  readonly state: TaskState;
  readonly message?: A2aMessage;
  readonly timestamp?: string;
}

export interface A2aArtifact extends JsonObject {
  readonly artifactId: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts: readonly A2aPart[];
  readonly metadata?: JsonObject;
}

export interface A2aTask extends JsonObject {
  readonly id: string;
  readonly contextId: string;
  readonly status: A2aTaskStatus;
  readonly artifacts?: readonly A2aArtifact[];
  readonly history?: readonly A2aMessage[];
  readonly metadata?: JsonObject;
}

export interface A2aStatusUpdate extends JsonObject {
  readonly taskId: string;
  readonly contextId: string;
  readonly status: A2aTaskStatus;
  readonly metadata?: JsonObject;
}

export interface A2aArtifactUpdate extends JsonObject {
  readonly taskId: string;
  readonly contextId: string;
  readonly artifact: A2aArtifact;
  readonly append?: boolean;
  readonly lastChunk?: boolean;
  readonly metadata?: JsonObject;
}

/** One item of a stream: the `result` of a JSON-RPC response. At most one member is present; none is lawful too. */
export interface A2aStreamItem extends JsonObject {
  readonly task?: A2aTask;
  readonly statusUpdate?: A2aStatusUpdate;
  readonly artifactUpdate?: A2aArtifactUpdate;
  readonly message?: A2aMessage;
}
