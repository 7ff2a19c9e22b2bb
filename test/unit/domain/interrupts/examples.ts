/** Questions, answers and threads as the interrupt tests need them. */
import { type Answer, readContent } from '../../../../src/domain/interrupts/answer.ts';
import type { PayloadCheck } from '../../../../src/domain/interrupts/answers.ts';
import type { Execution, PendingInterrupt, ThreadRecord } from '../../../../src/domain/thread/thread.ts';
import { contextId, executionId, runId, taskId, threadId } from '../../../../src/protocol/ids.ts';
import type { ResumeEntry } from '../../../../src/protocol/interrupt.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';

export const now = Date.parse('2026-03-01T10:00:00Z');
export const later = '2026-03-01T10:09:00.000Z';
export const target = { taskId: taskId('task-31'), contextId: contextId('ctx-7'), runId: runId('run-2') };

export const permissionInput: JsonObject = {
  schemaVersion: 1,
  kind: 'permission',
  requestTaskId: 'task-31',
  contextId: 'ctx-7',
  inputId: 'permission-1',
  toolUseId: 'tu-5',
  prompt: 'Run ls. Allow once?',
  options: [
    { id: 'allow_once', label: 'Allow once' },
    { id: 'deny', label: 'Deny' },
  ],
  required: true,
};

export const questionInput: JsonObject = {
  kind: 'ask_user_question',
  requestTaskId: 'task-31',
  contextId: 'ctx-7',
  inputId: 'ask-1',
  toolUseId: 'tu-6',
  prompt: 'Which region?',
  options: [
    { id: 'hz', label: 'Hangzhou' },
    { id: 'bj', label: 'Beijing' },
  ],
  allowFreeText: true,
  freeTextPrompt: 'type a region',
  required: true,
};

export function waiting(input: JsonObject, more: Partial<PendingInterrupt> = {}): PendingInterrupt {
  return { input, expiresAt: later, sideband: false, ...more };
}

export const permission = (id = 'permission-1', more: Partial<PendingInterrupt> = {}): PendingInterrupt =>
  waiting({ ...permissionInput, inputId: id, toolUseId: `tool-of-${id}` }, more);

export const question = (id = 'ask-1', more: JsonObject = {}): PendingInterrupt =>
  waiting({ ...questionInput, inputId: id, ...more });

export function execution(more: Partial<Execution> = {}): Execution {
  return {
    executionId: executionId('execution-1'),
    rosInvocationId: 'invocation-1',
    taskId: target.taskId,
    activeRunId: null,
    pipelineSequence: 0,
    openSteps: [],
    textDigests: [],
    pending: [],
    expired: [],
    ...more,
  };
}

export function thread(more: Partial<ThreadRecord> = {}): ThreadRecord {
  return {
    address: { sessionId: undefined, threadId: threadId('thread-1') },
    contextId: target.contextId,
    cwd: '/srv/thread-1',
    userId: null,
    subject: null,
    kernelSessionId: null,
    execution: execution(),
    runs: [],
    applied: [],
    terminalExecutionIds: [],
    updatedAt: 0,
    ...more,
  };
}

export const allow = (interruptId = 'permission-1'): ResumeEntry => ({
  interruptId,
  status: 'resolved',
  payload: { decision: 'allow_once' },
});
export const deny = (interruptId = 'permission-1'): ResumeEntry => ({
  interruptId,
  status: 'resolved',
  payload: { decision: 'deny' },
});
export const select = (selectedId: string, interruptId = 'ask-1'): ResumeEntry => ({
  interruptId,
  status: 'resolved',
  payload: { selectedId },
});
export const say = (freeText: string, interruptId = 'ask-1'): ResumeEntry => ({
  interruptId,
  status: 'resolved',
  payload: { freeText },
});
export const walkAway = (interruptId: string): ResumeEntry => ({ interruptId, status: 'cancelled' });

export const anyPayload = (): PayloadCheck => ({ ok: true });

/** The answer that an accepted entry becomes. */
export function answerOf(pending: PendingInterrupt, entry: ResumeEntry): Answer {
  const content = readContent(pending, entry);
  if (content === undefined) throw new Error('the entry holds no answer');
  return { interruptId: entry.interruptId, pending, digest: `digest-of-${entry.interruptId}`, content };
}
