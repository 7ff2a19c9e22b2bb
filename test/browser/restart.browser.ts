/** The server goes away in the middle of an answer, and comes back on the same port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startFakeKernel } from '../fake-kernel/start.ts';
import type { Script } from '../fake-kernel/turn.ts';
import { temporaryFolder } from '../support/servers.ts';
import { type Gate, gate } from './agents.ts';
import { ChatWindow, launch } from './chat-window.ts';

const root = join(import.meta.dirname, '../..');

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function startProcess(port: number, environment: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(root, 'src/cli/main.ts'), 'serve'], {
    env: { PATH: process.env['PATH'], AGUI_HOST: '127.0.0.1', AGUI_PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  return new Promise((resolve) => {
    child.stdout?.on('data', (chunk) => {
      log += String(chunk);
      if (log.includes('"listening"')) resolve(child);
    });
  });
}

/** Its task lives on at the agent, whatever becomes of the server in front. */
function saysInTwo({ passed }: Gate): Script {
  return async (turn) => {
    turn.emit(turn.frames.working());
    turn.say('First half, ');
    await passed;
    turn.say('second half.');
    turn.emit(turn.frames.finalText('First half, second half.'), turn.frames.endOfTurn());
  };
}

async function inTheMiddle(environment: Readonly<Record<string, string>> = {}) {
  const middle = gate();
  const kernel = await startFakeKernel({ script: saysInTwo(middle) });
  const port = await freePort();
  const settings = { AGUI_CONFIG_DIR: await temporaryFolder(), AGUI_KERNEL_URL: kernel.url, ...environment };
  const server = await startProcess(port, settings);
  const window = await ChatWindow.open(browser, `http://127.0.0.1:${port}/`);
  await window.say('Tell me');
  await window.sees('First half,');
  return {
    middle,
    kernel,
    server,
    window,
    restart: (other: Readonly<Record<string, string>> = {}) => startProcess(port, { ...settings, ...other }),
  };
}

describe('a server that dies in the middle of an answer', () => {
  it('comes back and gives the rest: no word is lost or doubled', async () => {
    const { middle, kernel, server, window, restart } = await inTheMiddle();

    server.kill('SIGKILL');
    await window.page.getByText(/Connection lost, trying again/).waitFor();
    await restart();
    await kernel.called('SubscribeToTask');
    middle.open();
    await window.isDone();

    await window.sees('second half.');
    expect(await window.answer()).toBe('First half, second half.');
    expect(kernel.callsOf('SendStreamingMessage')).toHaveLength(1);
    window.expectQuiet();
  });

  it('may have forgotten the run: that is told, and asking again is one button', async () => {
    const { middle, server, window, restart } = await inTheMiddle();

    server.kill('SIGKILL');
    await window.page.getByText(/Connection lost, trying again/).waitFor();
    middle.open();
    await restart({ AGUI_CONFIG_DIR: await temporaryFolder() });
    await window.sees(/does not know this run any more/);
    await window.lastTurn.getByRole('button', { name: 'Try again' }).click();
    await window.sees('second half.');
    await window.isDone();

    expect(await window.turns.count()).toBe(2);
    window.expectQuiet();
  });
});

describe('a server that is stopped in the middle of an answer', () => {
  it('ends the answer in order, and the next one comes from its successor', async () => {
    const { middle, server, window, restart } = await inTheMiddle();

    server.kill('SIGTERM');
    await once(server, 'close');
    await window.isDone();
    middle.open();
    await restart();
    await window.lastTurn.getByRole('button', { name: 'Try again' }).click();
    await window.sees('second half.');
    await window.isDone();

    expect(await window.turns.count()).toBe(2);
    window.expectQuiet();
  });
});
