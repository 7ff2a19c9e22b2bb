import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerDigest } from '../../../../src/domain/interrupts/answer.ts';
import {
  answeredIds,
  decideBeforeKernel,
  decideResume,
  type PayloadCheck,
  type ResumeDecision,
  type ResumeRequest,
  recordApplied,
} from '../../../../src/domain/interrupts/answers.ts';
import { expireExecution } from '../../../../src/domain/interrupts/expiry.ts';
import type { AppliedAnswer, PendingInterrupt } from '../../../../src/domain/thread/thread.ts';
import { executionId } from '../../../../src/protocol/ids.ts';
import type { ResumeEntry } from '../../../../src/protocol/interrupt.ts';
import {
  allow,
  answerOf,
  anyPayload,
  deny,
  execution,
  later,
  now,
  permission,
  question,
  say,
  select,
  thread,
  walkAway,
} from './examples.ts';

const due = Date.parse(later);
const applied = (entry: ResumeEntry, of = 'execution-1'): AppliedAnswer => ({
  executionId: executionId(of),
  interruptId: entry.interruptId,
  digest: answerDigest(of, entry),
});
const refuse = (): PayloadCheck => ({
  ok: false,
  where: 'decision',
  problem: 'is not one of the allowed values',
});

interface Situation {
  readonly pending?: readonly PendingInterrupt[];
  readonly expired?: readonly string[];
  readonly applied?: readonly AppliedAnswer[];
  readonly at?: number;
  readonly hasTask?: boolean;
  readonly check?: ResumeRequest['check'];
}

function request(situation: Situation, entries: readonly ResumeEntry[]): ResumeRequest {
  const { pending = [], expired = [], hasTask = true } = situation;
  return {
    execution: execution({ pending, expired, ...(hasTask ? {} : { taskId: null }) }),
    applied: situation.applied ?? [],
    entries,
    now: situation.at ?? now,
    check: situation.check ?? anyPayload,
  };
}

const outcome = (decision: ResumeDecision | ReturnType<typeof decideBeforeKernel>) =>
  decision.kind === 'reject' ? decision.fault.fault : decision.kind;

type Row = [rationale: string, situation: Situation, entries: readonly ResumeEntry[], expected: string];

const p1 = permission('p1');
const p2 = permission('p2');

describe('the ladder of resume rules, one row per rung', () => {
  it.each<Row>([
    [
      'nothing waits and all was answered alike before: the answer is in, nothing runs again',
      { applied: [applied(allow('p1'))] },
      [allow('p1')],
      'resume-already-applied',
    ],
    [
      'the same when the execution expired later: the answer itself was still taken',
      { applied: [applied(allow('p1'))], expired: ['p2'] },
      [allow('p1')],
      'resume-already-applied',
    ],
    [
      'another answer to what is over is no repeat',
      { applied: [applied(allow('p1'))] },
      [deny('p1')],
      'execution-lost',
    ],
    [
      'the timer has fired: expired, not lost',
      { expired: ['p1'], hasTask: false },
      [allow('p1')],
      'execution-expired',
    ],
    [
      'the timer has not fired yet, at the very instant: the same',
      { pending: [p1], at: due },
      [allow('p1')],
      'execution-expired',
    ],
    [
      'expiry beats a request that is wrong besides',
      { pending: [p1], at: due },
      [allow('p1'), allow('p1'), allow('p9')],
      'execution-expired',
    ],
    [
      'one question past due ends its siblings too',
      { pending: [p1, { ...p2, expiresAt: 'never' }] },
      [allow('p1'), allow('p2')],
      'execution-expired',
    ],
    [
      'walking away from what expired is told the same',
      { expired: ['p1'] },
      [walkAway('p1')],
      'execution-expired',
    ],
    ['nothing waits and nothing is known', {}, [allow('p1')], 'execution-lost'],
    [
      'questions without a task cannot be answered',
      { pending: [p1], hasTask: false },
      [allow('p1')],
      'execution-lost',
    ],
    ['an empty resume of nothing', {}, [], 'execution-lost'],
    [
      'one answer twice, even if equal',
      { pending: [p1] },
      [allow('p1'), allow('p1')],
      'resume-duplicate-entry',
    ],
    [
      'duplicates are told before unknown ones',
      { pending: [p1] },
      [allow('p9'), allow('p9')],
      'resume-duplicate-entry',
    ],
    [
      'an answer to a question never asked',
      { pending: [p1] },
      [allow('p1'), allow('p9')],
      'interrupt-unknown',
    ],
    [
      'an answer of another execution is unknown here',
      { pending: [p1], applied: [applied(allow('p0'), 'execution-0')] },
      [allow('p1'), allow('p0')],
      'interrupt-unknown',
    ],
    [
      'a changed answer to what was applied',
      { pending: [p2], applied: [applied(allow('p1'))] },
      [deny('p1'), allow('p2')],
      'resume-already-applied',
    ],
    ['unknown ones are told before missing ones', { pending: [p1, p2] }, [allow('p9')], 'interrupt-unknown'],
    ['a question left out', { pending: [p1, p2] }, [allow('p1')], 'resume-incomplete'],
    ['an empty resume', { pending: [p1] }, [], 'resume-incomplete'],
    [
      'a repeat alone does not answer the newer question',
      { pending: [p2], applied: [applied(allow('p1'))] },
      [allow('p1')],
      'resume-incomplete',
    ],
    [
      'resolved without a payload',
      { pending: [p1] },
      [{ interruptId: 'p1', status: 'resolved' }],
      'payload-missing',
    ],
    [
      'resolved with null',
      { pending: [p1] },
      [{ interruptId: 'p1', status: 'resolved', payload: null }],
      'payload-missing',
    ],
    ['a payload that the schema refuses', { pending: [p1], check: refuse }, [allow('p1')], 'payload-invalid'],
    ['a payload that holds no answer', { pending: [question()] }, [say('   ')], 'payload-empty'],
    ['an option that is none', { pending: [question()] }, [select('nowhere')], 'payload-empty'],
    [
      'cancelled needs no payload and none is checked',
      { pending: [p1], check: refuse },
      [walkAway('p1')],
      'deliver',
    ],
    ['all answered', { pending: [p1, question()] }, [allow('p1'), select('hz')], 'deliver'],
    [
      'a repeat beside the answers that are due is harmless',
      { pending: [p2], applied: [applied(allow('p1'))] },
      [allow('p1'), deny('p2')],
      'deliver',
    ],
  ])('%s', (_rationale, situation, entries, expected) => {
    const given = request(situation, entries);
    const announced = given.execution.pending.map(({ input }) => String(input['inputId']));

    expect(outcome(decideResume(given, announced))).toBe(expected);
    expect(outcome(decideBeforeKernel(given))).toBe(expected === 'deliver' ? 'ask-kernel' : expected);
  });

  it('an expired execution is told the same before the timer, after it, and after a restart', () => {
    const record = thread({ execution: execution({ pending: [p1] }) });
    const expired = expireExecution(record, 10, due)?.record;
    const ask = (current: typeof record, at: number) =>
      outcome(
        decideBeforeKernel({
          execution: current.execution,
          applied: [],
          entries: [allow('p1')],
          now: at,
          check: anyPayload,
        }),
      );

    expect([
      ask(record, due),
      expired && ask(expired, due),
      expired && ask(structuredClone(expired), due + 1e9),
    ]).toEqual(Array(3).fill('execution-expired'));
  });

  it.each([
    ['the id that is answered twice', { pending: [p1] }, [allow('p1'), allow('p1')], { id: 'p1' }],
    ['the id that is unknown', { pending: [p1] }, [allow('p1'), allow('p9')], { id: 'p9' }],
    ['the id that is missing', { pending: [p1, p2] }, [allow('p1')], { missing: 'p2' }],
    [
      'the place of an invalid payload',
      { pending: [p1], check: refuse },
      [allow('p1')],
      { where: 'resume[0].payload.decision', problem: 'is not one of the allowed values' },
    ],
  ])('a refusal names %s', (_name, situation, entries, detail) => {
    const decision = decideBeforeKernel(request(situation, entries));

    expect(decision.kind === 'reject' && decision.fault.detail).toEqual(detail);
  });
});

describe('a resume after the kernel was asked', () => {
  it('announces again when a question appeared that the caller has not seen, and applies nothing', () => {
    expect(decideResume(request({ pending: [p1, p2] }, [allow('p1')]), ['p1'])).toEqual({
      kind: 'interrupt-again',
    });
  });

  it('announces again even if a payload is wrong, because all will be answered anew', () => {
    expect(decideResume(request({ pending: [p1, p2], check: refuse }, [allow('p1')]), ['p1']).kind).toBe(
      'interrupt-again',
    );
  });

  it('takes the answer to a question that appeared if it happens to be there', () => {
    expect(decideResume(request({ pending: [p1, p2] }, [allow('p1'), deny('p2')]), ['p1']).kind).toBe(
      'deliver',
    );
  });

  it('delivers in the order of the request and leaves out repeats', () => {
    const given = request({ pending: [p1, p2], applied: [applied(allow('p0'))] }, [
      deny('p2'),
      allow('p0'),
      allow('p1'),
    ]);
    const decision = decideResume(given, ['p1', 'p2']);

    expect(
      decision.kind === 'deliver' &&
        decision.answers.map(({ interruptId, content }) => [interruptId, content]),
    ).toEqual([
      ['p2', { kind: 'permission', decision: 'deny' }],
      ['p1', { kind: 'permission', decision: 'allow_once' }],
    ]);
  });

  it('delivers each waiting question exactly once, or nothing, whatever is sent', () => {
    const id: fc.Arbitrary<string> = fc.constantFrom('p1', 'p2', 'p3');
    const entry = fc.oneof(id.map(allow), id.map(deny), id.map(walkAway));

    fc.assert(
      fc.property(
        fc.uniqueArray(id),
        fc.array(entry, { maxLength: 5 }),
        fc.array(entry, { maxLength: 2 }),
        (waiting, entries, past) => {
          const pending = waiting.map((each) => permission(each));
          const done = past
            .filter(({ interruptId }) => !waiting.includes(interruptId))
            .map((each) => applied(each));
          const decision = decideResume(request({ pending, applied: done }, entries), waiting);
          if (decision.kind !== 'deliver') return decision.kind === 'reject';
          return (
            JSON.stringify(decision.answers.map(({ interruptId }) => interruptId).sort()) ===
            JSON.stringify([...waiting].sort())
          );
        },
      ),
    );
  });
});

describe('recording answers as applied', () => {
  const record = thread({ execution: execution({ pending: [p1, p2] }) });
  const first = answerOf(p1, allow('p1'));

  it('takes them off the waiting list and remembers them', () => {
    const after = recordApplied(record, [first], 10, 5);

    expect(after.execution.pending).toEqual([p2]);
    expect(after.applied).toEqual([{ executionId: 'execution-1', interruptId: 'p1', digest: first.digest }]);
    expect(after.updatedAt).toBe(5);
    expect(answeredIds(after)).toEqual(new Set(['p1']));
  });

  it('remembers each once and only the newest', () => {
    const twice = recordApplied(recordApplied(record, [first], 10, 5), [first], 10, 6);
    const bounded = recordApplied(twice, [answerOf(p2, deny('p2'))], 1, 7);

    expect(twice.applied).toHaveLength(1);
    expect(bounded.applied.map(({ interruptId }) => interruptId)).toEqual(['p2']);
  });

  it('does not take answers of older executions for those of this one', () => {
    expect(answeredIds(thread({ applied: [applied(allow('p1'), 'execution-0')] }))).toEqual(new Set());
  });
});
