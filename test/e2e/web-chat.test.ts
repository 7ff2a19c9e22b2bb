/** `agentcore-agui chat --web` as a person types it, without the browser that it would open. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/servers.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

async function chatWeb(...args: readonly string[]) {
  const child = spawn(process.execPath, [main, 'chat', '--web', '--no-open', ...args], {
    env: { PATH: process.env['PATH'], AGUI_PORT: '0', AGUI_CONFIG_DIR: await temporaryFolder() },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let told = '';
  const address = new Promise<string>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      told += chunk;
      const found = /^chat page: (\S+)\n/.exec(told)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const exit = once(child, 'close').then(([code]) => ({ code: Number(code), told }));
  return { child, address, exit };
}

describe('chat --web', () => {
  it('starts a server for this machine, says where its page is, and stops at Ctrl-C', async () => {
    const { child, address, exit } = await chatWeb();

    expect(await address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect((await fetch(new URL('ping', await address))).status).toBe(200);
    child.kill('SIGINT');
    expect((await exit).code).toBe(0);
  });

  it('names the page of a container that is there already', async () => {
    const { exit } = await chatWeb('--url', 'http://127.0.0.1:9/agent/invocations');

    expect(await exit).toEqual({ code: 0, told: 'chat page: http://127.0.0.1:9/agent/\n' });
  });

  it('does not pretend that a runtime has a page', async () => {
    const { exit } = await chatWeb(
      '--arn',
      'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/x-AbCdEf',
    );
    const { code, told } = await exit;

    expect([code, told]).toEqual([2, expect.stringContaining('--web opens the page of a container')]);
  });
});
