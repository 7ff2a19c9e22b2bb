/** Brings accepted answers to the kernel, one after the other, and reads on from the last. */
import type { DeliveryPlan, DeliveryStep } from '../domain/interrupts/delivery-plan.ts';
import { KernelError } from '../errors/kernel-error.ts';
import type { Kernel, KernelBatch } from '../ports/kernel.ts';
import type { Clock } from '../ports/runtime.ts';
import type { A2aMessage } from '../protocol/a2a.ts';
import type { RunAgentInput } from '../protocol/run-input.ts';
import { taskIdOf } from '../translate/facts.ts';
import { toRunFault } from './kernel-fault.ts';
import type { Accept } from './opening.ts';

type Deliver = Extract<DeliveryPlan, { kind: 'deliver' }>;

export interface Courier {
  readonly kernel: Kernel;
  readonly signal: AbortSignal;
  /** Adds the request's own options to a message. */
  readonly address: (message: A2aMessage) => A2aMessage;
  readonly accept: Accept;
  /** The request, for a kernel that can use it. */
  readonly input?: RunAgentInput;
}

/**
 * The frames that the answers bring. A step that the kernel does not take throws, and neither it nor a later one counts
 * as applied. Ends when the last stream ends; where there was none, at once, and the task is then to be followed.
 */
export async function* deliverAnswers(plan: Deliver, courier: Courier): AsyncGenerator<KernelBatch> {
  let missing = plan.steps.length;
  const accept: Accept = async (accepted) => {
    await courier.accept(accepted);
    missing -= 1;
  };
  try {
    for (const [index, step] of plan.steps.entries()) {
      if (step.verb === 'answer') {
        await courier.kernel.answer(courier.address(step.message), courier.signal);
        await accept({ answer: step.answer });
      } else {
        yield* readStep(step, index === plan.steps.length - 1, { ...courier, accept });
      }
    }
  } catch (thrown) {
    // Only when all answers are there may a broken stream be taken up again: the task still waits for the others.
    throw missing === 0 || courier.signal.aborted ? thrown : toRunFault(thrown);
  }
}

async function* readStep(
  step: Extract<DeliveryStep, { verb: 'send' }>,
  isLast: boolean,
  courier: Courier,
): AsyncGenerator<KernelBatch> {
  const { answer, toolResult } = step;
  let isAccepted = false;
  const { input } = courier;
  const send = { message: courier.address(step.message), ...(input === undefined ? {} : { input }) };
  for await (const batch of courier.kernel.send(send, courier.signal)) {
    if (!isAccepted && batch.some((item) => taskIdOf(item) === step.message.taskId)) {
      isAccepted = true;
      await courier.accept({ answer, ...(toolResult === undefined ? {} : { toolResult }) });
    }
    yield batch;
    if (isAccepted && !isLast && step.readTo === 'first-item') return;
  }
  if (!isAccepted && !courier.signal.aborted) {
    throw new KernelError('refused', 'the answer brought no event: it was not taken');
  }
}

/** Denials before a cancel: each is tried for a while, and none holds the cancel up. */
export async function deliverDenials(
  denials: readonly DeliveryStep[],
  courier: Omit<Courier, 'accept' | 'input'> & { readonly clock: Clock },
): Promise<void> {
  const patience = new AbortController();
  const end = courier.clock.after(denialsMs, () => patience.abort());
  const signal = AbortSignal.any([courier.signal, patience.signal]);
  for (const { verb, message } of denials) {
    const addressed = courier.address(message);
    try {
      if (verb === 'answer') await courier.kernel.answer(addressed, signal);
      else for await (const _batch of courier.kernel.send({ message: addressed }, signal)) break;
    } catch {
      // The task is cancelled next, whatever became of this.
    }
  }
  end();
}

/** All denials together. A kernel can hang on an answer that it does not like. */
const denialsMs = 5_000;
