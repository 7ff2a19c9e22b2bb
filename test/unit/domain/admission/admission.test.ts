/** The ladder of admission: one row per rung, and which rung wins when several object. */
import { describe, expect, it } from 'vitest';
import { type AdmissionRequest, decideAdmission } from '../../../../src/domain/admission/admission.ts';
import type { PendingInterrupt, ThreadRecord } from '../../../../src/domain/thread/thread.ts';
import { contextId, executionId, runId, taskId, threadId } from '../../../../src/protocol/ids.ts';

const address = { sessionId: undefined, threadId: threadId('t') };
const limits = { maxRuns: 3, maxTerminalExecutions: 2 };

const pending: PendingInterrupt = {
  input: { inputId: 'i' },
  expiresAt: '2030-01-01T00:00:00Z',
  sideband: false,
};

const request: AdmissionRequest = {
  address,
  runId: runId('new'),
  isResume: false,
  digest: 'd-new',
  cwd: '/w',
  userId: null,
  subject: null,
  rosInvocationId: 'inv',
  fresh: { contextId: contextId('c'), executionId: executionId('e2'), rosInvocationId: 'derived', now: 5 },
};

const known: ThreadRecord = {
  address,
  contextId: contextId('c'),
  cwd: '/w',
  userId: null,
  subject: null,
  kernelSessionId: 's',
  execution: {
    executionId: executionId('e1'),
    rosInvocationId: 'inv',
    taskId: taskId('task'),
    activeRunId: null,
    pipelineSequence: 4,
    openSteps: ['step'],
    textDigests: [],
    pending: [],
    expired: [],
  },
  runs: [{ runId: runId('old'), digest: 'd-old' }],
  applied: [],
  terminalExecutionIds: [],
  updatedAt: 1,
};

const busy: ThreadRecord = { ...known, execution: { ...known.execution, activeRunId: runId('old') } };
const waiting: ThreadRecord = { ...known, execution: { ...known.execution, pending: [pending] } };

describe('admission refuses', () => {
  const rows: readonly {
    readonly why: string;
    readonly record: ThreadRecord | undefined;
    readonly request: Partial<AdmissionRequest>;
    readonly fault: string;
  }[] = [
    {
      why: 'a resume of a thread that nobody knows',
      record: undefined,
      request: { isResume: true },
      fault: 'execution-lost',
    },
    {
      why: 'another subject before it can learn anything',
      record: busy,
      request: { subject: 'eve', runId: runId('old') },
      fault: 'thread-of-another-caller',
    },
    {
      why: 'a resume by another subject like one of a thread that nobody knows',
      record: waiting,
      request: { subject: 'eve', isResume: true },
      fault: 'execution-lost',
    },
    {
      why: 'a used run id with the same request',
      record: known,
      request: { runId: runId('old'), digest: 'd-old' },
      fault: 'run-id-used',
    },
    {
      why: 'a used run id with another request',
      record: known,
      request: { runId: runId('old') },
      fault: 'run-id-conflict',
    },
    {
      why: 'a duplicate as a duplicate even while the thread is busy',
      record: busy,
      request: { runId: runId('old'), digest: 'd-old' },
      fault: 'run-id-used',
    },
    { why: 'a second run on a busy thread', record: busy, request: {}, fault: 'thread-busy' },
    {
      why: 'a busy thread as busy even from another workspace',
      record: busy,
      request: { cwd: '/other' },
      fault: 'thread-busy',
    },
    {
      why: 'another workspace',
      record: known,
      request: { cwd: '/other' },
      fault: 'thread-in-another-workspace',
    },
    {
      why: 'a user where the thread has none',
      record: known,
      request: { userId: 'u' },
      fault: 'thread-of-another-caller',
    },
    {
      why: 'a resume by another invocation',
      record: waiting,
      request: { isResume: true, rosInvocationId: 'inv-2' },
      fault: 'execution-mismatch',
    },
    { why: 'a new turn while interrupts wait', record: waiting, request: {}, fault: 'resume-required' },
    {
      why: 'another workspace as that even while interrupts wait',
      record: waiting,
      request: { cwd: '/other' },
      fault: 'thread-in-another-workspace',
    },
  ];

  it.each(rows)('$why: $fault', ({ record, request: change, fault }) => {
    const decision = decideAdmission({ ...request, ...change }, record, limits);

    expect(decision).toMatchObject({ kind: 'reject', fault: { fault } });
  });
});

describe('admission reserves', () => {
  it('a new thread with everything that binds it', () => {
    const decision = decideAdmission(
      { ...request, userId: 'u', subject: 'sub', rosInvocationId: undefined },
      undefined,
      limits,
    );

    expect(decision).toMatchObject({
      kind: 'admit',
      record: {
        cwd: '/w',
        userId: 'u',
        subject: 'sub',
        contextId: 'c',
        kernelSessionId: null,
        execution: { executionId: 'e2', rosInvocationId: 'derived', activeRunId: 'new', taskId: null },
        runs: [{ runId: 'new', digest: 'd-new' }],
      },
    });
  });

  it('a new turn as a new execution in the same context and session, by any invocation', () => {
    const decision = decideAdmission({ ...request, rosInvocationId: 'inv-2' }, known, limits);

    expect(decision).toMatchObject({
      kind: 'admit',
      record: {
        contextId: 'c',
        kernelSessionId: 's',
        execution: {
          executionId: 'e2',
          rosInvocationId: 'inv-2',
          taskId: null,
          openSteps: [],
          pipelineSequence: 0,
        },
        terminalExecutionIds: ['e1'],
      },
    });
  });

  it('a resume in the same execution', () => {
    const decision = decideAdmission(
      { ...request, isResume: true, rosInvocationId: undefined },
      waiting,
      limits,
    );

    expect(decision).toMatchObject({
      kind: 'admit',
      record: { execution: { executionId: 'e1', taskId: 'task', activeRunId: 'new', pending: [pending] } },
    });
  });

  it('and forgets the oldest run ids and executions beyond its limits', () => {
    let record: ThreadRecord = known;
    for (const name of ['a', 'b', 'c', 'd']) {
      const decision = decideAdmission(
        {
          ...request,
          runId: runId(name),
          fresh: { ...request.fresh, executionId: executionId(`e-${name}`) },
        },
        { ...record, execution: { ...record.execution, activeRunId: null } },
        limits,
      );
      if (decision.kind === 'reject') throw decision.fault;
      record = decision.record;
    }

    expect(record.runs.map((each) => each.runId)).toEqual(['b', 'c', 'd']);
    expect(record.terminalExecutionIds).toEqual(['e-b', 'e-c']);
  });
});
