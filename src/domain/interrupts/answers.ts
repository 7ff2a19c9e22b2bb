/**
 * May these answers be given? A ladder of rungs in a fixed order, each one named function; the first that objects
 * decides, and then nothing at all is applied. Sources: the resume rules of the iac-code AG-UI reference, AG-UI 1.0
 * interrupts.
 *
 * The same ladder is climbed twice: with what is stored (`decideBeforeKernel`, so that a door can refuse before it
 * opens a stream) and with what the kernel says is waiting (`decideResume`), which can show questions that the caller
 * has not seen. What is sent, and when it counts as applied, is `delivery-plan.ts`.
 */
import { type Fault, fault } from '../../errors/fault.ts';
import type { ResumeEntry } from '../../protocol/interrupt.ts';
import type { JsonObject, JsonValue } from '../../protocol/json.ts';
import type { AppliedAnswer, Execution, PendingInterrupt, ThreadRecord } from '../thread/thread.ts';
import { type Answer, answerDigest, readContent } from './answer.ts';
import { pastDue } from './expiry.ts';
import { interruptIdOf } from './pending.ts';
import { readQuestion, responseSchemaOf } from './question.ts';

export type PayloadCheck =
  | { readonly ok: true }
  /** `where` is a path inside the payload (`items[0].name`), empty for the payload itself. */
  | { readonly ok: false; readonly where: string; readonly problem: string };

export interface ResumeRequest {
  readonly execution: Execution;
  readonly applied: readonly AppliedAnswer[];
  readonly entries: readonly ResumeEntry[];
  /** Unix milliseconds. */
  readonly now: number;
  /** Does the payload satisfy the JSON Schema? See `ports/answer-schema`. */
  readonly check: (schema: JsonObject, payload: JsonValue) => PayloadCheck;
}

export type BeforeKernel =
  | { readonly kind: 'ask-kernel' }
  | { readonly kind: 'reject'; readonly fault: Fault };

export type ResumeDecision =
  | { readonly kind: 'reject'; readonly fault: Fault }
  /** Questions appeared that the caller has not seen: nothing is applied, all that wait are announced. */
  | { readonly kind: 'interrupt-again' }
  /** Never empty; in the order of the request. Repeats of answers already applied are left out. */
  | { readonly kind: 'deliver'; readonly answers: readonly Answer[] };

/** What the rungs look at, gathered once. */
interface Facts extends ResumeRequest {
  readonly pending: ReadonlyMap<string, PendingInterrupt>;
  /** Digest of each answer applied in this execution, by interrupt id. */
  readonly appliedDigests: ReadonlyMap<string, string>;
  /** Ids that the caller was told of. */
  readonly announced: ReadonlySet<string>;
  readonly isOver: boolean;
}

type Rung = (facts: Facts) => Fault | undefined;

const ladder: readonly Rung[] = [
  notARepeatAfterTheEnd,
  notExpired,
  notLost,
  eachAnsweredOnce,
  eachKnown,
  allAnnouncedAnswered,
];

/**
 * What can be refused without asking the kernel. Every fault that is found here would also be found afterwards, save
 * that a question not seen before would then be announced first.
 */
export function decideBeforeKernel(request: ResumeRequest): BeforeKernel {
  const decision = decideResume(request, request.execution.pending.map(interruptIdOf));
  return decision.kind === 'reject' ? decision : { kind: 'ask-kernel' };
}

/** Decides over the execution as reconciled with the kernel; `announced` are the ids that waited before. */
export function decideResume(request: ResumeRequest, announced: readonly string[]): ResumeDecision {
  const facts = gather(request, announced);
  for (const rung of ladder) {
    const objection = rung(facts);
    if (objection !== undefined) return { kind: 'reject', fault: objection };
  }
  const answered = new Set(request.entries.map(({ interruptId }) => interruptId));
  if ([...facts.pending.keys()].some((id) => !answered.has(id))) return { kind: 'interrupt-again' };
  return readAnswers(facts);
}

/**
 * The thread after these answers were accepted: they wait no more, and a repeat of them is known as one. Answers that
 * the record has already are not added again. `maxApplied` is how many are remembered, newest last.
 */
export function recordApplied(
  record: ThreadRecord,
  answers: readonly Answer[],
  maxApplied: number,
  now: number,
): ThreadRecord {
  const { execution } = record;
  const ids = new Set(answers.map(({ interruptId }) => interruptId));
  const others = record.applied.filter(
    (each) => each.executionId !== execution.executionId || !ids.has(each.interruptId),
  );
  const added = answers.map(({ interruptId, digest }) => ({
    executionId: execution.executionId,
    interruptId,
    digest,
  }));
  return {
    ...record,
    execution: { ...execution, pending: execution.pending.filter((each) => !ids.has(interruptIdOf(each))) },
    applied: [...others, ...added].slice(-maxApplied),
    updatedAt: now,
  };
}

/** Ids answered in the current execution; `mergeInputs` keeps them from waiting again. */
export function answeredIds(record: ThreadRecord): ReadonlySet<string> {
  const { executionId } = record.execution;
  return new Set(
    record.applied.filter((each) => each.executionId === executionId).map((each) => each.interruptId),
  );
}

function gather(request: ResumeRequest, announced: readonly string[]): Facts {
  const { execution, applied, now } = request;
  const ofExecution = applied.filter(({ executionId }) => executionId === execution.executionId);
  const hasOpenQuestions = execution.taskId !== null && execution.pending.length > 0;
  return {
    ...request,
    pending: new Map(execution.pending.map((each) => [interruptIdOf(each), each])),
    appliedDigests: new Map(ofExecution.map(({ interruptId, digest }) => [interruptId, digest])),
    announced: new Set(announced),
    // Past due counts as over whether or not a timer has fired yet, so that both are answered alike.
    isOver: !hasOpenQuestions || pastDue(execution.pending, now).length > 0,
  };
}

function notARepeatAfterTheEnd(facts: Facts): Fault | undefined {
  if (!facts.isOver || facts.entries.length === 0) return undefined;
  return facts.entries.every((entry) => isRepeat(facts, entry)) ? fault('resume-already-applied') : undefined;
}

function notExpired({ isOver, execution, now }: Facts): Fault | undefined {
  if (!isOver) return undefined;
  const hasExpired = execution.expired.length > 0 || pastDue(execution.pending, now).length > 0;
  return hasExpired ? fault('execution-expired') : undefined;
}

function notLost({ isOver }: Facts): Fault | undefined {
  return isOver ? fault('execution-lost') : undefined;
}

function eachAnsweredOnce({ entries }: Facts): Fault | undefined {
  const seen = new Set<string>();
  for (const { interruptId } of entries) {
    if (seen.has(interruptId)) return fault('resume-duplicate-entry', { id: interruptId });
    seen.add(interruptId);
  }
  return undefined;
}

/** An entry is for a waiting question, or repeats exactly what was applied; then it is harmless and left out. */
function eachKnown(facts: Facts): Fault | undefined {
  for (const entry of facts.entries) {
    const { interruptId } = entry;
    if (facts.pending.has(interruptId) || isRepeat(facts, entry)) continue;
    return fault(facts.appliedDigests.has(interruptId) ? 'resume-already-applied' : 'interrupt-unknown', {
      id: interruptId,
    });
  }
  return undefined;
}

function allAnnouncedAnswered({ entries, pending, announced }: Facts): Fault | undefined {
  const answered = new Set(entries.map(({ interruptId }) => interruptId));
  const missing = [...pending.keys()].filter((id) => announced.has(id) && !answered.has(id));
  return missing.length === 0 ? undefined : fault('resume-incomplete', { missing: missing.join(', ') });
}

function isRepeat({ appliedDigests, execution }: Facts, entry: ResumeEntry): boolean {
  const applied = appliedDigests.get(entry.interruptId);
  return applied !== undefined && applied === answerDigest(execution.executionId, entry);
}

function readAnswers(facts: Facts): ResumeDecision {
  const answers: Answer[] = [];
  for (const [index, entry] of facts.entries.entries()) {
    const pending = facts.pending.get(entry.interruptId);
    if (pending === undefined) continue;
    const where = `resume[${index}].payload`;
    const objection = payloadFault(facts, pending, entry, where);
    if (objection !== undefined) return { kind: 'reject', fault: objection };
    const content = readContent(pending, entry);
    if (content === undefined) return { kind: 'reject', fault: fault('payload-empty', { where }) };
    const digest = answerDigest(facts.execution.executionId, entry);
    answers.push({ interruptId: entry.interruptId, pending, digest, content });
  }
  return { kind: 'deliver', answers };
}

function payloadFault(
  facts: Facts,
  { input }: PendingInterrupt,
  entry: ResumeEntry,
  where: string,
): Fault | undefined {
  if (entry.status === 'cancelled') return undefined;
  if (entry.payload === undefined || entry.payload === null) return fault('payload-missing', { where });
  const checked = facts.check(responseSchemaOf(readQuestion(input), input), entry.payload);
  if (checked.ok) return undefined;
  const inside = checked.where === '' || checked.where.startsWith('[') ? checked.where : `.${checked.where}`;
  return fault('payload-invalid', { where: `${where}${inside}`, problem: checked.problem });
}
