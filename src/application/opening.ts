/** How a run goes on once it has begun: found out in its own stream, so that what fails is the run's own ending. */
import type { Answer } from '../domain/interrupts/answer.ts';
import type { Kernel, KernelBatch, KernelProfile } from '../ports/kernel.ts';
import type { ContentEvent } from '../protocol/events.ts';
import type { TaskId } from '../protocol/ids.ts';
import type { Memory } from '../translate/memory.ts';
import type { RunLedger } from './run-ledger.ts';

export interface AcceptedAnswer {
  readonly answer: Answer;
  /** The call that the answer resolves, and the words that resolved it. */
  readonly toolResult?: { readonly toolCallId: string; readonly content: string };
}

/** Told of each answer when the kernel has taken it, before anything that follows from it is read. */
export type Accept = (accepted: AcceptedAnswer) => Promise<void>;

export type Opening =
  | {
      readonly kind: 'stream';
      readonly profile: KernelProfile;
      readonly memory: Memory;
      /** What happened since the stream was last read, shown first. */
      readonly events: readonly ContentEvent[];
      readonly open: (signal: AbortSignal, accept: Accept) => AsyncIterable<KernelBatch>;
    }
  /** A task that an earlier process left behind: it is looked at, then followed. */
  | {
      readonly kind: 'join';
      readonly profile: KernelProfile;
      readonly memory: Memory;
      readonly taskId: TaskId;
    }
  /** Questions wait that the caller has not seen: all of them are announced again. */
  | { readonly kind: 'interrupt-again'; readonly profile: KernelProfile; readonly memory: Memory }
  /** The caller walked away from a question, and the task with it. */
  | { readonly kind: 'withdrawn'; readonly profile: KernelProfile; readonly memory: Memory };

/** Finds out how a run goes on; asks the kernel that it is given. */
export type Prepare = (signal: AbortSignal, ledger: RunLedger, kernel: Kernel) => Promise<Opening>;
