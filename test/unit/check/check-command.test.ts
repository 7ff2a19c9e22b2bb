/** `agentcore-agui check` as a process: what it prints, what it writes, how it ends. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Parts, startEcho } from '../../support/echo-container.ts';
import { temporaryFolder } from '../../support/servers.ts';

const main = join(import.meta.dirname, '../../../src/cli/main.ts');

interface Ended {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

function check(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, 'check', ...args], (problem, stdout, stderr) =>
      resolve({ code: problem === null ? 0 : problem.code, stdout, stderr }),
    );
  });
}

async function echo(faults: Partial<Parts> = {}): Promise<string> {
  const container = await startEcho(faults);
  onTestFinished(() => container.stop());
  return container.url;
}

describe('the command check', () => {
  it('ends with 0 and a line of counts for a container that keeps the contract', async () => {
    const { code, stdout } = await check(await echo(), '--only', 'ping');

    expect(code).toBe(0);
    expect(stdout).toContain('✓ status is there and is Healthy or HealthyBusy ping.status');
    expect(stdout).toMatch(/^9 passed in \d+\.\d s$/m);
  });

  it('ends with 1 for an error, and shows what was sent, what was seen and where the sentence stands', async () => {
    const url = await echo({ pingHeaders: { 'content-type': 'text/plain' } });
    const { code, stdout } = await check(url, '--only', 'ping.json');

    expect(code).toBe(1);
    expect(stdout).toContain('✗ error: The answer has Content-Type application/json ping.json');
    expect(stdout).toContain('sent │ GET /ping');
    expect(stdout).toContain('content-type: text/plain');
    expect(stdout).toContain('source: AgentCore AG-UI protocol contract, Path requirements, /ping');
  });

  it('lets a warning pass unless it is told otherwise', async () => {
    const url = await echo({ statusOf: () => 'Healthy', thinkMs: () => 400 });

    expect((await check(url, '--only', 'ping.busy')).code).toBe(0);
    expect((await check(url, '--only', 'ping.busy', '--fail-on', 'warning')).code).toBe(1);
  });

  it('prints JSON alone, and writes JUnit beside it', async () => {
    const file = join(await temporaryFolder(), 'report.xml');
    const { stdout } = await check(
      await echo(),
      '--only',
      'ping.get,ws.path',
      '--ws',
      '--json',
      '--junit',
      file,
    );

    expect(JSON.parse(stdout)).toMatchObject({
      counts: { passed: 2 },
      results: [{ id: 'ping.get' }, { id: 'ws.path' }],
    });
    expect(await readFile(file, 'utf8')).toContain('<testsuites name="agentcore-agui check" tests="2"');
  });

  it('ends with 5 when the time did not suffice', async () => {
    expect((await check(await echo({ thinkMs: () => 60_000 }), '--timeout', '3')).code).toBe(5);
  });

  it.each([
    [[], 'give an address or an image'],
    [['ftp://example.com'], 'expected http://'],
    [['http://127.0.0.1:1', '--only', 'pong'], 'is no check'],
    [['--image', '/nowhere.tar'], 'ENOENT'],
    [['http://127.0.0.1:1', '--auth', 'bearer', '--token-file', '/nowhere'], "can't read /nowhere"],
  ])('ends with 2 and one line for %j', async (args, line) => {
    const { code, stdout, stderr } = await check(...args);

    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(line);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
