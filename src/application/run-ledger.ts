/**
 * What is on disk of one run: the names that the kernel gave to its task, context and session, the questions that wait,
 * and the end. Every change goes through the thread's own line, and none is made once another run has taken its place.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../domain/interrupts/answer.ts';
import { answeredIds, recordApplied } from '../domain/interrupts/answers.ts';
import { expiresAt } from '../domain/interrupts/expiry.ts';
import { mergeInputs } from '../domain/interrupts/pending.ts';
import { type ResumePoint, releaseRun, settleExecution } from '../domain/run/settlement.ts';
import type { PendingInterrupt, ThreadRecord, TraceLink } from '../domain/thread/thread.ts';
import { fault } from '../errors/fault.ts';
import type { KernelProfile } from '../ports/kernel.ts';
import type { Clock } from '../ports/runtime.ts';
import { contextId, type RunId, taskId } from '../protocol/ids.ts';
import type { FrameFacts } from '../translate/translate-frame.ts';
import type { ThreadDesk } from './thread-desk.ts';

export interface LedgerSettings {
  readonly interruptTtlMs: number;
  readonly maxTerminalExecutions: number;
  /** Answers that a thread remembers. */
  readonly maxApplied: number;
}

export class RunLedger {
  readonly runId: RunId;
  readonly #desk: ThreadDesk;
  readonly #clock: Clock;
  readonly #settings: LedgerSettings;
  #record: ThreadRecord;
  #onTheirWay: ReadonlySet<string> = new Set();

  constructor(desk: ThreadDesk, clock: Clock, settings: LedgerSettings, record: ThreadRecord, runId: RunId) {
    this.#desk = desk;
    this.#clock = clock;
    this.#settings = settings;
    this.#record = record;
    this.runId = runId;
  }

  /** The thread as this run knows it. */
  get record(): ThreadRecord {
    return this.#record;
  }

  /** The frame names something that is not known yet, or contradicts what is. */
  isNews({ taskId, contextId, kernelSessionId }: FrameFacts): boolean {
    const { execution, ...thread } = this.#record;
    return (
      (taskId !== undefined && taskId !== execution.taskId) ||
      (contextId !== undefined && contextId !== thread.contextId) ||
      (kernelSessionId !== undefined && kernelSessionId !== thread.kernelSessionId)
    );
  }

  /** Takes the names over in memory only. Throws `kernel-identity-changed` when they contradict the known ones. */
  note(facts: FrameFacts, profile: KernelProfile): void {
    this.#record = named(this.#record, facts, profile, this.#clock.now());
  }

  /** Takes the names over and saves them; rejects with `state-not-saved`. */
  async learn(facts: FrameFacts, profile: KernelProfile): Promise<void> {
    this.note(facts, profile);
    await this.#change((record) => named(record, facts, profile, this.#clock.now()));
  }

  /** Saves what waits for an answer and frees the thread for it. False when the run was settled meanwhile. */
  interrupt(
    inputs: FrameFacts['inputs'],
    resume: ResumePoint,
    askedIn: TraceLink | undefined,
  ): Promise<boolean> {
    const now = this.#clock.now();
    const options = { expiresAt: this.#expiry() };
    return this.#save((record) => {
      const answered = answeredIds(record);
      const pending = mergeInputs(record.execution.pending, inputs, { ...options, answered });
      const released = releaseRun(record, this.runId, now);
      const link = askedIn === undefined ? {} : { askedIn };
      return { ...released, execution: { ...released.execution, ...resume, pending, ...link } };
    });
  }

  /** The answers to these are being brought to the kernel: that it still asks for one of them is no news. */
  noteOnTheirWay(ids: Iterable<string>): void {
    this.#onTheirWay = new Set(ids);
  }

  /** Of these inputs, the ones that this execution has not had answered. */
  unanswered(inputs: FrameFacts['inputs']): FrameFacts['inputs'] {
    const answered = answeredIds(this.#record);
    return inputs.filter(({ inputId }) => !answered.has(inputId) && !this.#onTheirWay.has(inputId));
  }

  /** Saves what waits after it was brought together with the kernel's view. */
  async reconcile(
    change: (record: ThreadRecord, expiresAt: string) => readonly PendingInterrupt[],
  ): Promise<void> {
    const expiresAt = this.#expiry();
    await this.#save((record) => {
      const pending = change(record, expiresAt);
      if (isDeepStrictEqual(pending, record.execution.pending)) return record;
      return { ...record, execution: { ...record.execution, pending }, updatedAt: this.#clock.now() };
    });
  }

  /** Saves that these answers were taken: they wait no more, and a repeat of them is known as one. */
  async apply(answers: readonly Answer[]): Promise<void> {
    await this.#save((record) =>
      recordApplied(record, answers, this.#settings.maxApplied, this.#clock.now()),
    );
  }

  /** Something still waits for an answer, so that the task must be left alone. */
  get isWaiting(): boolean {
    return this.#record.execution.pending.length > 0;
  }

  /** The run is over without an interrupt of its own: what waited before still waits, and if nothing did, all is over. */
  async end(): Promise<void> {
    const { maxTerminalExecutions } = this.#settings;
    const now = this.#clock.now();
    await this.#conclude((record) =>
      record.execution.pending.length > 0
        ? releaseRun(record, this.runId, now)
        : settleExecution(record, this.runId, maxTerminalExecutions, now),
    );
  }

  /** The run is over and so is all that waited. */
  async settle(): Promise<void> {
    const { maxTerminalExecutions } = this.#settings;
    await this.#conclude((record) =>
      settleExecution(record, this.runId, maxTerminalExecutions, this.#clock.now()),
    );
  }

  #expiry(): string {
    return expiresAt(this.#clock.now(), this.#settings.interruptTtlMs / 1_000);
  }

  /** Like `#change`, and takes the result over. */
  async #save(change: (record: ThreadRecord) => ThreadRecord): Promise<boolean> {
    let isMine = false;
    const saved = await this.#change((record) => {
      isMine = true;
      return change(record);
    });
    if (isMine && saved !== undefined) this.#record = saved;
    return isMine;
  }

  /** The run is over even where a disk refuses to note it: a process that starts anew finds out by itself. */
  #conclude(change: (record: ThreadRecord) => ThreadRecord): Promise<void> {
    return this.#desk.conclude(this.#record.address, (record) =>
      record.execution.activeRunId === this.runId ? change(record) : record,
    );
  }

  #change(change: (record: ThreadRecord) => ThreadRecord): Promise<ThreadRecord | undefined> {
    return this.#desk.update(
      this.#record.address,
      (record) => (record.execution.activeRunId === this.runId ? change(record) : record),
      'state-not-saved',
    );
  }
}

function named(record: ThreadRecord, facts: FrameFacts, profile: KernelProfile, now: number): ThreadRecord {
  const { execution } = record;
  const task = facts.taskId === undefined ? execution.taskId : taskId(facts.taskId);
  const session = facts.kernelSessionId ?? record.kernelSessionId;
  if (execution.taskId !== null && task !== execution.taskId) throw fault('kernel-identity-changed');
  if (record.kernelSessionId !== null && session !== record.kernelSessionId)
    throw fault('kernel-identity-changed');
  return {
    ...record,
    contextId: contextOf(record, facts, profile),
    kernelSessionId: session,
    execution: { ...execution, taskId: task },
    updatedAt: now,
  };
}

/** A plain A2A agent may choose its own context for a new thread; after that, and for iac-code always, it is fixed. */
function contextOf(
  record: ThreadRecord,
  facts: FrameFacts,
  profile: KernelProfile,
): ThreadRecord['contextId'] {
  if (facts.contextId === undefined || facts.contextId === record.contextId) return record.contextId;
  const isFirst = record.execution.taskId === null && record.runs.length <= 1;
  if (profile === 'a2a' && isFirst) return contextId(facts.contextId);
  throw fault('kernel-identity-changed');
}
