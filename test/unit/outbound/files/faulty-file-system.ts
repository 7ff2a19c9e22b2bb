/** A disk that works until it is told to fail, and notes what was asked of it. */
import {
  type FileSystem,
  nodeFileSystem,
  type OpenFile,
} from '../../../../src/outbound/files/file-system.ts';

export type DiskCall = Exclude<keyof FileSystem | keyof OpenFile, symbol>;

export interface Asked {
  readonly call: DiskCall;
  readonly path: string;
  /** 1 for the first call of all. */
  readonly number: number;
}

/** The system's code that a call fails with, or undefined when it may work. */
export type Verdict = (asked: Asked) => string | undefined;

export class FaultyFileSystem implements FileSystem {
  readonly asked: Asked[] = [];
  verdict: Verdict = () => undefined;

  async open(path: string, flags: number, mode?: number): Promise<OpenFile> {
    this.#ask('open', path);
    const file = await nodeFileSystem.open(path, flags, mode);
    const through = async <Result>(call: DiskCall, work: () => Promise<Result>): Promise<Result> => {
      this.#ask(call, path);
      return work();
    };
    return {
      stat: () => through('stat', () => file.stat()),
      read: (buffer, offset, length) => through('read', () => file.read(buffer, offset, length)),
      writeFile: (text) => through('writeFile', () => file.writeFile(text)),
      sync: () => through('sync', () => file.sync()),
      // The descriptor is let go of in any case, as the system does.
      close: async () => {
        await file.close();
        this.#ask('close', path);
      },
    };
  }

  async rename(from: string, to: string): Promise<void> {
    this.#ask('rename', from);
    await nodeFileSystem.rename(from, to);
  }

  async unlink(path: string): Promise<void> {
    this.#ask('unlink', path);
    await nodeFileSystem.unlink(path);
  }

  async mkdir(path: string, options: { readonly recursive: true; readonly mode: number }) {
    this.#ask('mkdir', path);
    return nodeFileSystem.mkdir(path, options);
  }

  async readdir(path: string): Promise<readonly string[]> {
    this.#ask('readdir', path);
    return nodeFileSystem.readdir(path);
  }

  async stat(path: string) {
    this.#ask('stat', path);
    return nodeFileSystem.stat(path);
  }

  #ask(call: DiskCall, path: string): void {
    const asked: Asked = { call, path, number: this.asked.length + 1 };
    this.asked.push(asked);
    const code = this.verdict(asked);
    if (code !== undefined) throw Object.assign(new Error(`${code}: ${call}`), { code });
  }
}
