/** Runs that ended a moment ago, for readers that were away at the end. Bounded in time and number. */
import { addressKey } from '../domain/thread/names.ts';
import type { Clock } from '../ports/runtime.ts';
import type { ThreadAddress } from '../protocol/ids.ts';
import type { RunFeed } from './run-feed.ts';

const maxKept = 256;

export class RecentRuns {
  readonly #clock: Clock;
  readonly #keepMs: number;
  readonly #feeds = new Map<string, { readonly feed: RunFeed; readonly forget: () => void }>();

  constructor(clock: Clock, keepMs: number) {
    this.#clock = clock;
    this.#keepMs = keepMs;
  }

  get size(): number {
    return this.#feeds.size;
  }

  keep(address: ThreadAddress, runId: string, feed: RunFeed): void {
    if (this.#keepMs === 0) return;
    const key = keyOf(address, runId);
    const endTimer = this.#clock.after(this.#keepMs, () => this.#feeds.delete(key));
    this.#feeds.set(key, { feed, forget: endTimer });
    const [oldest] = this.#feeds.keys();
    if (this.#feeds.size > maxKept && oldest !== undefined) {
      this.#feeds.get(oldest)?.forget();
      this.#feeds.delete(oldest);
    }
  }

  find(address: ThreadAddress, runId: string): RunFeed | undefined {
    return this.#feeds.get(keyOf(address, runId))?.feed;
  }

  close(): void {
    for (const { forget } of this.#feeds.values()) forget();
    this.#feeds.clear();
  }
}

function keyOf(address: ThreadAddress, runId: string): string {
  return `${addressKey(address)}\u0000${runId}`;
}
