/**
 * May this run begin? A ladder of rungs in a fixed order, each one named function; the first that objects decides.
 * Pure: what it needs to know is in `Request` and the thread as stored. The order is that of the iac-code AG-UI
 * interface (duplicates before busy before binding before resume), with the caller's identity before everything, so
 * that a stranger learns nothing about a thread.
 */
import { type Fault, fault } from '../../errors/fault.ts';
import type { ContextId, ExecutionId, RunId, ThreadAddress } from '../../protocol/ids.ts';
import type { Execution, ThreadRecord } from '../thread/thread.ts';

export interface AdmissionRequest {
  readonly address: ThreadAddress;
  readonly runId: RunId;
  readonly isResume: boolean;
  /** Fingerprint of the request without its secrets. */
  readonly digest: string;
  readonly cwd: string;
  readonly userId: string | null;
  readonly subject: string | null;
  /** Undefined when the request brought none: it then can't contradict the execution's. */
  readonly rosInvocationId: string | undefined;
  /** Values for what a new thread or execution needs. */
  readonly fresh: {
    readonly contextId: ContextId;
    readonly executionId: ExecutionId;
    readonly rosInvocationId: string;
    /** Unix milliseconds. */
    readonly now: number;
  };
}

export interface AdmissionLimits {
  /** How many run ids of a thread are remembered; older ones could be used again. */
  readonly maxRuns: number;
  readonly maxTerminalExecutions: number;
}

export type Admission =
  | { readonly kind: 'admit'; readonly record: ThreadRecord }
  | { readonly kind: 'reject'; readonly fault: Fault };

type Rung = (request: AdmissionRequest, record: ThreadRecord) => Fault | undefined;

const ladder: readonly Rung[] = [
  ownedByCaller,
  runIdUnused,
  threadIdle,
  boundWorkspaceAndUser,
  resumeOfThisExecution,
  nothingWaits,
];

/** `record` undefined is an unknown thread. An admitted record holds the reservation; it is not saved yet. */
export function decideAdmission(
  request: AdmissionRequest,
  record: ThreadRecord | undefined,
  limits: AdmissionLimits,
): Admission {
  if (record === undefined) {
    if (request.isResume) return { kind: 'reject', fault: fault('execution-lost') };
    return { kind: 'admit', record: reserve(request, newThread(request), limits) };
  }
  for (const rung of ladder) {
    const objection = rung(request, record);
    if (objection !== undefined) return { kind: 'reject', fault: objection };
  }
  const current = request.isResume ? record : rotateExecution(request, record, limits);
  return { kind: 'admit', record: reserve(request, current, limits) };
}

function ownedByCaller(request: AdmissionRequest, record: ThreadRecord): Fault | undefined {
  if (record.subject === request.subject) return undefined;
  // A resume is answered as on a thread that nobody knows, so that it tells nothing.
  return fault(request.isResume ? 'execution-lost' : 'thread-of-another-caller');
}

function runIdUnused(request: AdmissionRequest, record: ThreadRecord): Fault | undefined {
  const used = record.runs.find(({ runId }) => runId === request.runId);
  if (used === undefined) return undefined;
  return fault(used.digest === request.digest ? 'run-id-used' : 'run-id-conflict');
}

function threadIdle(_request: AdmissionRequest, record: ThreadRecord): Fault | undefined {
  return record.execution.activeRunId === null ? undefined : fault('thread-busy');
}

function boundWorkspaceAndUser(request: AdmissionRequest, record: ThreadRecord): Fault | undefined {
  if (record.cwd !== request.cwd) return fault('thread-in-another-workspace');
  return record.userId === request.userId ? undefined : fault('thread-of-another-caller');
}

function resumeOfThisExecution(request: AdmissionRequest, record: ThreadRecord): Fault | undefined {
  if (!request.isResume || request.rosInvocationId === undefined) return undefined;
  return request.rosInvocationId === record.execution.rosInvocationId
    ? undefined
    : fault('execution-mismatch');
}

function nothingWaits(request: AdmissionRequest, record: ThreadRecord): Fault | undefined {
  return !request.isResume && record.execution.pending.length > 0 ? fault('resume-required') : undefined;
}

function newThread(request: AdmissionRequest): ThreadRecord {
  return {
    address: request.address,
    contextId: request.fresh.contextId,
    cwd: request.cwd,
    userId: request.userId,
    subject: request.subject,
    kernelSessionId: null,
    execution: newExecution(request),
    runs: [],
    applied: [],
    terminalExecutionIds: [],
    updatedAt: request.fresh.now,
  };
}

function newExecution(request: AdmissionRequest): Execution {
  return {
    executionId: request.fresh.executionId,
    rosInvocationId: request.rosInvocationId ?? request.fresh.rosInvocationId,
    taskId: null,
    activeRunId: null,
    pipelineSequence: 0,
    openSteps: [],
    textDigests: [],
    pending: [],
    expired: [],
  };
}

/** A normal turn on a known thread is a new execution; the one before can't be resumed any more. */
function rotateExecution(
  request: AdmissionRequest,
  record: ThreadRecord,
  limits: AdmissionLimits,
): ThreadRecord {
  const terminal = record.terminalExecutionIds.includes(record.execution.executionId)
    ? record.terminalExecutionIds
    : [...record.terminalExecutionIds, record.execution.executionId];
  return {
    ...record,
    execution: newExecution(request),
    applied: [],
    terminalExecutionIds: terminal.slice(-limits.maxTerminalExecutions),
  };
}

function reserve(request: AdmissionRequest, record: ThreadRecord, limits: AdmissionLimits): ThreadRecord {
  const runs = [...record.runs, { runId: request.runId, digest: request.digest }];
  return {
    ...record,
    execution: { ...record.execution, activeRunId: request.runId },
    runs: runs.slice(-limits.maxRuns),
    updatedAt: request.fresh.now,
  };
}
