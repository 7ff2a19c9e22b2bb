/**
 * Threads in one DynamoDB table, for several processes that serve the same threads. One item per thread; every save is
 * conditional on the version that was seen, so that of two writers one is refused, never both believed. Whoever saves an
 * active run holds the thread's lease. What can't be read or written in bounded time rejects; nothing is guessed.
 */
import type { ThreadRecord } from '../../domain/thread/thread.ts';
import { Fault, fault } from '../../errors/fault.ts';
import type { Runtime } from '../../ports/runtime.ts';
import type { SharedThreads, ThreadStore } from '../../ports/thread-store.ts';
import type { ThreadAddress } from '../../protocol/ids.ts';
import { defaultLeaseTimes, Leases, type LeaseTimes } from './leases.ts';
import { type Expression, type Item, Table } from './table.ts';
import { type ItemHead, readHead, readThread, threadKey, toItem } from './thread-item.ts';
import { Turns } from './turns.ts';

export interface DynamoThreadStoreOptions {
  readonly table: string;
  readonly runtime: Runtime;
  /** Days after its last change that a thread is kept; 0 keeps it for ever. */
  readonly ttlDays: number;
  /** Where the SDK's own settings do not say it. */
  readonly client?: ConstructorParameters<typeof Table>[1];
  readonly times?: Partial<LeaseTimes>;
}

/** What this process knows of an item. */
interface Seen {
  readonly head: ItemHead;
  /** A save whose answer never came: it may have been done. */
  readonly doubtful?: string;
}

/** Items whose version is remembered. More than are ever between a load and a save at the same time. */
const maxSeen = 20_000;

export class DynamoThreadStore implements ThreadStore {
  readonly shared: SharedThreads;
  readonly #table: Table;
  readonly #leases: Leases;
  readonly #runtime: Runtime;
  readonly #ttlDays: number;
  readonly #turns = new Turns();
  readonly #seen = new Map<string, Seen>();

  constructor({ table, runtime, ttlDays, client, times }: DynamoThreadStoreOptions) {
    this.#table = new Table(table, client);
    this.#runtime = runtime;
    this.#ttlDays = ttlDays;
    const leases = new Leases(this.#table, runtime, { ...defaultLeaseTimes, ...times });
    this.#leases = leases;
    this.shared = {
      holds: (address) => leases.holds(threadKey(address)),
      letGo: (address) => leases.drop(threadKey(address)),
      isDriven: (address) => this.#isDriven(address),
      askCancel: (address) => this.#askCancel(address),
      listen: (heard) => leases.listen(heard),
    };
  }

  load(address: ThreadAddress): Promise<ThreadRecord | undefined> {
    const key = threadKey(address);
    return this.#turns.run(key, () =>
      readable(async () => {
        const item = await this.#table.get(key);
        if (item === undefined) {
          this.#seen.delete(key);
          return undefined;
        }
        this.#note(key, { head: readHead(item) });
        return readThread(item, address);
      }),
    );
  }

  save(record: ThreadRecord): Promise<void> {
    const key = threadKey(record.address);
    return this.#turns.run(key, () => this.#save(key, record));
  }

  remove(address: ThreadAddress): Promise<void> {
    const key = threadKey(address);
    return this.#turns.run(key, async () => {
      await this.#table.delete(key);
      this.#seen.delete(key);
      this.#leases.drop(key);
    });
  }

  /** Resolves when everything asked for until now is done. Leases that are held run out by themselves. */
  async close(): Promise<void> {
    await this.#turns.idle();
    this.#leases.close();
    this.#table.close();
  }

  async #save(key: string, record: ThreadRecord): Promise<void> {
    const runId = record.execution.activeRunId;
    const begunAt = this.#runtime.clock.now();
    const lease = runId === null ? undefined : this.#leases.next(key, runId);
    const token = this.#runtime.ids.uuid();
    const seen = this.#seen.get(key);
    const versioned = (before: number) => ({ version: before + 1, token, lease });
    let head = versioned(seen?.head.version ?? 0);
    let found = await this.#write(key, record, head, seen);
    if (found !== undefined && found !== 'gone' && found.token === seen?.doubtful) {
      head = versioned(found.version);
      found = await this.#write(key, record, head, { head: found });
    }
    if (found !== undefined && (found === 'gone' || found.token !== token)) {
      this.#seen.delete(key);
      throw fault('thread-busy');
    }
    this.#note(key, { head });
    if (lease === undefined || runId === null) this.#leases.drop(key);
    else this.#leases.hold(key, record.address, runId, lease, begunAt);
  }

  /** Undefined when it was written; else what is there instead. */
  async #write(
    key: string,
    record: ThreadRecord,
    head: ItemHead,
    seen: Seen | undefined,
  ): Promise<ItemHead | 'gone' | undefined> {
    const item = await toItem(record, head, this.#expiresAt());
    try {
      const outcome = await this.#table.put(item, unchanged(seen));
      if (outcome.kind === 'done') return undefined;
      return outcome.found === undefined ? 'gone' : readHead(outcome.found);
    } catch (thrown) {
      // Whether it was done is unknown: the next save finds out by the token.
      const none: ItemHead = { version: 0, token: '', lease: undefined };
      this.#note(key, { head: seen?.head ?? none, doubtful: head.token });
      throw thrown;
    }
  }

  async #isDriven(address: ThreadAddress): Promise<boolean> {
    const key = threadKey(address);
    const lease = this.#seen.get(key)?.head.lease;
    return lease !== undefined && readable(() => this.#leases.isLive(key, lease));
  }

  async #askCancel(address: ThreadAddress): Promise<void> {
    const lease = this.#seen.get(threadKey(address))?.head.lease;
    if (lease !== undefined) await this.#leases.askCancel(lease);
  }

  #note(key: string, seen: Seen): void {
    this.#seen.delete(key);
    this.#seen.set(key, seen);
    if (this.#seen.size <= maxSeen) return;
    for (const old of this.#seen.keys()) {
      if (!this.#leases.holds(old)) this.#seen.delete(old);
      if (this.#seen.size <= maxSeen) return;
    }
  }

  /** Unix seconds. */
  #expiresAt(): number | undefined {
    if (this.#ttlDays === 0) return undefined;
    return Math.floor(this.#runtime.clock.now() / 1_000) + this.#ttlDays * 86_400;
  }
}

function unchanged(seen: Seen | undefined): Expression {
  if (seen === undefined || seen.head.version === 0) return { text: 'attribute_not_exists(pk)' };
  const values: Item = { ':seen': { N: String(seen.head.version) } };
  return { text: '#version = :seen', names: { '#version': 'version' }, values };
}

async function readable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (thrown) {
    throw thrown instanceof Fault ? thrown : fault('state-unreadable', {}, thrown);
  }
}
