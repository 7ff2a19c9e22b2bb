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
}
