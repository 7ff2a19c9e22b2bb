/** A normal turn: the newest user message, addressed to the kernel. */
import type { ThreadRecord } from '../domain/thread/thread.ts';
import type { Kernel, KernelSend } from '../ports/kernel.ts';
import type { Clock } from '../ports/runtime.ts';
import type { Workspaces } from '../ports/workspaces.ts';
import type { A2aMessage } from '../protocol/a2a.ts';
import type { TaskId } from '../protocol/ids.ts';
import { objectAt } from '../protocol/json.ts';
import { newMemory } from '../translate/memory.ts';
import { kernelMetadata } from '../translate/outgoing/metadata.ts';
import { resultsOnly, type UserMessage, userMessage } from '../translate/outgoing/user-message.ts';
import { cancelTask } from './kernel-fault.ts';
import type { Opening } from './opening.ts';
import type { RunRequest } from './run-service.ts';

export type { UserMessage } from '../translate/outgoing/user-message.ts';

/** Throws what is wrong with the message; `content-unsupported` and the like only where the door is strict. */
export function readUserMessage({ input, door }: RunRequest): UserMessage {
  const newest = input.messages.at(-1);
  const isResult = input.tools.length > 0 && newest?.role === 'tool';
  // Some clients send what is new and not the conversation. The agent knows which call the result is for.
  if (door === 'agentcore' && isResult && input.messages.every(({ role }) => role !== 'user'))
    return { message: resultsOnly(newest.id), skipped: [] };
  return userMessage(input.messages, { strictContent: door === 'iac-code' });
}

/** The message with its context and the request's own options; secrets travel here and are kept nowhere. */
export function addressedMessage(message: A2aMessage, record: ThreadRecord, request: RunRequest): A2aMessage {
  const options = kernelMetadata({
    props: request.props,
    cwd: record.cwd,
    rosInvocationId: record.execution.rosInvocationId,
    language: request.language,
  });
  return {
    ...message,
    contextId: record.contextId,
    metadata: { iac_code: { ...options, ...objectAt(message.metadata, 'iac_code') } },
  };
}

export interface NewRunParts {
  readonly kernel: Kernel;
  readonly workspaces: Workspaces;
  readonly request: RunRequest;
  readonly record: ThreadRecord;
  readonly message: UserMessage;
  /** A task of the same context that must be out of the way first: kernels refuse overlap. */
  readonly orphan: TaskId | null;
  /** Resolves when the run before on this thread has left the kernel. */
  readonly previous: Promise<void> | undefined;
  readonly clock: Clock;
}

/** How long a cancel of the run before is waited for. */
const previousMs = 5_000;

export async function openNewRun(parts: NewRunParts, signal: AbortSignal): Promise<Opening> {
  const { kernel, workspaces, request, record, message, orphan } = parts;
  await workspaces.ensure(record.cwd);
  const { profile, accepts } = await kernel.describe(signal);
  if (parts.previous !== undefined) await withinMs(parts.previous, previousMs, parts.clock);
  if (orphan !== null) await cancelTask(kernel, orphan, signal).catch(() => undefined);
  const usesInput = accepts.tools || accepts.context || accepts.state;
  const send: KernelSend = {
    message: addressedMessage(message.message, record, request),
    ...(usesInput ? { input: request.input } : {}),
  };
  const { threadId, runId } = request.input;
  return {
    kind: 'stream',
    profile,
    memory: newMemory({ profile, threadId, runId }),
    events: [],
    open: (reading) => kernel.send(send, reading),
  };
}

function withinMs(promise: Promise<void>, ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const end = clock.after(ms, resolve);
    void promise.then(() => {
      end();
      resolve();
    });
  });
}
