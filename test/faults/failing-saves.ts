/** The file store on a disk that fails one chosen save, or every save from one on, at a chosen call. */
import type { ThreadRecord } from '../../src/domain/thread/thread.ts';
import { FileThreadStore } from '../../src/outbound/files/file-thread-store.ts';
import type { ThreadStore } from '../../src/ports/thread-store.ts';
import type { ThreadAddress } from '../../src/protocol/ids.ts';
import { type DiskCall, FaultyFileSystem } from '../unit/outbound/files/faulty-file-system.ts';

export interface DiskFault {
  readonly call: DiskCall;
  readonly code: string;
}

export const diskFaults: readonly DiskFault[] = [
  { call: 'writeFile', code: 'ENOSPC' },
  { call: 'sync', code: 'EIO' },
  { call: 'rename', code: 'EACCES' },
];

export class FailingSaves implements ThreadStore {
  readonly #disk = new FaultyFileSystem();
  readonly #store: FileThreadStore;
  #fault: DiskFault | undefined;
  #fails: (save: number) => boolean = () => false;
  /** Saves asked for until now. */
  saves = 0;

  constructor(stateDir: string) {
    this.#store = new FileThreadStore({ stateDir, fileSystem: this.#disk });
  }

  /** From here on; saves are counted from 1 for the next. */
  failWhere(fails: (save: number) => boolean, fault: DiskFault): void {
    this.saves = 0;
    this.#fails = fails;
    this.#fault = fault;
  }

  heal(): void {
    this.#fails = () => false;
  }

  load(address: ThreadAddress): Promise<ThreadRecord | undefined> {
    return this.#store.load(address);
  }

  async save(record: ThreadRecord): Promise<void> {
    this.saves += 1;
    const fault = this.#fails(this.saves) ? this.#fault : undefined;
    this.#disk.verdict = ({ call, path }) =>
      // A folder's sync is part of the promise too, but a file's is the one that a full disk refuses.
      fault !== undefined && call === fault.call && (call !== 'sync' || path.endsWith('.tmp'))
        ? fault.code
        : undefined;
    await this.#store.save(record);
  }

  remove(address: ThreadAddress): Promise<void> {
    return this.#store.remove(address);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
