import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  earliestDue,
  expireExecution,
  expiresAt,
  pastDue,
} from '../../../../src/domain/interrupts/expiry.ts';
import { executionId, runId } from '../../../../src/protocol/ids.ts';
import { execution, later, now, permission, question, target, thread } from './examples.ts';

const due = Date.parse(later);
const early = { ...permission('p-early'), expiresAt: '2026-03-01T10:01:00.000Z' };

describe('the expiry of a question', () => {
  it('is an instant in UTC', () => {
    expect(expiresAt(now, 540)).toBe('2026-03-01T10:09:00.000Z');
  });

  it('is at least a second away', () => {
    expect(expiresAt(now, 0)).toBe('2026-03-01T10:00:01.000Z');
  });

  it('is never beyond what a date can say', () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0, noNaN: true }), (at, ttl) =>
        Number.isFinite(Date.parse(expiresAt(at, ttl))),
      ),
    );
  });
});

describe('what is past due', () => {
  it.each([
    ['a millisecond before, nothing', due - 1, []],
    ['at the instant itself, it is', due, ['permission-1']],
    ['afterwards, it is', due + 1, ['permission-1']],
  ])('%s', (_rationale, at, expected) => {
    expect(pastDue([permission()], at)).toEqual(expected);
  });

  it('includes a question whose time cannot be read', () => {
    expect(pastDue([{ ...permission(), expiresAt: 'soon' }], now)).toEqual(['permission-1']);
  });

  it('begins with the earliest', () => {
    expect(earliestDue([permission(), early])).toBe(Date.parse(early.expiresAt));
    expect(earliestDue([])).toBeUndefined();
  });
});

describe('an execution that ran out of time', () => {
  const record = thread({
    execution: execution({ pending: [permission(), early, question()], activeRunId: runId('run-9') }),
    terminalExecutionIds: [executionId('older')],
  });

  it('stays as it is while nothing is due', () => {
    expect(expireExecution(record, 10, now)).toBeUndefined();
  });

  it('ends as a whole with the first question that is due, and says which task to cancel', () => {
    const expiry = expireExecution(record, 10, Date.parse(early.expiresAt));

    expect(expiry?.taskToCancel).toBe(target.taskId);
    expect(expiry?.record.execution).toMatchObject({
      taskId: null,
      pending: [],
      expired: ['permission-1', 'p-early', 'ask-1'],
      activeRunId: 'run-9',
    });
    expect(expiry?.record.terminalExecutionIds).toEqual(['older', 'execution-1']);
  });

  it('has nothing left to expire', () => {
    const expiry = expireExecution(record, 10, due);

    expect(expiry && expireExecution(expiry.record, 10, due)).toBeUndefined();
  });

  it('keeps no more ended executions than asked', () => {
    expect(expireExecution(record, 1, due)?.record.terminalExecutionIds).toEqual(['execution-1']);
  });
});
