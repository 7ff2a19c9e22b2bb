/** `agentcore-agui frontdoor` as a process: its file, its exit codes, and that nothing is left of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { identity, runtimeInput } from '../support/front-door.ts';
import { temporaryFolder } from '../support/servers.ts';
import { signedFetch } from '../support/signed-fetch.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

async function start(config: unknown, environment: Record<string, string> = {}) {
  const file = join(await temporaryFolder(), 'door.json');
  await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config));
  const child = spawn(process.execPath, [main, 'frontdoor', '--config', file], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { out: '', err: '' };
  const listening = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.out += text;
      const url = /"url":"([^"]+)"/.exec(output.out)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.err += text;
  });
  const exit = once(child, 'close').then(([code]) => code as number);
  return { child, output, listening, exit };
}

const door = {
  port: 0,
  runtimes: [runtimeInput()],
  identities: [{ ...identity, secretAccessKey: { env: 'SECRET' } }],
};

describe('the frontdoor command', () => {
  it('says where it listens, takes secrets from its environment, and takes its containers along when it ends', async () => {
    const { child, output, listening, exit } = await start(door, { SECRET: identity.secretAccessKey });
    const url = await listening;
    const answer = await signedFetch(url);
    const { sessions } = (await (await fetch(`${url}/_frontdoor/sessions`)).json()) as {
      sessions: { processId: number }[];
    };

    child.kill('SIGTERM');

    expect(answer.status).toBe(200);
    expect(await exit).toBe(0);
    expect(output.err).toContain('for development and tests');
    expect(output.out + output.err).not.toContain(identity.secretAccessKey);
    expect(() => process.kill(sessions[0]?.processId ?? 0, 0)).toThrow('ESRCH');
  });

  it('leaves no container behind when it breaks', async () => {
    const file = join(await temporaryFolder(), 'breaking.ts');
    const sources = join(import.meta.dirname, '../../src/frontdoor/entry.ts');
    await writeFile(
      file,
      `import { openFrontDoor, readDoorConfig } from ${JSON.stringify(sources)};
       const config = readDoorConfig(${JSON.stringify({ ...door, identities: [identity] })}, { folder: '/', environment: process.env });
       const opened = await openFrontDoor(config);
       process.stdout.write(JSON.stringify({ url: opened.url }) + '\\n');
       process.stdin.once('data', () => { throw new Error('broken on purpose'); });`,
    );
    const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const { headers } = (await (await signedFetch(url)).json()) as { headers: { host: string } };
    const container = `http://${headers.host}/ping`;
    expect((await fetch(container)).status).toBe(200);

    child.stdin.write('break');
    await once(child, 'close');

    await expect(fetch(container)).rejects.toThrow();
  });

  it.each([
    ['is no JSON', '{', /the file is not JSON/],
    ['has a member that nobody knows', { ...door, limit: 1 }, /Unrecognized key: "limit"/],
    [
      'lets a header through that never passes',
      { ...door, runtimes: [runtimeInput({ requestHeaderAllowlist: ['Origin'] })] },
      /never lets through/,
    ],
    ['has a runtime twice', { ...door, runtimes: [runtimeInput(), runtimeInput()] }, /is there twice/],
    ['names a secret that is not set', door, /the variable SECRET is not set/],
    [
      'idles longer than it lives',
      {
        ...door,
        runtimes: [runtimeInput({ lifecycle: { idleRuntimeSessionTimeout: 61, maxLifetime: 60 } })],
      },
      /must not be longer than maxLifetime/,
    ],
  ])('does not start with a file that %s: exit code 2 and what to do', async (_what, config, message) => {
    const { output, exit } = await start(config);

    expect(await exit).toBe(2);
    expect(output.err).toMatch(/^error: .*door\.json: /);
    expect(output.err).toMatch(message);
  });

  it('does not start on a port that is taken: exit code 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };

    const { output, exit } = await start({ ...door, port }, { SECRET: 'x' });

    expect(await exit).toBe(1);
    expect(output.err).toContain(`127.0.0.1:${port} can't be listened on (EADDRINUSE)`);
  });
});
