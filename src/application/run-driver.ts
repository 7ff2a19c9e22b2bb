/**
 * The only loop: kernel frames → identity → projection → order → feed → settled thread. One driver per run. It owns the
 * run from the reservation to the saved end, whoever reads or leaves, and gives it exactly one ending.
 *
 * Safe failure: the kernel's task and session are on disk before they are announced, and so is every interrupt; when
 * that fails the task is cancelled and nothing is announced.
 */
import { toInterrupt } from '../domain/interrupts/pending.ts';
import { endOf, latch } from '../domain/run/task-state.ts';
import type { ThreadRecord } from '../domain/thread/thread.ts';
import { assertNever } from '../errors/assert-never.ts';
import { type Fault, fault } from '../errors/fault.ts';
import type { KernelBatch, KernelProfile } from '../ports/kernel.ts';
import type { TaskState } from '../protocol/a2a.ts';
import { type ContentEvent, protocolVersion, type TokenUsage } from '../protocol/events.ts';
import type { RunId, TaskId, ThreadAddress } from '../protocol/ids.ts';
import { handedOver } from '../translate/agui-words.ts';
import { type Memory, noteInterrupt, resumePoint, usageOf } from '../translate/memory.ts';
import { type FrameFacts, translateFrame } from '../translate/translate-frame.ts';
import { translateRecovery } from '../translate/translate-recovery.ts';
import type { DrivenRun, DriverParts } from './driven-run.ts';
import { cancelTask, toRunFault } from './kernel-fault.ts';
import type { LiveRun } from './live-runs.ts';
import type { AcceptedAnswer, Opening, Prepare } from './opening.ts';
import { Reading } from './reading.ts';
import type { RunEnding, RunFeed } from './run-feed.ts';
import { RunLedger } from './run-ledger.ts';
import { RunOutput } from './run-output.ts';
import { RunReport } from './run-report.ts';
import { type OpenStream, readTask, takeUp } from './task-stream.ts';

export class RunDriver implements LiveRun {
  readonly feed: RunFeed;
  readonly left: Promise<void>;
  readonly runId: RunId;
  readonly address: ThreadAddress;
  readonly #parts: DriverParts;
  readonly #run: DrivenRun;
  readonly #ledger: RunLedger;
  readonly #output: RunOutput;
  readonly #report: RunReport;
  readonly #reading: Reading;
  readonly #leave: () => void;
  #memory: Memory | undefined;
  #profile: KernelProfile = 'a2a';
  #state: TaskState | undefined;
  /** A resume has nothing to announce before an answer was taken. */
  #hasAccepted: boolean;
  #endDeadline: () => void = () => undefined;
  #upstreamCancel: Promise<void> | undefined;

  constructor(parts: DriverParts, run: DrivenRun) {
    this.#parts = parts;
    this.#run = run;
    this.#ledger = new RunLedger(parts.desk, parts.runtime.clock, parts.settings, run.record, run.runId);
    this.#hasAccepted = !run.isResume;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.left = promise;
    this.#leave = resolve;
    this.feed = run.feed;
    this.#reading = new Reading(parts.runtime.clock);
    this.#report = new RunReport(run, parts);
    this.#output = new RunOutput(run.feed, run.runId, this.#report);
    this.runId = run.runId;
    this.address = run.record.address;
  }

  get executionId(): ThreadRecord['execution']['executionId'] {
    return this.#ledger.record.execution.executionId;
  }

  /** Opens the stream: `RUN_STARTED`, then the steps that were open when the thread was interrupted. */
  begin(): void {
    this.#output.emit([
      {
        type: 'RUN_STARTED',
        threadId: this.address.threadId,
        runId: this.runId,
        protocolVersion,
        ...(this.#run.parentRunId === undefined ? {} : { parentRunId: this.#run.parentRunId }),
      },
    ]);
  }

  /** Drives to the end. Never rejects: whatever goes wrong is the run's ending. */
  async drive(prepare: Prepare): Promise<void> {
    const { clock } = this.#parts.runtime;
    this.#endDeadline = clock.after(this.#parts.settings.deadlineMs, () => this.#overrun());
    try {
      const opening = await prepare(this.#reading.signal, this.#ledger, this.#report.kernel);
      this.#memory = opening.memory;
      this.#profile = opening.profile;
      if (!this.#output.hasEnded) await this.#carryOut(opening);
    } catch (thrown) {
      await this.#fail(thrown);
    } finally {
      this.#endDeadline();
      this.#reading.stop();
      await this.#upstreamCancel?.catch(() => undefined);
      this.#parts.liveRuns.remove(this);
      this.#run.release();
      this.#leave();
    }
  }

  async stop(reason: Fault, mode: 'leave-waiting' | 'all' = 'leave-waiting'): Promise<void> {
    if (this.#output.hasEnded) return this.#upstreamCancel;
    // Answers that were not taken yet can be given again: their questions outlive this run.
    const keepsTask = mode === 'leave-waiting' && this.#ledger.isWaiting;
    this.#end({ kind: 'cancelled', fault: reason, usage: this.#usage() }, keepsTask);
    if (keepsTask || this.#taskId !== null) {
      this.#reading.stop();
      return keepsTask ? undefined : this.#cancelUpstream();
    }
    // The task has no name yet, and without one it could not be cancelled: read on, unseen, until it says it.
    this.#reading.atMost(this.#parts.settings.nameTaskMs);
    return undefined;
  }

  async fail(problem: Fault): Promise<void> {
    await this.#fail(problem);
    this.#reading.stop();
  }

  get #taskId(): TaskId | null {
    return this.#ledger.record.execution.taskId;
  }

  async #carryOut(opening: Opening): Promise<void> {
    switch (opening.kind) {
      case 'interrupt-again':
        return this.#interrupt([]);
      case 'withdrawn':
        return this.#end({ kind: 'cancelled', fault: fault('cancelled'), usage: this.#usage() });
      case 'stream':
        this.#output.emit(opening.events);
        return this.#follow(({ signal }) => opening.open(signal, (accepted) => this.#accept(accepted)));
      case 'join':
        return this.#follow((task) => takeUp(opening.taskId, task));
      default:
        return assertNever(opening);
    }
  }

  async #accept({ answer, toolResult }: AcceptedAnswer): Promise<void> {
    await this.#ledger.apply([answer]);
    this.#hasAccepted = true;
    this.#announceSession(false);
    if (toolResult === undefined) return;
    const messageId = `tool-result-${toolResult.toolCallId}`;
    this.#output.emit([{ type: 'TOOL_CALL_RESULT', messageId, ...toolResult, role: 'tool' }]);
  }

  async #follow(open: OpenStream): Promise<void> {
    const frames = readTask(open, {
      kernel: this.#report.kernel,
      clock: this.#parts.runtime.clock,
      signal: this.#reading.signal,
      // Until an answer was taken there is nothing to follow: the task still waits for it.
      taskId: () => (this.#hasAccepted ? this.#taskId : null),
      recover: (taskId) => this.#recover(taskId),
      isDecided: () => endOf(this.#state) !== undefined,
    });
    this.#report.waits();
    for await (const batch of frames) {
      this.#report.heard();
      await this.#take(batch);
      if (this.#reading.signal.aborted) break;
      await this.feed.room();
      this.#report.waits();
    }
    if (!this.#output.hasEnded) this.#endByState();
  }

  /** Events of a pipeline that happened while its stream was broken. Kernels without a journal have none to give. */
  async #recover(taskId: TaskId): Promise<void> {
    if (this.#memory === undefined || this.#profile !== 'iac-code') return;
    const { pipelineSequence } = resumePoint(this.#memory);
    const state = await this.#report.kernel.pipelineState(taskId, pipelineSequence, this.#reading.signal);
    if (state !== undefined) this.#output.emit(translateRecovery(this.#memory, state).events);
  }

  async #take(batch: KernelBatch): Promise<void> {
    const events: ContentEvent[] = [];
    for (const frame of batch) {
      if (this.#memory === undefined) return;
      const translated = translateFrame(this.#memory, frame);
      this.#memory = translated.memory;
      const { facts } = translated;
      if (this.#ledger.isNews(facts)) {
        this.#output.emit(events.splice(0));
        await this.#learn(facts);
        if (this.#output.hasEnded) return;
      } else if (this.#taskId !== null) {
        this.#announceSession(true);
      }
      for (const event of translated.events) events.push(event);
      const asked = facts.inputs.length === 0 ? noInputs : this.#ledger.unanswered(facts.inputs);
      if (asked.length > 0 && !this.#output.hasEnded) {
        this.#output.emit(events);
        return this.#interrupt(asked);
      }
      // A question that was just answered and is still shown says nothing of how the task goes on.
      if (facts.state !== undefined && facts.inputs.length === 0) this.#latch(facts.state);
    }
    this.#output.emit(events);
  }

  /** Saves the kernel's names for task, context and session before anything of them is shown. */
  async #learn(facts: FrameFacts): Promise<void> {
    if (this.#output.hasEnded) {
      // Stopped before the task had a name: now it can be cancelled, and nothing is to be remembered of it.
      this.#ledger.note(facts, this.#profile);
      this.#reading.stop();
      this.#cancelUpstream().catch(() => undefined);
      return;
    }
    await this.#ledger.learn(facts, this.#profile);
    this.#announceSession(false);
  }

  /** After a state that looks final, what the kernel sends behind it is still read, but not waited for. */
  #latch(state: TaskState): void {
    this.#state = latch(this.#state, state);
    if (endOf(this.#state) === undefined) this.#reading.goOn();
    else this.#reading.atMost(this.#parts.settings.lingerMs);
  }

  #endByState(): void {
    const end = endOf(this.#state) ?? 'task-unfinished';
    const usage = this.#usage();
    if (end === 'finished') this.#end({ kind: 'finished', usage, ...handedOver(this.#memory) });
    else if (end === 'cancelled') this.#end({ kind: 'cancelled', fault: fault('cancelled'), usage });
    else this.#end({ kind: 'failed', fault: fault(end), usage });
  }

  /** Questions wait: on disk first, then announced. The kernel's task stays as it is. */
  async #interrupt(inputs: FrameFacts['inputs']): Promise<void> {
    if (this.#memory === undefined) return;
    this.#memory = noteInterrupt(this.#memory);
    const isSaved = await this.#ledger.interrupt(inputs, resumePoint(this.#memory), this.#report.ids);
    if (this.#output.hasEnded || !isSaved) return;
    if (inputs.length > 0) this.#announceSession(true);
    const { pending } = this.#ledger.record.execution;
    const interrupts = pending.map((each) => toInterrupt(each, this.#run.interruptTexts));
    this.#output.close({ kind: 'interrupted', interrupts, usage: this.#usage() });
    this.#run.interrupted(this.#ledger.record);
    this.#reading.stop();
  }

  /** A kernel that never ends must not hold its session for ever. */
  #overrun(): void {
    if (this.#output.hasEnded) return;
    const isNameless = this.#taskId === null;
    // Never rejects; what the kernel still has to hear is waited for at the end of the drive.
    void this.#fail(fault('run-deadline'));
    if (isNameless) this.#reading.atMost(this.#parts.settings.nameTaskMs);
    else this.#reading.stop();
  }

  async #fail(thrown: unknown): Promise<void> {
    if (this.#output.hasEnded) return;
    const problem = toRunFault(thrown);
    this.#report.log.warn('run failed', { reason: problem.fault, cause: problem.cause });
    const keepsTask = this.#ledger.isWaiting && problem.fault !== 'state-not-saved';
    this.#end({ kind: 'failed', fault: problem, usage: this.#usage() }, keepsTask);
    if (keepsTask) this.#run.interrupted(this.#ledger.record);
    else await this.#cancelUpstream().catch(() => undefined);
  }

  /** The one ending. The thread is free for its next run before a client can know that this one is over. */
  #end(ending: RunEnding, keepsTask = false): void {
    if (this.#output.hasEnded) return;
    // Names that could not be saved are not announced either.
    const isSaved = ending.kind !== 'failed' || ending.fault.fault !== 'state-not-saved';
    if (!keepsTask && isSaved) this.#announceSession(true);
    (keepsTask ? this.#ledger.end() : this.#ledger.settle()).catch((cause: unknown) => {
      this.#report.log.warn('end of run not saved', { cause });
    });
    this.#output.close(ending);
  }

  #announceSession(isLast: boolean): void {
    if (this.#hasAccepted) this.#output.announceSession(this.#ledger.record, this.#profile, isLast);
  }

  #cancelUpstream(): Promise<void> {
    const taskId = this.#taskId;
    if (taskId === null) return Promise.resolve();
    this.#upstreamCancel ??= cancelTask(this.#report.kernel, taskId);
    return this.#upstreamCancel;
  }

  #usage(): readonly TokenUsage[] {
    return this.#memory === undefined ? [] : usageOf(this.#memory);
  }
}

const noInputs: FrameFacts['inputs'] = [];
