/**
 * Threads as files: one small JSON document each, loaded on demand and replaced atomically. Nothing on the disk is
 * touched before the first call, because a mounted path may appear only with the first request. One unreadable file
 * concerns its thread only. No lock holds between processes: one process per state directory.
 */

import type { ThreadRecord } from '../../domain/thread/thread.ts';
import { decodeThread, encodeThread } from '../../domain/thread/thread-document.ts';
import { Fault, fault } from '../../errors/fault.ts';
import type { ThreadStore } from '../../ports/thread-store.ts';
import type { ThreadAddress } from '../../protocol/ids.ts';
import { AtomicFiles } from './atomic-file.ts';
import { type FileSystem, nodeFileSystem } from './file-system.ts';
import { OldThreads, type OldThreadsOptions } from './old-threads.ts';
import { threadPath } from './thread-key.ts';
import { AtMost, InOrder } from './write-turns.ts';

export interface FileThreadStoreOptions {
  /** Absolute. Holds `threads/` and `sessions/`; made when the first thread is saved. */
  readonly stateDir: string;
  readonly fileSystem?: FileSystem;
  /** Saves under way at once, all threads together. */
  readonly maxConcurrentSaves?: number;
  /** Takes threads away that have not changed for so long; absent: they stay for ever. */
  readonly keep?: Pick<OldThreadsOptions, 'days' | 'clock'>;
}

/** Bounds open files; how many wait for the disk at once is bounded where they do. */
const defaultConcurrentSaves = 32;

export class FileThreadStore implements ThreadStore {
  readonly #stateDir: string;
  readonly #files: AtomicFiles;
  readonly #turns = new InOrder();
  readonly #saves: AtMost;
  readonly #oldThreads: OldThreads | undefined;

  constructor(options: FileThreadStoreOptions) {
    this.#stateDir = options.stateDir;
    this.#files = new AtomicFiles(options.fileSystem);
    this.#saves = new AtMost(options.maxConcurrentSaves ?? defaultConcurrentSaves);
    const { stateDir, keep, fileSystem = nodeFileSystem } = options;
    this.#oldThreads =
      keep &&
      new OldThreads({ stateDir, ...keep }, fileSystem, (path, isOld) =>
        this.#turns.run(path, async () => {
          const { mtimeMs } = await fileSystem.stat(path);
          if (isOld(mtimeMs)) await this.#saves.run(() => this.#files.remove(path));
        }),
      );
  }

  load(address: ThreadAddress): Promise<ThreadRecord | undefined> {
    const path = threadPath(this.#stateDir, address);
    return this.#turns.run(path, async () => {
      try {
        const content = await this.#files.read(path);
        return content === undefined ? undefined : decodeThread(content.text, address, content.modifiedAt);
      } catch (thrown) {
        throw thrown instanceof Fault ? thrown : fault('state-unreadable', {}, thrown);
      }
    });
  }

  save(record: ThreadRecord): Promise<void> {
    const path = threadPath(this.#stateDir, record.address);
    const write = async () => this.#files.replace(path, encodeThread(record));
    const saved = this.#turns.run(path, () => this.#saves.run(write));
    this.#oldThreads?.mayLook();
    return saved;
  }

  remove(address: ThreadAddress): Promise<void> {
    const path = threadPath(this.#stateDir, address);
    return this.#turns.run(path, () => this.#saves.run(() => this.#files.remove(path)));
  }

  /** Resolves when everything asked for until now is done. */
  async close(): Promise<void> {
    await this.#oldThreads?.idle();
    await this.#turns.idle();
  }
}
