/** The runs of this process: who runs where, how many, and the way to end them all. */
import { addressKey } from '../domain/thread/names.ts';
import { type Fault, fault } from '../errors/fault.ts';
import type { ExecutionId, RunId, ThreadAddress } from '../protocol/ids.ts';
import type { Health } from './health.ts';
import type { RunFeed } from './run-feed.ts';

export interface LiveRun {
  readonly address: ThreadAddress;
  readonly runId: RunId;
  readonly executionId: ExecutionId;
  readonly feed: RunFeed;
  /** Resolves when the run is over and its kernel has been told all that there was to tell. */
  readonly left: Promise<void>;
  /**
   * Ends the run now, with its terminal event, and asks the kernel to cancel its task. Resolves when the kernel has
   * answered; rejects with fault `cancel-failed` when it did not. The run has ended in either case. A resume whose
   * answers were not taken yet leaves the task and its questions as they are, unless `all` is to end.
   */
  stop(reason: Fault, mode?: 'leave-waiting' | 'all'): Promise<void>;
  /** Ends the run now as failed, with its terminal event; the kernel is asked to cancel its task. */
  fail(problem: Fault): Promise<void>;
}

export class LiveRuns {
  readonly #health: Health;
  readonly #maxRuns: number;
  readonly #runs = new Map<string, LiveRun>();
  #idle: (() => void)[] = [];
  #reserved = 0;

  constructor(health: Health, maxRuns: number) {
    this.#health = health;
    this.#maxRuns = maxRuns;
  }

  /** Takes a place before anything is awaited; the returned function gives it back, once. */
  reserve(): () => void {
    if (this.#health.phase === 'draining') throw fault('server-draining');
    if (this.#reserved >= this.#maxRuns) throw fault('too-many-runs', { limit: this.#maxRuns });
    this.#reserved += 1;
    const endBusy = this.#health.begin();
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#reserved -= 1;
      endBusy();
      if (this.#reserved === 0) for (const resolve of this.#idle.splice(0)) resolve();
    };
  }

  add(run: LiveRun): void {
    this.#runs.set(addressKey(run.address), run);
  }

  remove(run: LiveRun): void {
    const key = addressKey(run.address);
    if (this.#runs.get(key) === run) this.#runs.delete(key);
  }

  find(address: ThreadAddress): LiveRun | undefined {
    return this.#runs.get(addressKey(address));
  }

  get count(): number {
    return this.#reserved;
  }

  /** Ends every run with its terminal event and waits until all places are given back, or `until` resolves. */
  async drain(reason: Fault, until: Promise<void>): Promise<void> {
    for (const run of [...this.#runs.values()]) {
      void run.stop(reason).catch(ignore);
    }
    if (this.#reserved === 0) return;
    await Promise.race([new Promise<void>((resolve) => this.#idle.push(resolve)), until]);
  }
}

function ignore(): void {
  // The process goes away: a kernel that did not hear the cancel ends its task by its own rules.
}
