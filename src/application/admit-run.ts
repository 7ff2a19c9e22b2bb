/** Admission in the thread's own line: what is past due expires, the ladder decides, the reservation is saved. */
import { type Admission, decideAdmission } from '../domain/admission/admission.ts';
import { decideBeforeKernel, type PayloadCheck } from '../domain/interrupts/answers.ts';
import { expireExecution } from '../domain/interrupts/expiry.ts';
import { requestFingerprint } from '../domain/thread/fingerprint.ts';
import { contextIdOf, derivedInvocationId } from '../domain/thread/names.ts';
import type { ThreadRecord } from '../domain/thread/thread.ts';
import type { Runtime } from '../ports/runtime.ts';
import { executionId, type TaskId, type ThreadAddress } from '../protocol/ids.ts';
import type { JsonObject, JsonValue } from '../protocol/json.ts';
import { lookNowhere } from './own-thread.ts';
import type { RunRequest } from './run-service.ts';
import type { HeldThread, ThreadDesk } from './thread-desk.ts';

export interface AdmissionSettings {
  readonly maxRunsRemembered: number;
  readonly maxTerminalExecutions: number;
}

export interface AdmissionParts {
  readonly desk: ThreadDesk;
  readonly runtime: Runtime;
  readonly settings: AdmissionSettings;
  readonly check: (schema: JsonObject, payload: JsonValue) => PayloadCheck;
  /** Told of a task whose questions ran out of time and that no run takes over: it is to be cancelled. */
  readonly abandoned: (taskId: TaskId) => void;
}

export interface AdmittedRun {
  readonly record: ThreadRecord;
  /** A task of this context that nobody follows any more and that is to be cancelled before the next begins. */
  readonly orphan: TaskId | null;
}

/** Rejects with the fault of the rung that objects; then nothing is reserved. */
export function admitRun(
  request: RunRequest,
  address: ThreadAddress,
  cwd: string,
  parts: AdmissionParts,
): Promise<AdmittedRun> {
  return parts.desk.use(address, async (held) => {
    const { current, expiredTask } = await expireDue(held, parts);
    let isTakenOver = false;
    try {
      if (request.door === 'agentcore') refuseBadResume(request, current, parts);
      const admission = decide(request, address, cwd, current, parts);
      if (admission.kind === 'reject') {
        const isForeign = current !== undefined && current.subject !== request.caller.subject;
        if (isForeign) await lookNowhere(address, parts.desk);
        throw admission.fault;
      }
      await held.save(admission.record);
      isTakenOver = request.input.resume === undefined;
      return { record: admission.record, orphan: expiredTask ?? orphanOf(current, admission.record) };
    } finally {
      // A new turn has it cancelled before it sends its message; anything else must not wait for that.
      if (expiredTask !== null && !isTakenOver) parts.abandoned(expiredTask);
    }
  });
}

async function expireDue(
  held: HeldThread,
  { runtime, settings }: AdmissionParts,
): Promise<{ readonly current: ThreadRecord | undefined; readonly expiredTask: TaskId | null }> {
  const { record } = held;
  if (record === undefined || record.execution.activeRunId !== null)
    return { current: record, expiredTask: null };
  const expiry = expireExecution(record, settings.maxTerminalExecutions, runtime.clock.now());
  if (expiry === undefined) return { current: record, expiredTask: null };
  await held.save(expiry.record);
  return { current: expiry.record, expiredTask: expiry.taskToCancel };
}

/** The AgentCore door tells what the stored thread decides before it opens a stream; the iac-code door in the stream. */
function refuseBadResume(
  request: RunRequest,
  record: ThreadRecord | undefined,
  { runtime, check }: AdmissionParts,
): void {
  const entries = request.input.resume;
  if (entries === undefined || record === undefined || record.execution.activeRunId !== null) return;
  if (record.subject !== request.caller.subject) return;
  const { execution, applied } = record;
  const decision = decideBeforeKernel({ execution, applied, entries, now: runtime.clock.now(), check });
  if (decision.kind === 'reject') throw decision.fault;
}

function decide(
  { input, props, caller, body }: RunRequest,
  address: ThreadAddress,
  cwd: string,
  record: ThreadRecord | undefined,
  { runtime, settings }: AdmissionParts,
): Admission {
  const limits = {
    maxRuns: settings.maxRunsRemembered,
    maxTerminalExecutions: settings.maxTerminalExecutions,
  };
  return decideAdmission(
    {
      address,
      runId: input.runId,
      isResume: input.resume !== undefined,
      digest: requestFingerprint(body),
      cwd,
      userId: props?.userId ?? null,
      subject: caller.subject,
      rosInvocationId: props?.rosInvocationId,
      fresh: {
        contextId: contextIdOf(address),
        executionId: executionId(runtime.ids.uuid()),
        rosInvocationId: derivedInvocationId(address),
        now: runtime.clock.now(),
      },
    },
    record,
    limits,
  );
}

/** A task that was left behind by a process that died: the new execution does not have it any more. */
function orphanOf(before: ThreadRecord | undefined, after: ThreadRecord): TaskId | null {
  const taskId = before?.execution.taskId ?? null;
  return taskId !== null && after.execution.taskId !== taskId ? taskId : null;
}
