/** Sessions are namespaces: a thread lives inside its session, and state is kept apart on disk. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { eventsOf, input, run } from '../support/requests.ts';
import { ScriptedKernel, turn } from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';

const inSession = (letter: string) => ({ 'X-Amzn-Bedrock-AgentCore-Runtime-Session-Id': letter.repeat(40) });

describe('a thread', () => {
  it('of the same id in two sessions is two threads, each with its own kernel context and workspace', async () => {
    const kernel = new ScriptedKernel(turn('hello'));
    const server = await startServer({ replace: { kernel } });
    const body = input();

    const answers = [
      await run(`${server.url}/invocations`, body, inSession('a')),
      await run(`${server.url}/invocations`, body, inSession('b')),
      await run(`${server.url}/invocations`, body),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const contexts = kernel.sends.map(({ message }) => message.contextId);
    const folders = kernel.sends.map(({ message }) => Object(message.metadata?.['iac_code'])['cwd']);
    expect(new Set(contexts).size).toBe(3);
    expect(new Set(folders).size).toBe(3);
    for (const folder of folders) expect(folder).toContain(join(server.folder, 'workspace'));
  });

  it('keeps its run ids over a restart of the server', async () => {
    const first = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });
    const body = input();
    await run(`${first.url}/invocations`, body, inSession('c'));
    await first.stop();
    const second = await startServer({
      replace: { kernel: new ScriptedKernel(turn('hello')) },
      folder: first.folder,
    });

    const repeated = await run(`${second.url}/invocations`, body, inSession('c'));
    const next = await run(`${second.url}/invocations`, { ...body, runId: 'next' }, inSession('c'));

    expect(repeated.status).toBe(409);
    expect(eventsOf(repeated.text)).toMatchObject([{ code: 'SESSION_BUSY' }]);
    expect(next.status).toBe(200);
  });

  it('is stored in one small private file that holds no secret and no text', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('the answer')) } });
    const props = {
      schemaVersion: 1,
      rosInvocationId: 'invocation-1',
      cwd: join(server.folder, 'workspace', 'mine'),
      llmApiKey: 'canary-llm-key',
      alibabaCloud: {
        accessKeyId: 'canary-id',
        accessKeySecret: 'canary-secret',
        securityToken: 'canary-token',
      },
    };
    const body = input({ threadId: 'thread-1', forwardedProps: { iacCode: props } });

    const answer = await run(`${server.url}/invocations`, body, inSession('d'));
    // The end of the run is told before it is on disk; a stopped server has written everything.
    await server.stop();

    expect(answer.status).toBe(200);
    const session = join(server.folder, 'agui', 'sessions', 'd'.repeat(40));
    const file = join(session, 'threads', 'thread-1.json');
    const stored = await readFile(file, 'utf8');
    expect(stored).not.toMatch(/canary|the answer|Create a VPC/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(session)).mode & 0o777).toBe(0o700);
    // The end of the run may still be on its way to the disk: it is saved behind the terminal event.
    await vi.waitFor(async () => expect(await readdir(join(session, 'threads'))).toEqual(['thread-1.json']));
    expect(JSON.stringify(server.log)).not.toMatch(/canary|the answer|Create a VPC/);
  });
});
