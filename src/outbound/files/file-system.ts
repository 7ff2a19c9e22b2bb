/** The few calls that state files need from a disk, so that a test can put a failing disk in its place. */
import { mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';

export interface FileFacts {
  /** Owner's user id. */
  readonly uid: number;
  /** Length in bytes. */
  readonly size: number;
  /** Last change of the content, Unix milliseconds. */
  readonly mtimeMs: number;
  isFile(): boolean;
}

export interface OpenFile {
  stat(): Promise<FileFacts>;
  read(buffer: Uint8Array, offset: number, length: number): Promise<{ readonly bytesRead: number }>;
  writeFile(text: string): Promise<void>;
  /** Returns when the content (of a folder: its entries) is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** As in `node:fs/promises`: everything rejects with an error that holds the system's `code`. */
export interface FileSystem {
  open(path: string, flags: number, mode?: number): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Resolves to the topmost folder that had to be created, or undefined. */
  mkdir(
    path: string,
    options: { readonly recursive: true; readonly mode: number },
  ): Promise<string | undefined>;
  readdir(path: string): Promise<readonly string[]>;
  stat(path: string): Promise<FileFacts>;
}

export const nodeFileSystem: FileSystem = {
  open,
  rename,
  unlink,
  mkdir,
  readdir: (path) => readdir(path),
  stat: (path) => stat(path),
};

/** The system's code of an error, such as `ENOENT`. */
export function errorCode(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
