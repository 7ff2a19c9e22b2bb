/** An example as its reader starts it: `node examples/…`, on a free port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface ExampleProcess {
  readonly url: string;
  /** Kills the process, which can save nothing more, and waits for its end. */
  kill(): Promise<void>;
}

/** `file` below `examples`. `folder` keeps its threads. */
export async function startExample(file: string, folder: string): Promise<ExampleProcess> {
  const environment = {
    AGUI_HOST: '127.0.0.1',
    AGUI_PORT: '0',
    AGUI_CONFIG_DIR: folder,
    AGUI_WORKSPACE_DIR: join(folder, 'workspace'),
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../examples', file)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  onTestFinished(kill);
  let text = '';
  // Read to the end: a server whose log nobody takes any more would stop.
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const port = /"port":(\d+)/.exec(text)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    });
    child.stdout.on('end', () => reject(new Error(`the example did not start: ${text}`)));
  });
  return { url, kill };
}
