/**
 * Small private text files that are replaced as a whole: a reader, or the next process after a crash, finds the old
 * content or the new one, and never a mixture. Written content is on the disk when a call resolves; when it rejects,
 * the old content is still in place and nothing is left beside it.
 *
 * Callers write one path from one place at a time. There is no lock between processes: of two that write the same file
 * the last one wins.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode, type FileSystem, nodeFileSystem, type OpenFile } from './file-system.ts';
import { Folders } from './folders.ts';
import { AtMost } from './write-turns.ts';

export interface FileContent {
  readonly text: string;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
}

/** Why a file is not used although it is there. */
export class UntrustedFile extends Error {
  override readonly name = 'UntrustedFile';
}

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
const fileMode = 0o600;
const defaultMaxBytes = 8_388_608;
/** Of the four threads that Node does all file work on, this many may stand and wait for the disk. */
const concurrentSyncs = 2;

export class AtomicFiles {
  readonly #fs: FileSystem;
  readonly #maxBytes: number;
  readonly #syncs = new AtMost(concurrentSyncs);
  readonly #folders: Folders;

  /** `maxBytes` bounds each file, on writing as on reading. Touches nothing yet. */
  constructor(fileSystem: FileSystem = nodeFileSystem, maxBytes: number = defaultMaxBytes) {
    this.#fs = fileSystem;
    this.#maxBytes = maxBytes;
    this.#folders = new Folders(fileSystem, this.#syncs);
  }

  /**
   * The content, or undefined when there is no such file. Rejects with `UntrustedFile` for a link, anything that is no
   * regular file, a foreign owner's file, one above the size limit or one that is not UTF-8; with the system's error
   * when the disk fails.
   */
  async read(path: string): Promise<FileContent | undefined> {
    const file = await this.#openExisting(path);
    if (file === undefined) return undefined;
    try {
      return await this.#readOpen(file, path);
    } finally {
      await file.close().catch(ignore);
    }
  }

  /**
   * Replaces the content, creating file (mode 0600) and folders (0700) that are missing. Rejects with `UntrustedFile`
   * where a link stands in the file's place or the text is above the size limit, else with the system's error.
   */
  async replace(path: string, text: string): Promise<void> {
    if (Buffer.byteLength(text) > this.#maxBytes)
      throw new UntrustedFile(`would exceed ${this.#maxBytes} bytes`);
    await this.#folders.prepare(dirname(path));
    try {
      await this.#replaceOnce(path, text);
    } catch (thrown) {
      // The folder, or the temporary file in it, was taken away from outside (a mount that came and went).
      if (errorCode(thrown) !== 'ENOENT') throw thrown;
      this.#folders.forget(dirname(path));
      await this.#folders.prepare(dirname(path));
      await this.#replaceOnce(path, text);
    }
  }

  /** Deletes the file for good. Resolves too when there is none. */
  async remove(path: string): Promise<void> {
    try {
      await this.#fs.unlink(path);
    } catch (thrown) {
      if (isAbsent(thrown)) return;
      throw thrown;
    }
    await this.#folders.sync(dirname(path));
  }

  async #replaceOnce(path: string, text: string): Promise<void> {
    // Held open so that the old content can be put back when the folder can't be synced after the rename.
    const old = await this.#openExisting(path);
    try {
      await this.#moveInto(path, text);
      await this.#folders.sync(dirname(path)).catch(async (thrown: unknown) => {
        await this.#restore(path, old);
        throw thrown;
      });
    } finally {
      await old?.close().catch(ignore);
    }
  }

  async #moveInto(path: string, text: string): Promise<void> {
    const temporary = join(dirname(path), `.${basename(path, '.json')}.${randomUUID()}.tmp`);
    try {
      await this.#writeNew(temporary, text);
      await this.#fs.rename(temporary, path);
    } catch (thrown) {
      await this.#fs.unlink(temporary).catch(ignore);
      throw thrown;
    }
  }

  async #writeNew(path: string, text: string): Promise<void> {
    const file = await this.#fs.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, fileMode);
    try {
      await file.writeFile(text);
      await this.#syncs.run(() => file.sync());
    } finally {
      await file.close();
    }
  }

  /** Best effort: the failure that led here is what the caller is told. */
  async #restore(path: string, old: OpenFile | undefined): Promise<void> {
    try {
      if (old === undefined) await this.#fs.unlink(path);
      else await this.#moveInto(path, (await this.#readOpen(old, path)).text);
    } catch {
      // A disk that refuses this as well keeps the new content, which is whole too.
    }
  }

  async #openExisting(path: string): Promise<OpenFile | undefined> {
    try {
      // Without O_NONBLOCK a named pipe in the file's place would hold a thread of the pool for ever.
      return await this.#fs.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    } catch (thrown) {
      if (errorCode(thrown) === 'ENOENT') return undefined;
      if (errorCode(thrown) === 'ELOOP') throw new UntrustedFile('is a symbolic link', { cause: thrown });
      throw thrown;
    }
  }

  async #readOpen(file: OpenFile, path: string): Promise<FileContent> {
    const facts = await file.stat();
    if (!facts.isFile()) throw new UntrustedFile('is not a regular file');
    if (!(await this.#isOurs(facts.uid, path))) throw new UntrustedFile('belongs to another user');
    if (facts.size > this.#maxBytes) throw new UntrustedFile(`exceeds ${this.#maxBytes} bytes`);
    const bytes = await readBytes(file, facts.size);
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      return { text, modifiedAt: Math.round(facts.mtimeMs) };
    } catch (cause) {
      throw new UntrustedFile('is not UTF-8', { cause });
    }
  }

  /** Mounts that map users give our files another owner: then the folder that we made has the same one. */
  async #isOurs(uid: number, path: string): Promise<boolean> {
    const self = process.geteuid?.();
    if (self === undefined || uid === self) return true;
    return uid === (await this.#fs.stat(dirname(path))).uid;
  }
}

async function readBytes(file: OpenFile, size: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(buffer, filled, size - filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function isAbsent(thrown: unknown): boolean {
  const code = errorCode(thrown);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function ignore(): void {
  // Of no consequence: reading is over, or the next sweep of the folder takes the leftover away.
}
