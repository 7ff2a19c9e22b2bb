import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, input, run } from '../../../support/requests.ts';
import { ScriptedKernel, turn } from '../../../support/scripted-kernel.ts';
import { startServer } from '../../../support/servers.ts';

const inSession = { 'X-Amzn-Bedrock-AgentCore-Runtime-Session-Id': 's'.repeat(40) };
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

describe('threads in files', () => {
  it.each([
    ['AGUI_THREAD_TTL_DAYS=7', '7', ['fresh.json', 'new.json'], ['new.json']],
    ['0', '0', ['fresh.json', 'new.json', 'old.json'], ['new.json', 'old.json']],
  ])(
    'that have not changed for longer than %s are taken away once a day',
    async (_what, days, free, bound) => {
      const replace = { kernel: new ScriptedKernel(turn('hello')) };
      const first = await startServer({ replace });
      for (const threadId of ['old', 'fresh']) await run(`${first.url}/invocations`, input({ threadId }));
      await run(`${first.url}/invocations`, input({ threadId: 'old' }), inSession);
      await first.stop();
      const state = join(first.folder, 'agui');
      const threads = [join(state, 'threads'), join(state, 'sessions', 's'.repeat(40), 'threads')] as const;
      for (const folder of threads) await utimes(join(folder, 'old.json'), daysAgo(8), daysAgo(8));
      await utimes(join(threads[0], 'fresh.json'), daysAgo(6), daysAgo(6));

      const environment = { AGUI_THREAD_TTL_DAYS: days };
      const second = await startServer({ replace, folder: first.folder, environment });
      const before = await readdir(threads[0]);
      await run(`${second.url}/invocations`, input({ threadId: 'new' }));
      await run(`${second.url}/invocations`, input({ threadId: 'new' }), inSession);
      await second.stop();

      expect(before.sort()).toEqual(['fresh.json', 'old.json']);
      expect((await readdir(threads[0])).sort()).toEqual(free);
      expect((await readdir(threads[1])).sort()).toEqual(bound);
    },
  );

  it('remember as many runs of a thread as AGUI_RUNS_REMEMBERED says', async () => {
    const server = await startServer({
      replace: { kernel: new ScriptedKernel(turn('hello')) },
      environment: { AGUI_RUNS_REMEMBERED: '2' },
    });
    const bodies = [1, 2, 3].map((index) => input({ threadId: 'one', runId: `run-${index}` }));
    for (const body of bodies) await run(`${server.url}/invocations`, body);

    const again = [];
    for (const body of [...bodies].reverse())
      again.push((await run(`${server.url}/invocations`, body)).status);

    expect(again).toEqual([409, 409, 200]);
    expect((await call(`${server.url}/ping`, { method: 'GET' })).status).toBe(200);
  });
});
