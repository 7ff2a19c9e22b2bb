/**
 * The kinds of id that meet in one call, kept apart by the compiler. This file is the only place where a plain
 * string becomes one of them; the makers below check what the field's contracts ask of each.
 */
declare const brand: unique symbol;
export type Id<Name extends string> = string & { readonly [brand]: Name };

/** AG-UI thread: a stable conversation inside one session namespace. Opaque, 1 to 1,024 characters. */
export type ThreadId = Id<'ThreadId'>;
/** AG-UI run: one request and its stream. Never used twice in a thread. */
export type RunId = Id<'RunId'>;
/** iac-code execution: one turn of a thread together with the resumes that continue it. */
export type ExecutionId = Id<'ExecutionId'>;
/** AG-UI interrupt: one question that waits for an answer. */
export type InterruptId = Id<'InterruptId'>;
/** A2A task, named by the kernel. */
export type TaskId = Id<'TaskId'>;
/** A2A context, named by us from session and thread. */
export type ContextId = Id<'ContextId'>;
/** AgentCore session: value of X-Amzn-Bedrock-AgentCore-Runtime-Session-Id. */
export type SessionId = Id<'SessionId'>;
/** One request, for logs and the x-amzn-requestid header. */
export type RequestId = Id<'RequestId'>;

export const maxIdLength = 1024;

function asId<Name extends string>(value: string): Id<Name> {
  return value as Id<Name>;
}

export const threadId = (value: string): ThreadId => asId<'ThreadId'>(value);
export const runId = (value: string): RunId => asId<'RunId'>(value);
export const executionId = (value: string): ExecutionId => asId<'ExecutionId'>(value);
export const interruptId = (value: string): InterruptId => asId<'InterruptId'>(value);
export const taskId = (value: string): TaskId => asId<'TaskId'>(value);
export const contextId = (value: string): ContextId => asId<'ContextId'>(value);
export const requestId = (value: string): RequestId => asId<'RequestId'>(value);

/**
 * A session id as the platform sends it: 33 to 256 characters, a letter or digit first, then letters, digits,
 * hyphens and underscores. Returns undefined for anything else.
 */
export function parseSessionId(value: string): SessionId | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{32,255}$/.test(value) ? asId<'SessionId'>(value) : undefined;
}

/** Where a thread lives. `sessionId` undefined is the default namespace (no session header). */
export interface ThreadAddress {
  readonly sessionId: SessionId | undefined;
  readonly threadId: ThreadId;
}
