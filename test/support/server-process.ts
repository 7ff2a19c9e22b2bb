/** The server as a process of its own, as the image starts it. Killed after the test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './servers.ts';

export const root = join(import.meta.dirname, '../..');

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly url: string;
  /** Standard output and error so far. */
  output(): string;
  readonly exited: Promise<readonly unknown[]>;
}

/** Resolves when the server listens. `nodeArgs` stand before the program. */
export async function startServerProcess(
  environment: Readonly<Record<string, string>> = {},
  nodeArgs: readonly string[] = [],
): Promise<ServerProcess> {
  const folder = await temporaryFolder();
  const child = spawn(process.execPath, [...nodeArgs, join(root, 'src/cli/main.ts'), 'serve'], {
    env: {
      PATH: process.env['PATH'],
      AGUI_HOST: '127.0.0.1',
      AGUI_PORT: '0',
      AGUI_CONFIG_DIR: folder,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const exited = once(child, 'close');
  const port = await new Promise<number>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
        const found = /"port":(\d+).*"event":"listening"/.exec(output)?.[1];
        if (found !== undefined) resolve(Number(found));
      });
    }
    void exited.then(() => reject(new Error(`the server ended first: ${output}`)));
  });
  return { child, folder, url: `http://127.0.0.1:${port}`, output: () => output, exited };
}
