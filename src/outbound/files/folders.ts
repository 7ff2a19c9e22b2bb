/**
 * The folders of state files: made once (mode 0700, on the disk before anything is put into them), swept once of what a
 * crash left behind, and then taken for granted, so that a save in steady state asks nothing about folders.
 */
import { constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, type FileSystem } from './file-system.ts';
import type { AtMost } from './write-turns.ts';

const folderMode = 0o700;
/** More than this many are forgotten from the oldest on, and looked at again when they are used. */
const maxRemembered = 10_000;
/** Answers of disks that can't sync folders; there the rename itself is all that can be had. */
const cannotSync = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

export class Folders {
  readonly #fs: FileSystem;
  readonly #syncs: AtMost;
  readonly #prepared = new Map<string, Promise<void>>();
  readonly #syncing = new Map<string, Promise<void>>();
  readonly #nextSync = new Map<string, Promise<void>>();

  constructor(fileSystem: FileSystem, syncs: AtMost) {
    this.#fs = fileSystem;
    this.#syncs = syncs;
  }

  /** Resolves when the folder is there. Callers at the same time share one preparation. */
  prepare(folder: string): Promise<void> {
    const known = this.#prepared.get(folder);
    if (known !== undefined) return known;
    const preparation = this.#make(folder);
    this.#prepared.set(folder, preparation);
    preparation.catch(() => this.#prepared.delete(folder));
    this.#forgetOldest();
    return preparation;
  }

  /** The folder may be gone: the next `prepare` looks. */
  forget(folder: string): void {
    this.#prepared.delete(folder);
  }

  /**
   * Resolves when the folder's entries, as they were at the call, are on the disk. Calls that come while a sync of the
   * folder is under way share the next one: hundreds of files cost a few syncs.
   */
  sync(folder: string): Promise<void> {
    const next = this.#nextSync.get(folder);
    if (next !== undefined) return next;
    const current = this.#syncing.get(folder);
    if (current === undefined) return this.#beginSync(folder);
    const following = current.then(ignore, ignore).then(() => {
      this.#nextSync.delete(folder);
      return this.#beginSync(folder);
    });
    this.#nextSync.set(folder, following);
    return following;
  }

  #beginSync(folder: string): Promise<void> {
    const syncing = this.#syncs
      .run(() => this.#syncNow(folder))
      .finally(() => {
        this.#syncing.delete(folder);
      });
    this.#syncing.set(folder, syncing);
    return syncing;
  }

  async #syncNow(folder: string): Promise<void> {
    const handle = await this.#fs.open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await handle.sync();
    } catch (thrown) {
      if (!cannotSync.has(errorCode(thrown) ?? '')) throw thrown;
    } finally {
      await handle.close().catch(ignore);
    }
  }

  async #make(folder: string): Promise<void> {
    const topmost = await this.#fs.mkdir(folder, { recursive: true, mode: folderMode });
    if (topmost === undefined) return this.#sweep(folder);
    for (let made = folder; made.length >= topmost.length && made !== dirname(made); made = dirname(made)) {
      await this.sync(dirname(made));
    }
  }

  /** A temporary file of a process that still lives may be hit too: its writer then writes it once more. */
  async #sweep(folder: string): Promise<void> {
    const names = await this.#fs.readdir(folder).catch(() => []);
    for (const name of names) {
      if (isLeftover(name)) await this.#fs.unlink(join(folder, name)).catch(ignore);
    }
  }

  #forgetOldest(): void {
    if (this.#prepared.size <= maxRemembered) return;
    const [oldest] = this.#prepared.keys();
    if (oldest !== undefined) this.#prepared.delete(oldest);
  }
}

/** What `AtomicFiles` and `iac-code agui` name their files before they are whole. */
function isLeftover(name: string): boolean {
  return name.startsWith('.') && name.endsWith('.tmp');
}

function ignore(): void {
  // Of no consequence: a leftover is never read and the next start looks again; a sync's failure is its callers' to see.
}
