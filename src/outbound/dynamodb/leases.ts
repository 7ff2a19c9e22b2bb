/**
 * Who drives a thread's active run. A lease begins with the save that makes the run active and stands in the thread's
 * own item; renewals go to a small item of its own (`lease#…`), so that a large thread is not paid for at each. The same
 * item carries what others have to say: `cancelled`, and `ended` when they found it dead and lock its owner out.
 *
 * Clocks may differ by `skewMs` in all: a lease counts for others that much longer than for its owner, who gives up by
 * its own clock first. Items of old leases are left to the table's time to live.
 */
import type { Runtime } from '../../ports/runtime.ts';
import type { ThreadAddress } from '../../protocol/ids.ts';
import type { Expression, Item, Table } from './table.ts';
import type { ItemLease } from './thread-item.ts';

export interface LeaseTimes {
  /** A lease that was not renewed for this long is lost to its owner. Renewed at a third of it. */
  readonly leaseMs: number;
  /** The most that two clocks may differ. */
  readonly skewMs: number;
  /** How often the owner looks for what others have to say. */
  readonly pollMs: number;
}

/** A dead process's thread is free 25 s after its last renewal; 15 to 35 s with clocks wrong by 5 s each way. */
export const defaultLeaseTimes: LeaseTimes = { leaseMs: 15_000, skewMs: 10_000, pollMs: 700 };

export type LeaseListener = (address: ThreadAddress, what: 'cancel' | 'lost') => void;

interface Held {
  readonly address: ThreadAddress;
  readonly id: string;
  readonly runId: string;
  /** By our clock, before the call that renewed it was sent. */
  renewedAt: number;
  isBeating: boolean;
  isToldCancel: boolean;
}

/** Seconds that a lease's item outlives its last change. */
const keptSeconds = 86_400;
const notEnded = { text: 'attribute_not_exists(#ended)', names: { '#ended': 'ended' } } as const;

export class Leases {
  readonly #table: Table;
  readonly #runtime: Runtime;
  readonly #times: LeaseTimes;
  readonly #held = new Map<string, Held>();
  #heard: LeaseListener = () => undefined;
  #endTimer: (() => void) | undefined;
  #isPolling = false;
  #isClosed = false;
  #name: string | undefined;

  constructor(table: Table, runtime: Runtime, times: LeaseTimes) {
    this.#table = table;
    this.#runtime = runtime;
    this.#times = times;
  }

  listen(heard: LeaseListener): void {
    this.#heard = heard;
  }

  holds(key: string): boolean {
    return this.#held.has(key);
  }

  /** What a save of this thread with this active run writes: the lease that is held, renewed, or a new one. */
  next(key: string, runId: string): ItemLease {
    const held = this.#held.get(key);
    const id = held?.runId === runId ? held.id : this.#runtime.ids.uuid();
    return { id, owner: this.#owner, until: this.#until() };
  }

  /** That save is done; it was begun at `renewedAt`. */
  hold(key: string, address: ThreadAddress, runId: string, { id }: ItemLease, renewedAt: number): void {
    const held = this.#held.get(key);
    if (held?.id === id) held.renewedAt = renewedAt;
    else this.#held.set(key, { address, id, runId, renewedAt, isBeating: false, isToldCancel: false });
    this.#tickLater();
  }

  drop(key: string): void {
    this.#held.delete(key);
  }

  /** Whether somebody drives the run that this lease was taken for. A dead owner is locked out before this says no. */
  async isLive(key: string, { id, owner, until }: ItemLease): Promise<boolean> {
    if (owner === this.#owner) return this.#held.get(key)?.id === id;
    const now = this.#runtime.clock.now();
    if (until > now) return true;
    const item = await this.#table.get(leaseKey(id));
    if (isEnded(item)) return false;
    if (untilOf(item) > now) return true;
    const outcome = await this.#update(id, '#ended = :true', asSeen(item), { ':true': { BOOL: true } });
    return outcome.kind === 'refused' && !isEnded(outcome.found);
  }

  async askCancel({ id }: ItemLease): Promise<void> {
    const names = { ...notEnded.names, '#cancelled': 'cancelled' };
    await this.#update(id, '#cancelled = :true', { ...notEnded, names }, { ':true': { BOOL: true } });
  }

  close(): void {
    this.#isClosed = true;
    this.#endTimer?.();
    this.#held.clear();
  }

  /** Chosen at the first need, not at the start: microVMs that are restored from one snapshot would share it. */
  get #owner(): string {
    this.#name ??= this.#runtime.ids.uuid();
    return this.#name;
  }

  #until(): number {
    return this.#runtime.clock.now() + this.#times.leaseMs + this.#times.skewMs;
  }

  #tickLater(): void {
    if (this.#endTimer !== undefined || this.#isClosed) return;
    this.#endTimer = this.#runtime.clock.after(this.#times.pollMs, () => {
      this.#endTimer = undefined;
      this.#tick();
      if (this.#held.size > 0) this.#tickLater();
    });
  }

  #tick(): void {
    const now = this.#runtime.clock.now();
    for (const [key, held] of this.#held) {
      const age = now - held.renewedAt;
      if (age > this.#times.leaseMs) this.#lose(key, held);
      else if (age * 3 >= this.#times.leaseMs && !held.isBeating) void this.#renew(key, held);
    }
    if (!this.#isPolling) void this.#poll();
  }

  async #renew(key: string, held: Held): Promise<void> {
    held.isBeating = true;
    const begun = this.#runtime.clock.now();
    try {
      const names = { ...notEnded.names, '#until': 'until' };
      const until = { ':until': { N: String(this.#until()) } };
      const outcome = await this.#update(held.id, '#until = :until', { ...notEnded, names }, until);
      if (outcome.kind === 'refused') this.#lose(key, held);
      else held.renewedAt = Math.max(held.renewedAt, begun);
    } catch (cause) {
      this.#runtime.log.warn('lease not renewed', { cause });
    } finally {
      held.isBeating = false;
    }
  }

  async #poll(): Promise<void> {
    const byLease = new Map([...this.#held].map(([key, held]) => [leaseKey(held.id), { key, held }]));
    if (byLease.size === 0) return;
    this.#isPolling = true;
    try {
      for (const item of await this.#table.getMany([...byLease.keys()])) {
        const found = byLease.get(item['pk']?.S ?? '');
        if (found !== undefined) this.#read(item, found.key, found.held);
      }
    } catch (cause) {
      this.#runtime.log.warn('leases not read', { cause });
    } finally {
      this.#isPolling = false;
    }
  }

  #read(item: Item, key: string, held: Held): void {
    if (this.#held.get(key) !== held) return;
    if (isEnded(item)) return this.#lose(key, held);
    if (item['cancelled']?.BOOL !== true || held.isToldCancel) return;
    held.isToldCancel = true;
    this.#heard(held.address, 'cancel');
  }

  #lose(key: string, held: Held): void {
    if (this.#held.get(key) !== held) return;
    this.#held.delete(key);
    this.#runtime.log.warn('lease lost', { runId: held.runId });
    this.#heard(held.address, 'lost');
  }

  #update(id: string, change: string, condition: Expression, values: Item) {
    const seconds = Math.floor(this.#runtime.clock.now() / 1_000) + keptSeconds;
    return this.#table.update(leaseKey(id), `SET ${change}, #expiresAt = :expiresAt`, {
      text: condition.text,
      names: { ...condition.names, '#expiresAt': 'expiresAt' },
      values: { ...condition.values, ...values, ':expiresAt': { N: String(seconds) } },
    });
  }
}

function leaseKey(id: string): string {
  return `lease#${id}`;
}

function isEnded(item: Item | undefined): boolean {
  return item?.['ended']?.BOOL === true;
}

function untilOf(item: Item | undefined): number {
  return Number(item?.['until']?.N ?? 0);
}

/** The lease was not renewed since it was read. */
function asSeen(item: Item | undefined): Expression {
  const names = { '#ended': 'ended', '#until': 'until' };
  const until = item?.['until'];
  return until === undefined
    ? { text: 'attribute_not_exists(#until)', names }
    : { text: '#until = :seen', names, values: { ':seen': until } };
}
