/**
 * Takes away the files of threads that nobody has touched for long. Once a day, beside the saves and never before the
 * first of them. A question in such a thread has expired long ago; a thread that is in memory is saved anew when it goes on.
 */
import { join } from 'node:path';
import type { Clock } from '../../ports/runtime.ts';
import type { FileSystem } from './file-system.ts';

const dayMs = 86_400_000;

export interface OldThreadsOptions {
  /** Absolute, as of the thread store. */
  readonly stateDir: string;
  /** Days without a change after which a thread goes. */
  readonly days: number;
  readonly clock: Clock;
}

/** Deletes the file at this path, unless it has changed since; in the line of the thread's own reads and saves. */
export type Removal = (path: string, isOld: (modifiedAt: number) => boolean) => Promise<void>;

export class OldThreads {
  readonly #options: OldThreadsOptions;
  readonly #fs: FileSystem;
  readonly #remove: Removal;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #sweep: Promise<void> = Promise.resolve();

  constructor(options: OldThreadsOptions, fileSystem: FileSystem, remove: Removal) {
    this.#options = options;
    this.#fs = fileSystem;
    this.#remove = remove;
  }

  /** Begins a sweep in the background when a day has passed since the last one. */
  mayLook(): void {
    const now = this.#options.clock.now();
    if (now - this.#lookedAt < dayMs) return;
    this.#lookedAt = now;
    this.#sweep = this.#sweep.then(() => this.#sweepAll(now)).catch(ignore);
  }

  /** Resolves when the sweep that runs is done. */
  idle(): Promise<void> {
    return this.#sweep;
  }

  async #sweepAll(now: number): Promise<void> {
    const { stateDir, days } = this.#options;
    const isOld = (modifiedAt: number): boolean => modifiedAt < now - days * dayMs;
    const sessions = join(stateDir, 'sessions');
    const folders = [stateDir, ...(await this.#names(sessions)).map((name) => join(sessions, name))];
    for (const folder of folders) {
      const threads = join(folder, 'threads');
      for (const name of await this.#names(threads)) {
        if (name.endsWith('.json')) await this.#remove(join(threads, name), isOld).catch(ignore);
      }
    }
  }

  async #names(folder: string): Promise<readonly string[]> {
    return this.#fs.readdir(folder).catch(() => []);
  }
}

function ignore(): void {
  // What can't be looked at or taken away today is looked at again tomorrow.
}
