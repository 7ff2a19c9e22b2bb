/**
 * A resume, from the admitted request to the answers on their way: the kernel is asked what waits, that is brought
 * together with what is stored, the rules decide, and only then is anything sent. In the order of the iac-code AG-UI
 * reference; a failure at any point leaves every question answerable.
 */
import type { Answer } from '../domain/interrupts/answer.ts';
import { answeredIds, decideResume, type PayloadCheck } from '../domain/interrupts/answers.ts';
import { type DeliveryPlan, planDelivery } from '../domain/interrupts/delivery-plan.ts';
import { interruptIdOf, reconcile } from '../domain/interrupts/pending.ts';
import { endOf } from '../domain/run/task-state.ts';
import type { PendingInterrupt, ThreadRecord } from '../domain/thread/thread.ts';
import { fault } from '../errors/fault.ts';
import { KernelError, rpcTaskNotFound } from '../errors/kernel-error.ts';
import type { Kernel, KernelProfile } from '../ports/kernel.ts';
import type { Clock } from '../ports/runtime.ts';
import type { A2aMessage } from '../protocol/a2a.ts';
import type { ContentEvent } from '../protocol/events.ts';
import type { TaskId } from '../protocol/ids.ts';
import type { ResumeEntry } from '../protocol/interrupt.ts';
import { type JsonObject, type JsonValue, objectAt } from '../protocol/json.ts';
import type { RunAgentInput } from '../protocol/run-input.ts';
import { type Memory, newMemory, reopenSteps } from '../translate/memory.ts';
import { type FrameFacts, translateFrame } from '../translate/translate-frame.ts';
import { translateRecovery } from '../translate/translate-recovery.ts';
import { deliverAnswers, deliverDenials } from './deliver-answers.ts';
import { cancelTask } from './kernel-fault.ts';
import type { Opening } from './opening.ts';
import type { RunLedger } from './run-ledger.ts';

export interface ResumeParts {
  readonly kernel: Kernel;
  readonly ledger: RunLedger;
  readonly clock: Clock;
  readonly check: (schema: JsonObject, payload: JsonValue) => PayloadCheck;
  /** Adds the request's own options to a message. */
  readonly address: (message: A2aMessage) => A2aMessage;
  /** Brings the answers, and for kernels that can use it more. */
  readonly input: RunAgentInput;
}

export async function openResume(parts: ResumeParts, signal: AbortSignal): Promise<Opening> {
  const { kernel, ledger } = parts;
  const announced = ledger.record.execution.pending.map(interruptIdOf);
  const taskId = taskToResume(parts, announced);
  await restoreSession(ledger.record, taskId, kernel, signal);
  const { profile, accepts } = await kernel.describe(signal);
  const memory = newMemory({
    profile,
    threadId: ledger.record.address.threadId,
    runId: ledger.runId,
    resume: ledger.record.execution,
  });
  const view = await lookAtTask(taskId, memory, parts, profile, signal);
  const events = await recoverPipeline(taskId, memory, parts, signal);
  await takeOver(view.facts, parts);
  const decision = decideResume(requestOf(parts), announced);
  switch (decision.kind) {
    case 'reject':
      throw decision.fault;
    case 'interrupt-again':
      return { kind: 'interrupt-again', profile, memory };
    case 'deliver': {
      const target = { taskId, contextId: ledger.record.contextId, runId: ledger.runId };
      const taken = decision.answers.filter(({ pending }) => wasTaken(pending, view));
      const given = decision.answers.filter((answer) => !taken.includes(answer));
      const usesInput = accepts.tools || accepts.context || accepts.state;
      const found = { profile, memory, events, taken, ...(usesInput ? { input: parts.input } : {}) };
      return carryOut(planDelivery(given, target), found, parts, signal);
    }
  }
}

/** Refuses at once what the stored thread alone decides. */
function taskToResume(parts: ResumeParts, announced: readonly string[]): TaskId {
  const { taskId } = parts.ledger.record.execution;
  const decision = decideResume(requestOf(parts), announced);
  if (decision.kind === 'reject') throw decision.fault;
  if (taskId === null) throw fault('execution-lost');
  return taskId;
}

function requestOf({ ledger, input, clock, check }: ResumeParts) {
  const entries: readonly ResumeEntry[] = input.resume ?? [];
  const { execution, applied } = ledger.record;
  return { execution, applied, entries, now: clock.now(), check };
}

async function restoreSession(
  { kernelSessionId, cwd }: ThreadRecord,
  taskId: TaskId,
  kernel: Kernel,
  signal: AbortSignal,
): Promise<void> {
  if (kernelSessionId === null) return;
  const restored = await kernel.ensureRestored({ cwd, sessionId: kernelSessionId, taskId }, signal);
  if (restored === 'missing') throw fault('session-not-restorable');
}

interface TaskView {
  readonly facts: FrameFacts;
  /** The kernel says of this task, in iac-code's words, what it asks. After a restart of the kernel it does not. */
  readonly isInformed: boolean;
}

/**
 * The kernel no longer asks: it has an answer already, from a run whose end was not noted. To send another one would run
 * something twice, or hang; the task is followed instead. A kernel that knows nothing of the question is still answered.
 */
function wasTaken(pending: PendingInterrupt, { facts, isInformed }: TaskView): boolean {
  const { state, inputs } = facts;
  if (inputs.some(({ inputId }) => inputId === interruptIdOf(pending))) return false;
  if (isInformed || state === 'TASK_STATE_COMPLETED') return true;
  return !pending.sideband && (state === 'TASK_STATE_WORKING' || state === 'TASK_STATE_SUBMITTED');
}

/** The task as the kernel has it now. What it says was shown before; only its facts count. */
async function lookAtTask(
  taskId: TaskId,
  memory: Memory,
  { kernel, ledger }: ResumeParts,
  profile: KernelProfile,
  signal: AbortSignal,
): Promise<TaskView> {
  try {
    const task = await kernel.snapshot(taskId, signal);
    // A memory of its own: what is read here must not count as shown.
    const { threadId, scope } = memory;
    const { facts } = translateFrame(newMemory({ profile, threadId, runId: scope }), { task });
    ledger.note(facts, profile);
    const extension = objectAt(objectAt(task, 'metadata'), 'iac_code');
    return { facts, isInformed: profile === 'iac-code' && extension !== undefined };
  } catch (thrown) {
    if (thrown instanceof KernelError && thrown.rpcCode === rpcTaskNotFound)
      throw fault('execution-lost', {}, thrown);
    throw thrown;
  }
}

/** Pipeline events that happened while nobody read. */
async function recoverPipeline(
  taskId: TaskId,
  memory: Memory,
  { kernel, ledger }: ResumeParts,
  signal: AbortSignal,
): Promise<readonly ContentEvent[]> {
  const state = await kernel.pipelineState(taskId, ledger.record.execution.pipelineSequence, signal);
  const reopened = reopenSteps(memory).events;
  return state === undefined ? reopened : [...reopened, ...translateRecovery(memory, state).events];
}

/** Brings what waits by the kernel's view together with what waits by ours, and saves it. */
async function takeOver(facts: FrameFacts, { ledger, input }: ResumeParts): Promise<void> {
  const end = endOf(facts.state);
  const view = {
    inputs: facts.inputs,
    isExplicit: facts.inputsExplicit,
    isTerminal: end !== undefined && end !== 'finished',
  };
  const answering = new Set((input.resume ?? []).map(({ interruptId }) => interruptId));
  await ledger.reconcile((record, expiresAt) =>
    reconcile(record.execution.pending, view, answering, { expiresAt, answered: answeredIds(record) }),
  );
}

async function carryOut(
  plan: DeliveryPlan,
  found: {
    readonly profile: KernelProfile;
    readonly memory: Memory;
    readonly events: readonly ContentEvent[];
    readonly taken: readonly Answer[];
    readonly input?: RunAgentInput;
  },
  { kernel, ledger, address, clock }: ResumeParts,
  signal: AbortSignal,
): Promise<Opening> {
  if (plan.kind === 'cancel') {
    await deliverDenials(plan.denials, { kernel, signal, address, clock });
    await cancelTask(kernel, plan.taskId, signal);
    await ledger.apply(plan.answers);
    return { kind: 'withdrawn', profile: found.profile, memory: found.memory };
  }
  const { taken, input, ...shown } = found;
  const more = input === undefined ? {} : { input };
  ledger.noteOnTheirWay(plan.steps.map(({ answer }) => answer.interruptId));
  return {
    kind: 'stream',
    ...shown,
    async *open(reading, accept) {
      for (const answer of taken) await accept({ answer });
      yield* deliverAnswers(plan, { kernel, signal: reading, address, accept, ...more });
    },
  };
}
