/**
 * The folders of state files: made once (mode 0700, on the disk before anything is put into them), swept once of what a
 * crash left behind, and then taken for granted, so that a save in steady state asks nothing about folders.
 */
import { constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, type FileSystem } from './file-system.ts';

const folderMode = 0o700;
/** More than this many are forgotten from the oldest on, and looked at again when they are used. */
const maxRemembered = 10_000;
/** Answers of disks that can't sync folders; there the rename itself is all that can be had. */
const cannotSync = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

export class Folders {
  readonly #fs: FileSystem;
  readonly #prepared = new Map<string, Promise<void>>();

  constructor(fileSystem: FileSystem) {
    this.#fs = fileSystem;
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

  /** Resolves when the folder's entries are on the disk. */
  async sync(folder: string): Promise<void> {
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
  // Of no consequence: a leftover is never read, and the next start looks again.
}
