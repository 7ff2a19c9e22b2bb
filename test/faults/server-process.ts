/** The server as a process of its own, start, address, and an end with or without goodbye. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

export interface ServerProcess {
  readonly url: string;
  /** Everything it wrote. */
  readonly output: () => string;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves when the process is gone. */
  stop(): Promise<void>;
}

export async function startServerProcess(
  environment: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { PATH: process.env['PATH'], AGUI_HOST: '127.0.0.1', AGUI_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = once(child, 'close');
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
    url: `http://127.0.0.1:${port}`,
    output: () => text,
    kill: () => ended(child, 'SIGKILL', gone),
    stop: () => ended(child, 'SIGTERM', gone),
  };
}

async function ended(
  child: ChildProcess,
  signal: 'SIGKILL' | 'SIGTERM',
  gone: Promise<unknown>,
): Promise<void> {
  child.kill(signal);
  await gone;
}
