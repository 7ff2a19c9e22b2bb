/** The process as the platform has it: environment in, signals obeyed, exit codes out. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventsOf, input, openRun, run } from '../support/requests.ts';
import { temporaryFolder } from '../support/servers.ts';

const root = join(import.meta.dirname, '../..');
const fakeKernel = join(root, 'test/fake-kernel/main.ts');

interface Started {
  readonly child: ChildProcess;
  readonly output: { text: string };
  readonly port: Promise<number>;
  readonly exited: Promise<readonly unknown[]>;
}

async function startProcess(
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Started> {
  const folder = await temporaryFolder();
  const child = spawn(process.execPath, [join(root, 'src/cli/main.ts'), 'serve', ...args], {
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
  const output = { text: '' };
  const port = new Promise<number>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        output.text += chunk;
        const found = /"port":(\d+).*"event":"listening"/.exec(output.text)?.[1];
        if (found !== undefined) resolve(Number(found));
      });
    }
  });
  return { child, output, port, exited: once(child, 'close') };
}

describe('the server process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s gives an open run its terminal event, and exits with 0',
    async (signal) => {
      const { child, output, port, exited } = await startProcess({
        AGUI_KERNEL_COMMAND: `"${process.execPath}" "${fakeKernel}" --port {port}`,
      });
      const messages = [{ id: 'm', role: 'user', content: '/work' }];
      const opened = await openRun(`http://127.0.0.1:${await port}/invocations`, input({ messages }));
      await opened.until((text) => text.includes('TEXT_MESSAGE_CONTENT'));

      child.kill(signal);

      expect(eventsOf(await opened.ended).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'CANCELLED' });
      expect((await exited)[0]).toBe(0);
      expect(output.text).toContain('"event":"stopped"');
    },
  );

  it('does not start with a bad setting: one line and exit code 2', async () => {
    const { output, exited } = await startProcess({ AGUI_HEARTBEAT_S: 'often' });

    expect((await exited)[0]).toBe(2);
    expect(output.text).toMatch(/^agentcore-agui: AGUI_HEARTBEAT_S .*\n$/);
  });

  it('does not start on a port that is taken, nor on another: exit code 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const taken = typeof address === 'object' && address !== null ? address.port : 0;

    const { output, exited } = await startProcess({}, ['--port', String(taken)]);

    expect((await exited)[0]).toBe(1);
    expect(output.text).toContain(`127.0.0.1:${taken} is already in use`);
  });

  it('goes on serving when nobody reads its log any more', async () => {
    const { child, port } = await startProcess({ AGUI_LOG_LEVEL: 'debug' });
    const url = `http://127.0.0.1:${await port}`;
    const closed = once(child.stdout ?? child, 'close');
    child.stdout?.destroy();
    await closed;

    const answers = [];
    for (let index = 0; index < 5; index += 1)
      answers.push(await run(`${url}/invocations`, input({ messages: [] })));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  it('writes no secret of its environment to its log', async () => {
    const { child, output, port, exited } = await startProcess({
      AGUI_LOG_LEVEL: 'debug',
      AGUI_AUTH_TOKEN: 'canary-caller',
      AGUI_KERNEL_TOKEN: 'canary-kernel',
      AGUI_KERNEL_URL: 'http://127.0.0.1:9',
    });
    const opened = await openRun(`http://127.0.0.1:${await port}/invocations`, input(), {
      authorization: 'Bearer canary-caller',
    });
    await opened.ended;

    child.kill('SIGTERM');
    await exited;

    expect(output.text).toContain('A2A_UNAVAILABLE');
    expect(output.text).not.toContain('canary');
  });
});
