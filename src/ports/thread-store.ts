/**
 * Where threads are kept. One contract suite holds for all implementations (`test/contract/thread-store.contract.ts`).
 * Callers write a thread from one place at a time (`application/thread-desk`); different threads may be written at the
 * same time and never wait for each other.
 */
import type { ThreadRecord } from '../domain/thread/thread.ts';
import type { ThreadAddress } from '../protocol/ids.ts';

export interface ThreadStore {
  /**
   * The thread as last saved, or undefined when it was never saved.
   * Rejects with fault `state-unreadable` when something is there that can't be trusted.
   */
  load(address: ThreadAddress): Promise<ThreadRecord | undefined>;
  /**
   * Replaces the stored thread as a whole; when it resolves the change survives a crash of process and machine.
   * On rejection the thread as saved before is still there.
   */
  save(record: ThreadRecord): Promise<void>;
  /** Forgets the thread. Unknown threads are no error. */
  remove(address: ThreadAddress): Promise<void>;
  close(): Promise<void>;
  /** Only where several processes write the same threads; without it this process is the only one. */
  readonly shared?: SharedThreads;
}

/**
 * What holds between processes that share a store. A save of a thread with an active run takes the thread's lease, or
 * keeps it; a save without one gives it back. In between the store renews the lease by itself. A save of a thread that
 * another process has changed since it was loaded here rejects with fault `thread-busy`.
 */
export interface SharedThreads {
  /** The thread's lease is this process's: nobody else changes it, and the record last saved here is the current one. */
  holds(address: ThreadAddress): boolean;
  /** Renews the thread's lease no more. For a run that is over though its end may not be saved. */
  letGo(address: ThreadAddress): void;
  /**
   * Whether a process that still renews its lease drives the thread's active run. When it is dead it is locked out
   * before this resolves to false. `address` is one that was loaded here last, with an active run.
   */
  isDriven(address: ThreadAddress): Promise<boolean>;
  /** Asks the process that drives the thread's active run to cancel it; it hears of it within a second. */
  askCancel(address: ThreadAddress): Promise<void>;
  /** Called for each lease that is held here: another process asks to cancel its run, or the lease is lost. */
  listen(heard: (address: ThreadAddress, what: 'cancel' | 'lost') => void): void;
}
