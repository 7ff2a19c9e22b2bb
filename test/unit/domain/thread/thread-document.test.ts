import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeThread, encodeThread } from '../../../../src/domain/thread/thread-document.ts';
import { Fault } from '../../../../src/errors/fault.ts';
import { contextId, executionId, runId, taskId, threadId } from '../../../../src/protocol/ids.ts';
import { aSession, aThread, threadRecords } from './arbitrary-thread.ts';

const hexA = 'a'.repeat(64);
const hexB = 'b'.repeat(64);
const t42 = { sessionId: undefined, threadId: threadId('t-42') };

/** As `iac-code agui` writes it. */
const foreign = {
  schemaVersion: 1,
  threadId: 't-42',
  contextId: 'agui-0f3c',
  cwd: '/srv/ws/t-42',
  userId: null,
  iacCodeSessionId: 'sess-9',
  execution: {
    executionId: '2b6f',
    rosInvocationId: 'inv-7',
    taskId: 'task-31',
    pipelineSequence: 57,
    pipelineOpenSteps: ['candidate:c-0:drafting', 'step:evaluate'],
    textSnapshotDigests: [hexA],
    pending: {
      'permission-aa11': {
        value: { kind: 'permission', inputId: 'permission-aa11', requestTaskId: 'task-31', required: true },
        expiresAt: '2026-03-01T10:09:00.123456Z',
        sideband: true,
      },
    },
  },
  runDigests: { 'run-1': hexA, 'run-2': hexB },
  appliedResumeDigests: [{ executionId: '2b6f', interruptId: 'permission-0001', digest: hexA }],
  terminalExecutionIds: ['older-uuid'],
};

/** The document with one member replaced (`undefined` takes it away); `path` is dotted. */
function changed(path: string, value: unknown): string {
  const document = structuredClone(foreign) as Record<string, unknown>;
  const steps = path.split('.');
  const last = steps.pop()!;
  const parent = steps.reduce<Record<string, unknown>>(
    (at, step) => at[step] as Record<string, unknown>,
    document,
  );
  parent[last] = value;
  return JSON.stringify(document);
}

function refusal(text: string, address = t42): Fault {
  try {
    decodeThread(text, address, 0);
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error('was read');
}

describe('a thread document', () => {
  it('holds any thread so that it can be read back', () => {
    fc.assert(
      fc.property(threadRecords, (record) => {
        expect(decodeThread(encodeThread(record), record.address, 0)).toEqual(record);
      }),
      { numRuns: 500 },
    );
  });

  it('is read as iac-code agui wrote it', () => {
    const pretty = JSON.stringify(foreign, undefined, 2);

    expect(decodeThread(`${pretty}\n`, t42, 1_700_000_000_000)).toEqual({
      address: t42,
      contextId: contextId('agui-0f3c'),
      cwd: '/srv/ws/t-42',
      userId: null,
      subject: null,
      kernelSessionId: 'sess-9',
      execution: {
        executionId: executionId('2b6f'),
        rosInvocationId: 'inv-7',
        taskId: taskId('task-31'),
        activeRunId: null,
        pipelineSequence: 57,
        openSteps: ['candidate:c-0:drafting', 'step:evaluate'],
        textDigests: [],
        pending: [
          {
            input: foreign.execution.pending['permission-aa11'].value,
            expiresAt: '2026-03-01T10:09:00.123456Z',
            sideband: true,
          },
        ],
        expired: [],
      },
      runs: [
        { runId: runId('run-1'), digest: hexA },
        { runId: runId('run-2'), digest: hexB },
      ],
      applied: [{ executionId: executionId('2b6f'), interruptId: 'permission-0001', digest: hexA }],
      terminalExecutionIds: [executionId('older-uuid')],
      updatedAt: 1_700_000_000_000,
    });
  });

  it('uses the member names of iac-code agui', () => {
    const document = JSON.parse(encodeThread(decodeThread(JSON.stringify(foreign), t42, 5)));

    expect(document).toMatchObject({
      ...foreign,
      execution: { ...foreign.execution, textSnapshotDigests: [] },
    });
  });

  it('is compact', () => {
    expect(encodeThread(aThread())).not.toMatch(/\s/);
  });

  it('is read without its optional members', () => {
    const { schemaVersion, contextId: context, cwd } = foreign;
    const text = JSON.stringify({
      schemaVersion,
      threadId: 't-42',
      contextId: context,
      cwd,
      execution: { executionId: 'e', rosInvocationId: 'i' },
      futureMember: { of: 'a later release' },
    });

    const read = decodeThread(text, t42, 9);

    expect(read.execution).toEqual({
      executionId: executionId('e'),
      rosInvocationId: 'i',
      taskId: null,
      activeRunId: null,
      pipelineSequence: 0,
      openSteps: [],
      textDigests: [],
      pending: [],
      expired: [],
    });
    expect(read).toMatchObject({
      userId: null,
      runs: [],
      applied: [],
      terminalExecutionIds: [],
      updatedAt: 9,
    });
  });

  it.each([
    ['schemaVersion', 2],
    ['schemaVersion', '1'],
    ['schemaVersion', undefined],
    ['threadId', 'T-42'],
    ['threadId', 42],
    ['sessionId', aSession('other')],
    ['contextId', ''],
    ['contextId', undefined],
    ['cwd', null],
    ['cwd', undefined],
    ['userId', 7],
    ['subject', false],
    ['iacCodeSessionId', {}],
    ['execution', undefined],
    ['execution', []],
    ['execution.executionId', null],
    ['execution.rosInvocationId', undefined],
    ['execution.taskId', 31],
    ['execution.activeRunId', true],
    ['execution.pipelineSequence', -1],
    ['execution.pipelineSequence', true],
    ['execution.pipelineSequence', 1.5],
    ['execution.pipelineSequence', null],
    ['execution.pipelineOpenSteps', ['step', 1]],
    ['execution.pipelineOpenSteps', 'step'],
    ['execution.textSnapshotDigests', [hexA.toUpperCase()]],
    ['execution.textSnapshotDigests', ['']],
    ['execution.textSnapshotLengths', []],
    ['execution.textSnapshotLengths', [-1]],
    ['execution.expired', [null]],
    ['execution.pending', []],
    ['execution.pending.permission-aa11', null],
    ['execution.pending.permission-aa11.value', 'text'],
    ['execution.pending.permission-aa11.value.inputId', 'another'],
    ['execution.pending.permission-aa11.value.inputId', undefined],
    ['execution.pending.permission-aa11.expiresAt', undefined],
    ['execution.pending.permission-aa11.expiresAt', 'tomorrow'],
    ['execution.pending.permission-aa11.expiresAt', '2026-13-01T10:09:00Z'],
    ['execution.pending.permission-aa11.expiresAt', '2026-03-01T10:09:00'],
    ['execution.pending.permission-aa11.sideband', 'true'],
    ['execution.pendingOrder', ['another']],
    ['execution.pendingOrder', []],
    ['runDigests', [hexA]],
    ['runDigests.run-1', 'short'],
    ['runDigests.run-1', null],
    ['runOrder', ['run-1', 'run-1']],
    ['appliedResumeDigests', {}],
    ['appliedResumeDigests', ['text']],
    ['appliedResumeDigests', [{ executionId: 'e', interruptId: 'i' }]],
    ['terminalExecutionIds', [1]],
    ['updatedAt', 'yesterday'],
    ['updatedAt', -5],
  ])('is refused with %s as %j', (path, value) => {
    expect(refusal(changed(path, value)).fault).toBe('state-unreadable');
  });

  it.each(['', 'null', '[]', '1', '{', '{"schemaVersion":1', '\u0000'.repeat(100)])(
    'is refused when the text is %j',
    (text) => {
      expect(refusal(text).fault).toBe('state-unreadable');
    },
  );

  it('is refused in another session than the one it was written in', () => {
    const record = aThread({ address: { sessionId: aSession('one'), threadId: threadId('t-42') } });

    expect(refusal(encodeThread(record), t42).fault).toBe('state-unreadable');
    expect(
      refusal(JSON.stringify(foreign), { ...record.address, threadId: threadId('t-42') } as never).fault,
    ).toBe('state-unreadable');
  });

  it('names the offending member for the log, and nothing of it for the caller', () => {
    const thrown = refusal(changed('execution.taskId', 31));

    expect(String(thrown.cause)).toContain('execution.taskId is not a string or null');
    expect(thrown.detail).toEqual({});
  });

  it('reads or refuses any JSON, and never fails otherwise', () => {
    const members = fc.constantFrom(
      ...Object.keys(foreign),
      'execution.pending',
      'execution.taskId',
      'updatedAt',
    );
    fc.assert(
      fc.property(members, fc.jsonValue(), (path, value) => {
        try {
          decodeThread(changed(path, value), t42, 0);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Fault);
        }
      }),
    );
  });

  it('is never written with an interrupt that has no id', () => {
    const { execution } = aThread();
    const pending = [{ input: { kind: 'permission' }, expiresAt: '2026-01-01T00:00:00Z', sideband: false }];

    expect(() => encodeThread(aThread({ execution: { ...execution, pending } }))).toThrow(TypeError);
  });
});
