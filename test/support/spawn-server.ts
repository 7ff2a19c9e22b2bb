/** The server as a process of its own: its start, its address, and an end with or without goodbye. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

export interface SpawnedServer {
  readonly child: ChildProcess;
  readonly url: string;
  /** Everything it wrote. */
  readonly output: () => string;
  /** Settles with exit code and signal. */
  readonly exited: Promise<readonly unknown[]>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves when the process is gone. */
  stop(): Promise<void>;
}

/** Resolves when the server listens; rejects when it ends first. `nodeArgs` stand before the program. */
export async function spawnServer(
  environment: Readonly<Record<string, string>>,
  nodeArgs: readonly string[] = [],
): Promise<SpawnedServer> {
  const child = spawn(process.execPath, [...nodeArgs, main, 'serve'], {
    env: { PATH: process.env['PATH'], AGUI_HOST: '127.0.0.1', AGUI_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close');
  let text = '';
  const port = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const found = /"port":(\d+).*"event":"listening"/.exec(text)?.[1];
        if (found !== undefined) resolve(found);
      });
    }
    child.once('close', () => reject(new Error(`the server did not start: ${text}`)));
  });
  return {
    child,
    exited,
    url: `http://127.0.0.1:${port}`,
    output: () => text,
    kill: () => ended(child, 'SIGKILL', exited),
    stop: () => ended(child, 'SIGTERM', exited),
  };
}

async function ended(
  child: ChildProcess,
  signal: 'SIGKILL' | 'SIGTERM',
  exited: Promise<unknown>,
): Promise<void> {
  child.kill(signal);
  await exited;
}
