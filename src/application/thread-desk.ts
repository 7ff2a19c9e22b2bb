/**
 * One thread at a time: whoever wants to read and change a thread waits in that thread's line, gets the record as last
 * saved, and saves before the next one is let in. Threads never wait for each other. Keeps recently used records in
 * memory, bounded; what is forgotten is loaded again. Where the store is shared with other processes, a record in memory
 * counts only while this process holds the thread's lease; anything else is loaded anew for each use.
 */
import { addressKey } from '../domain/thread/names.ts';
import type { ThreadRecord } from '../domain/thread/thread.ts';
import { type Fault, fault, toFault } from '../errors/fault.ts';
import type { ThreadStore } from '../ports/thread-store.ts';
import type { ThreadAddress } from '../protocol/ids.ts';

/** The thread while it is one's turn. */
export interface HeldThread {
  readonly record: ThreadRecord | undefined;
  /** Saves and makes it the current record; on failure the one before stays. Rejects with `onFailure`. */
  save(record: ThreadRecord, onFailure?: 'state-not-writable' | 'state-not-saved'): Promise<void>;
  /** Makes it the current record of this process, whether or not it can be saved. */
  keep(record: ThreadRecord): void;
}

interface Desk {
  record: ThreadRecord | undefined;
  loaded: boolean;
  tail: Promise<unknown>;
  waiting: number;
}

export class ThreadDesk {
  readonly #store: ThreadStore;
  readonly #maxCached: number;
  readonly #recovered: (record: ThreadRecord) => Promise<ThreadRecord>;
  readonly #desks = new Map<string, Desk>();

  /**
   * `recover` is given each thread that is loaded while nobody drives its active run, to settle what a dead process left
   * open.
   */
  constructor(
    store: ThreadStore,
    maxCached: number,
    recover: (record: ThreadRecord) => Promise<ThreadRecord>,
  ) {
    this.#store = store;
    this.#maxCached = maxCached;
    this.#recovered = recover;
  }

  /** Runs `work` when all earlier work on the same thread is done. Rejects with what `work` rejects with. */
  async use<Result>(address: ThreadAddress, work: (held: HeldThread) => Promise<Result>): Promise<Result> {
    const key = addressKey(address);
    const desk = this.#desks.get(key) ?? this.#open(key);
    desk.waiting += 1;
    const turn = desk.tail.then(() => this.#serve(address, desk, work));
    desk.tail = turn.then(ignore, ignore);
    try {
      return await turn;
    } finally {
      desk.waiting -= 1;
      if (desk.waiting === 0 && (desk.record === undefined || this.#mayBeStale(address)))
        this.#desks.delete(key);
    }
  }

  /** Saves a change of the current record; nothing happens when the thread is unknown or the change returns it as it was. */
  async update(
    address: ThreadAddress,
    change: (record: ThreadRecord) => ThreadRecord,
    onFailure: 'state-not-writable' | 'state-not-saved' = 'state-not-saved',
  ): Promise<ThreadRecord | undefined> {
    return this.use(address, async (held) => {
      if (held.record === undefined) return undefined;
      const changed = change(held.record);
      if (changed !== held.record) await held.save(changed, onFailure);
      return changed;
    });
  }

  /** Like `update`, for what is so even when it can't be saved: it counts for this process in any case. */
  async conclude(address: ThreadAddress, change: (record: ThreadRecord) => ThreadRecord): Promise<void> {
    await this.use(address, async (held) => {
      const changed = held.record === undefined ? undefined : change(held.record);
      if (changed === undefined || changed === held.record) return;
      held.keep(changed);
      await held.save(changed, 'state-not-saved');
    });
  }

  get cachedThreads(): number {
    return this.#desks.size;
  }

  #open(key: string): Desk {
    const desk: Desk = { record: undefined, loaded: false, tail: Promise.resolve(), waiting: 0 };
    this.#desks.set(key, desk);
    this.#evict();
    return desk;
  }

  async #serve<Result>(
    address: ThreadAddress,
    desk: Desk,
    work: (held: HeldThread) => Promise<Result>,
  ): Promise<Result> {
    if (!desk.loaded || this.#mayBeStale(address)) await this.#load(address, desk);
    return work({
      record: desk.record,
      save: async (record, onFailure = 'state-not-writable') => {
        await this.#save(record, onFailure);
        desk.record = record;
      },
      keep: (record) => {
        desk.record = record;
        // Its end may not be saved: other processes find out when the lease runs out.
        if (record.execution.activeRunId === null) this.#store.shared?.letGo(address);
      },
    });
  }

  #mayBeStale(address: ThreadAddress): boolean {
    return this.#store.shared?.holds(address) === false;
  }

  async #load(address: ThreadAddress, desk: Desk): Promise<void> {
    const stored = await this.#store.load(address);
    desk.record = stored === undefined ? undefined : await this.#settled(stored);
    desk.loaded = true;
  }

  async #settled(stored: ThreadRecord): Promise<ThreadRecord> {
    const isActive = stored.execution.activeRunId !== null;
    const isDriven = isActive && (await this.#store.shared?.isDriven(stored.address)) === true;
    return isDriven ? stored : this.#recovered(stored);
  }

  async #save(record: ThreadRecord, onFailure: 'state-not-writable' | 'state-not-saved'): Promise<void> {
    try {
      await this.#store.save(record);
    } catch (cause) {
      throw saveFault(onFailure, cause);
    }
  }

  /** The oldest threads that nobody works on, and that no run of this process holds, are let go. */
  #evict(): void {
    if (this.#desks.size <= this.#maxCached) return;
    for (const [key, desk] of this.#desks) {
      const isHeld = desk.waiting > 0 || (desk.record?.execution.activeRunId ?? null) !== null;
      if (!isHeld && desk.loaded) this.#desks.delete(key);
      if (this.#desks.size <= this.#maxCached) return;
    }
  }
}

function saveFault(name: 'state-not-writable' | 'state-not-saved', cause: unknown): Fault {
  const original = toFault(cause);
  // In a run that goes on, whatever kept it from being saved is one thing: nothing may be announced.
  return original.fault === 'internal' || name === 'state-not-saved' ? fault(name, {}, cause) : original;
}

function ignore(): void {
  // The turn's own caller gets the outcome; the line only waits for its end.
}
