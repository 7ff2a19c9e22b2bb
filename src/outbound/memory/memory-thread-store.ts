/**
 * Threads in the memory of this process, for tests and for servers that need not remember. Nothing is ever dropped but
 * by `remove`.
 */
import { addressKey } from '../../domain/thread/names.ts';
import type { ThreadRecord } from '../../domain/thread/thread.ts';
import type { ThreadStore } from '../../ports/thread-store.ts';
import type { ThreadAddress } from '../../protocol/ids.ts';

export class MemoryThreadStore implements ThreadStore {
  readonly #records = new Map<string, ThreadRecord>();

  async load(address: ThreadAddress): Promise<ThreadRecord | undefined> {
    return this.#records.get(addressKey(address));
  }

  async save(record: ThreadRecord): Promise<void> {
    this.#records.set(addressKey(record.address), record);
  }

  async remove(address: ThreadAddress): Promise<void> {
    this.#records.delete(addressKey(address));
  }

  async close(): Promise<void> {
    this.#records.clear();
  }
}
