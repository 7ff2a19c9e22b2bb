/** What a run says: every event passes the order guard into the feed, and after the one ending nothing more does. */
import { EventOrder } from '../domain/run/event-order.ts';
import type { ThreadRecord } from '../domain/thread/thread.ts';
import type { KernelProfile } from '../ports/kernel.ts';
import type { AgUiEvent } from '../protocol/events.ts';
import { sessionEvent } from '../translate/session-event.ts';
import type { RunEnding, RunFeed, RunItem } from './run-feed.ts';

/** Told of all that a run says, and of its ending, once, when all of it is in the feed. */
export interface RunWitness {
  said(items: readonly RunItem[]): void;
  ended(ending: RunEnding): void;
}

export class RunOutput {
  readonly #feed: RunFeed;
  readonly #runId: string;
  readonly #order = new EventOrder();
  #hasEnded = false;
  #hasSessionEvent = false;

  readonly #witness: RunWitness;

  constructor(feed: RunFeed, runId: string, witness: RunWitness) {
    this.#feed = feed;
    this.#witness = witness;
    this.#runId = runId;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  emit(events: readonly RunItem[]): void {
    if (events.length === 0 || this.#hasEnded) return;
    const lawful: AgUiEvent[] = [];
    this.#order.admit(events, lawful);
    // The order guard adds and drops events of the kinds that it is given: no terminal event can come out of it.
    this.#feed.append(lawful as RunItem[]);
    this.#witness.said(lawful as RunItem[]);
  }

  /** Once per run: as soon as the kernel's names are known, or with what is known by the end (`isLast`). */
  announceSession(record: ThreadRecord, profile: KernelProfile, isLast: boolean): void {
    const { contextId, kernelSessionId, execution } = record;
    const isComplete = execution.taskId !== null && (kernelSessionId !== null || profile === 'a2a');
    if (this.#hasSessionEvent || (!isComplete && !isLast)) return;
    this.#hasSessionEvent = true;
    this.emit([
      sessionEvent({
        threadId: record.address.threadId,
        aguiRunId: this.#runId,
        executionId: execution.executionId,
        contextId,
        taskId: execution.taskId,
        rosInvocationId: execution.rosInvocationId,
        sessionId: kernelSessionId,
      }),
    ]);
  }

  /** Closes what is open, then ends the feed. */
  close(ending: RunEnding): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#feed.append(this.#order.closeAll());
    this.#feed.end(ending);
    this.#witness.ended(ending);
  }
}
