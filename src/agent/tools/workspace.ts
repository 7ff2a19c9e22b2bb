/**
 * A thread's folder, and nothing outside of it. A path is taken apart, its parents are resolved, and what is opened is
 * opened without following a link, so that neither a clever name nor a link placed in between leads out. What a user may
 * be told is a `WorkspaceRefusal`.
 */
import { constants } from 'node:fs';
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
} from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';

export class WorkspaceRefusal extends Error {
  override readonly name: string = 'WorkspaceRefusal';
}

/** The file is there already, and was not to be replaced. */
export class FileExists extends WorkspaceRefusal {
  override readonly name = 'FileExists';
}

export const maxFileBytes = 1_048_576;
const maxNameBytes = 255;
const maxDepth = 16;
const maxListed = 500;
const maxSearchedFolders = 2_000;
/** What file systems say that know no hard links, as some mounts do. */
const withoutLinks = new Set<unknown>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
/** Folders that hold nobody's own files. */
const skippedFolders = new Set(['.git', 'node_modules']);

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
    const target = await this.#resolve(path);
    const file = await this.#openRegular(target, path);
    try {
      await this.#recheck(file, target, path);
      return textOf(await bytesOf(file, path), path);
    } finally {
      await file.close();
    }
  }

  /**
   * Writes the file as a whole: a reader sees the old text or the new one. `serial` keeps temporary names apart. With
   * `ifThere` « keep » nothing is replaced, and a file that is there is `FileExists`. Answers the bytes written.
   */
  async write(
    path: string,
    text: string,
    serial: string,
    ifThere: 'replace' | 'keep' = 'replace',
  ): Promise<number> {
    const bytes = Buffer.byteLength(text);
    if (bytes > maxFileBytes) throw new WorkspaceRefusal(`the text is larger than ${maxFileBytes} bytes`);
    const parts = partsOf(path);
    await this.#makeFolders(parts.slice(0, -1));
    const target = await this.#resolve(path);
    await this.#refuseOddTarget(target, path);
    const temporary = join(dirname(target), `.${serial}.tmp`);
    try {
      await this.#writeNew(temporary, text, path);
      if (ifThere === 'replace') await rename(temporary, target);
      else await this.#moveBeside(temporary, target, path);
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

  /** Regular files below the folder, those nearest to it first where there are too many, in order of their paths. */
  async list(): Promise<readonly ListedFile[]> {
    const files: ListedFile[] = [];
    const folders = [''];
    for (const folder of folders) {
      const entries = await readdir(join(this.#root, folder), { withFileTypes: true }).catch(() => []);
      for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
        const path = `${folder}${entry.name}`;
        if (entry.isDirectory() && !skippedFolders.has(entry.name)) folders.push(`${path}/`);
        if (!entry.isFile() || /^\..+\.tmp$/.test(entry.name)) continue;
        const found = await lstat(join(this.#root, path)).catch(() => undefined);
        if (found?.isFile()) files.push({ path, bytes: found.size });
        if (files.length >= maxListed) return inOrder(files);
      }
      folders.length = Math.min(folders.length, maxSearchedFolders);
    }
    return inOrder(files);
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

  async #writeNew(temporary: string, text: string, path: string): Promise<void> {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const file = await open(temporary, flags, 0o600);
    try {
      await this.#recheck(file, temporary, path);
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  }

  /** A link, unlike a rename, fails where something is already. */
  async #moveBeside(temporary: string, target: string, path: string): Promise<void> {
    try {
      await link(temporary, target);
    } catch (cause) {
      if (codeOf(cause) === 'EEXIST') throw new FileExists(`${path} exists already`);
      if (!withoutLinks.has(codeOf(cause))) throw cause;
      if ((await lstat(target).catch(() => undefined)) !== undefined)
        throw new FileExists(`${path} exists already`);
      return rename(temporary, target);
    }
    await rm(temporary, { force: true });
  }

  /**
   * What was opened lies inside, whatever its parents have become since their links were resolved. Linux says where an open
   * file is; elsewhere the path is looked at again, which leaves a swap back in between unseen.
   */
  async #recheck(file: FileHandle, opened: string, path: string): Promise<void> {
    const place = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
    const isInside =
      place === undefined
        ? (await isAt(file, opened)) && dirname(await this.#resolve(path)) === dirname(opened)
        : place.startsWith((await realpath(this.#root)) + sep);
    if (!isInside) throw new WorkspaceRefusal(`${path} leads out of the workspace`);
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

/** The names of a path below the workspace. Throws `WorkspaceRefusal` for one that is none, or leads out. */
export function partsOf(path: string): readonly string[] {
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

/** Read to the limit, whatever size the file claims to have. */
async function bytesOf(file: FileHandle, path: string): Promise<Uint8Array> {
  const buffer = Buffer.alloc(Math.min((await file.stat()).size, maxFileBytes) + 1);
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled);
    if (bytesRead === 0) return buffer.subarray(0, filled);
    filled += bytesRead;
  }
  throw new WorkspaceRefusal(`${path} is larger than ${maxFileBytes} bytes, or grows`);
}

async function isAt(file: FileHandle, path: string): Promise<boolean> {
  const [held, found] = await Promise.all([file.stat(), lstat(path).catch(() => undefined)]);
  return found !== undefined && held.ino === found.ino && held.dev === found.dev;
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new WorkspaceRefusal(`${path} is not UTF-8 text`);
  }
}

function inOrder(files: ListedFile[]): readonly ListedFile[] {
  return files.sort((left, right) => (left.path < right.path ? -1 : 1));
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}

function refusalOf(cause: unknown, path: string): unknown {
  const code = codeOf(cause);
  if (code === 'ENOENT') return new WorkspaceRefusal(`${path} does not exist`);
  if (code === 'ELOOP') return new WorkspaceRefusal(`${path} is a link`);
  if (code === 'ENAMETOOLONG') return new WorkspaceRefusal('the path is too long');
  if (code === 'ENXIO') return new WorkspaceRefusal(`${path} is not a file`);
  if (code === 'ENOTDIR') return new WorkspaceRefusal(`${path} is not a file`);
  return cause;
}
