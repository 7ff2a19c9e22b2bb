/**
 * A thread's folder, and nothing outside of it. A path is taken apart, its parents are resolved, and what is opened is
 * opened without following a link, so that neither a clever name nor a link placed in between leads out. What a user may
 * be told is a `WorkspaceRefusal`.
 */
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize, relative, sep } from 'node:path';

export class WorkspaceRefusal extends Error {
  override readonly name = 'WorkspaceRefusal';
}

export const maxFileBytes = 1_048_576;
const maxNameBytes = 255;
const maxDepth = 16;
const maxListed = 500;

export interface ListedFile {
  readonly path: string;
  readonly bytes: number;
}

export class Workspace {
  readonly #root: string;

  /** `root` is absolute; it is made when the first file is written. */
  constructor(root: string) {
    this.#root = root;
  }

  async read(path: string): Promise<string> {
    const file = await this.#openRegular(await this.#resolve(path), path);
    try {
      const { size } = await file.stat();
      if (size > maxFileBytes) throw new WorkspaceRefusal(`${path} is larger than ${maxFileBytes} bytes`);
      return (await file.readFile()).toString('utf8');
    } finally {
      await file.close();
    }
  }

  /** Replaces the file as a whole: a reader sees the old text or the new one. `serial` keeps temporary names apart. */
  async write(path: string, text: string, serial: string): Promise<number> {
    const bytes = Buffer.byteLength(text);
    if (bytes > maxFileBytes) throw new WorkspaceRefusal(`the text is larger than ${maxFileBytes} bytes`);
    const parts = partsOf(path);
    await this.#makeFolders(parts.slice(0, -1));
    const target = await this.#resolve(path);
    await this.#refuseOddTarget(target, path);
    const temporary = join(dirname(target), `.${basename(target).slice(0, 100)}.${serial}.tmp`);
    const file = await open(
      temporary,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    try {
      await rename(temporary, target);
    } catch (cause) {
      await rm(temporary, { force: true });
      throw cause;
    }
    return bytes;
  }

  async remove(path: string): Promise<void> {
    const target = await this.#resolve(path);
    const found = await lstat(target).catch((cause: unknown) => {
      throw refusalOf(cause, path);
    });
    if (!found.isFile()) throw new WorkspaceRefusal(`${path} is not a file`);
    await rm(target);
  }

  /** Regular files below the folder, in order of their names. */
  async list(): Promise<readonly ListedFile[]> {
    const entries = await readdir(this.#root, { recursive: true, withFileTypes: true }).catch(() => []);
    const files: ListedFile[] = [];
    for (const entry of entries) {
      if (!entry.isFile() || entry.name.endsWith('.tmp') || files.length >= maxListed) continue;
      const path = join(entry.parentPath, entry.name);
      const found = await lstat(path).catch(() => undefined);
      if (found?.isFile())
        files.push({ path: relative(this.#root, path).split(sep).join('/'), bytes: found.size });
    }
    return files.sort((left, right) => (left.path < right.path ? -1 : 1));
  }

  /** The path on disk, with its parents' links resolved and found to lie inside. */
  async #resolve(path: string): Promise<string> {
    const parts = partsOf(path);
    const root = await realpath(this.#root).catch(() => this.#root);
    const parent = await realpath(join(root, ...parts.slice(0, -1))).catch((cause: unknown) => {
      throw refusalOf(cause, path);
    });
    if (parent !== root && !parent.startsWith(root + sep))
      throw new WorkspaceRefusal(`${path} leads out of the workspace`);
    return join(parent, parts.at(-1) ?? '');
  }

  async #openRegular(target: string, path: string): Promise<FileHandle> {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(target, flags).catch((cause: unknown) => {
      throw refusalOf(cause, path);
    });
    if ((await file.stat()).isFile()) return file;
    await file.close();
    throw new WorkspaceRefusal(`${path} is not a file`);
  }

  async #refuseOddTarget(target: string, path: string): Promise<void> {
    const found = await lstat(target).catch(() => undefined);
    if (found !== undefined && !found.isFile())
      throw new WorkspaceRefusal(`${path} exists and is not a file`);
  }

  /** One folder after the other, each looked at before the next is made in it. */
  async #makeFolders(parts: readonly string[]): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    let folder = this.#root;
    for (const part of parts) {
      folder = join(folder, part);
      const found = await lstat(folder).catch(() => undefined);
      if (found === undefined) await mkdir(folder, { mode: 0o700 });
      else if (!found.isDirectory()) throw new WorkspaceRefusal(`${part} is not a folder`);
    }
  }
}

function partsOf(path: string): readonly string[] {
  if (path === '' || path.includes('\0')) throw new WorkspaceRefusal('the path is empty or holds a NUL');
  if (isAbsolute(path) || /^[A-Za-z]:/.test(path) || path.includes('\\')) {
    throw new WorkspaceRefusal('the path must be relative to the workspace, with forward slashes');
  }
  const parts = normalize(path).split(sep);
  if (parts.includes('..')) throw new WorkspaceRefusal('the path leads out of the workspace');
  if (parts.length > maxDepth) throw new WorkspaceRefusal(`the path is deeper than ${maxDepth} folders`);
  for (const part of parts) {
    if (part === '' || part === '.') throw new WorkspaceRefusal('the path names no file');
    if (Buffer.byteLength(part) > maxNameBytes)
      throw new WorkspaceRefusal(`a name is longer than ${maxNameBytes} bytes`);
  }
  return parts;
}

function refusalOf(cause: unknown, path: string): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT') return new WorkspaceRefusal(`${path} does not exist`);
  if (code === 'ELOOP') return new WorkspaceRefusal(`${path} is a link`);
  if (code === 'ENOTDIR') return new WorkspaceRefusal(`${path} is not a file`);
  return cause;
}
