/**
 * The stored form of a thread: one JSON document, version 1, with the member names of `iac-code agui`, so that a thread
 * that was kept by it can be read. Members beyond its own are ours (`sessionId`, `subject`, `activeRunId`, …) and may be
 * absent. Reading is strict: what is there has the right type and speaks of the thread that was asked for, or the whole
 * document is refused with fault `state-unreadable`. Unknown members are passed over.
 */
import { contextId, executionId, type Id, runId, type ThreadAddress, taskId } from '../../protocol/ids.ts';
import { type JsonObject, type JsonValue, stringAt } from '../../protocol/json.ts';
import { StoredObject, unreadable } from './stored-object.ts';
import type { AppliedAnswer, Execution, PendingInterrupt, TextDigest, ThreadRecord } from './thread.ts';

const schemaVersion = 1;

/** A thread as compact JSON text. Throws a `TypeError` for a pending interrupt without its id. */
export function encodeThread(record: ThreadRecord): string {
  const runs = toMembers(record.runs.map((run) => [run.runId, run.digest]));
  return JSON.stringify({
    schemaVersion,
    threadId: record.address.threadId,
    ...(record.address.sessionId === undefined ? {} : { sessionId: record.address.sessionId }),
    contextId: record.contextId,
    cwd: record.cwd,
    userId: record.userId,
    subject: record.subject,
    iacCodeSessionId: record.kernelSessionId,
    execution: toStoredExecution(record.execution),
    runDigests: runs.members,
    ...(runs.order === undefined ? {} : { runOrder: runs.order }),
    appliedResumeDigests: record.applied,
    terminalExecutionIds: record.terminalExecutionIds,
    updatedAt: record.updatedAt,
  });
}

function toStoredExecution(execution: Execution): JsonObject {
  const pending = toMembers(execution.pending.map((each) => [idOf(each), toStoredPending(each)]));
  return {
    executionId: execution.executionId,
    rosInvocationId: execution.rosInvocationId,
    taskId: execution.taskId,
    activeRunId: execution.activeRunId,
    pipelineSequence: execution.pipelineSequence,
    pipelineOpenSteps: execution.openSteps,
    textSnapshotDigests: execution.textDigests.map(({ digest }) => digest),
    textSnapshotLengths: execution.textDigests.map(({ length }) => length),
    pending: pending.members,
    ...(pending.order === undefined ? {} : { pendingOrder: pending.order }),
    expired: execution.expired,
    ...(execution.askedIn === undefined ? {} : { askedIn: { ...execution.askedIn } }),
  };
}

/**
 * JSON objects keep names that look like numbers in numeric order, not in the order given: where that matters, the order
 * stands in a list of its own.
 */
function toMembers(entries: readonly (readonly [name: string, value: JsonValue])[]): {
  readonly members: JsonObject;
  readonly order: readonly string[] | undefined;
} {
  const members: JsonObject = Object.fromEntries(entries);
  const order = [...new Set(entries.map(([name]) => name))];
  const isKept = Object.keys(members).every((name, index) => name === order[index]);
  return { members, order: isKept ? undefined : order };
}

function toStoredPending({ input, expiresAt, sideband }: PendingInterrupt): JsonObject {
  return { value: input, expiresAt, sideband };
}

function idOf(pending: PendingInterrupt): string {
  const id = stringAt(pending.input, 'inputId');
  if (id === undefined) throw new TypeError('a pending interrupt without inputId can not be stored');
  return id;
}

/**
 * The thread that the text holds. `writtenAt` (Unix milliseconds) is taken for a document that does not say when it was
 * changed. Throws fault `state-unreadable`, whose cause names the offending member.
 */
export function decodeThread(text: string, address: ThreadAddress, writtenAt: number): ThreadRecord {
  const stored = StoredObject.parse(text);
  if (stored.value('schemaVersion') !== schemaVersion) throw unreadable('schemaVersion', 'is not 1');
  if (stored.string('threadId') !== address.threadId)
    throw unreadable('threadId', 'is that of another thread');
  if ((stored.nullableString('sessionId') ?? undefined) !== address.sessionId) {
    throw unreadable('sessionId', 'is that of another session');
  }
  return {
    address,
    contextId: contextId(stored.string('contextId')),
    cwd: stored.string('cwd'),
    userId: stored.nullableString('userId'),
    subject: stored.nullableString('subject'),
    kernelSessionId: stored.nullableString('iacCodeSessionId'),
    execution: readExecution(stored.object('execution')),
    runs: readRuns(stored),
    applied: stored.objects('appliedResumeDigests')?.map(readApplied) ?? [],
    terminalExecutionIds: stored.strings('terminalExecutionIds')?.map(executionId) ?? [],
    updatedAt: stored.count('updatedAt') ?? writtenAt,
  };
}

function readExecution(stored: StoredObject): Execution {
  return {
    executionId: executionId(stored.string('executionId')),
    rosInvocationId: stored.string('rosInvocationId'),
    taskId: nullableId(stored, 'taskId', taskId),
    activeRunId: nullableId(stored, 'activeRunId', runId),
    pipelineSequence: stored.count('pipelineSequence') ?? 0,
    openSteps: stored.strings('pipelineOpenSteps') ?? [],
    textDigests: readTextDigests(stored),
    pending: readPending(stored),
    expired: stored.strings('expired') ?? [],
    ...readTraceLink(stored),
  };
}

function readTraceLink(stored: StoredObject): Pick<Execution, 'askedIn'> {
  if (stored.value('askedIn') === undefined) return {};
  const link = stored.object('askedIn');
  return { askedIn: { traceId: link.string('traceId'), spanId: link.string('spanId') } };
}

function nullableId<Name extends string>(
  stored: StoredObject,
  key: string,
  make: (value: string) => Id<Name>,
): Id<Name> | null {
  const value = stored.nullableString(key);
  return value === null ? null : make(value);
}

/** `iac-code agui` keeps no lengths; without them its digests can't be compared and are left out. */
function readTextDigests(stored: StoredObject): readonly TextDigest[] {
  const digests = stored.digests('textSnapshotDigests') ?? [];
  const lengths = stored.counts('textSnapshotLengths');
  if (lengths === undefined) return [];
  if (lengths.length !== digests.length)
    throw unreadable('textSnapshotLengths', 'does not match the digests');
  return digests.map((digest, index) => ({ length: lengths[index] ?? 0, digest }));
}

function readPending(stored: StoredObject): readonly PendingInterrupt[] {
  const waiting = stored.object('pending', true);
  return waiting.names(stored.strings('pendingOrder')).map((id) => {
    const entry = waiting.object(id);
    const input = entry.json('value');
    if (stringAt(input, 'inputId') !== id)
      throw unreadable('pending', 'holds the input of another interrupt');
    return { input, expiresAt: entry.instant('expiresAt'), sideband: entry.flag('sideband') ?? false };
  });
}

function readRuns(stored: StoredObject): ThreadRecord['runs'] {
  const digests = stored.object('runDigests', true);
  return digests
    .names(stored.strings('runOrder'))
    .map((id) => ({ runId: runId(id), digest: digests.digest(id) }));
}

function readApplied(stored: StoredObject): AppliedAnswer {
  return {
    executionId: executionId(stored.string('executionId')),
    interruptId: stored.string('interruptId'),
    digest: stored.digest('digest'),
  };
}
