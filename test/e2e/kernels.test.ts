/** The server in front of kernels in other processes: a remote one, and one that it starts itself. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventsOf, input, run } from '../support/requests.ts';
import { startServer } from '../support/servers.ts';

const fakeKernel = join(import.meta.dirname, '../fake-kernel/main.ts');

describe('the server', () => {
  it('starts the kernel that it is given as a command, and runs through it', async () => {
    const server = await startServer({
      environment: { AGUI_KERNEL_COMMAND: `"${process.execPath}" "${fakeKernel}" --port {port}` },
    });

    const answer = await run(`${server.url}/invocations`, input());

    expect(eventsOf(answer.text).at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: { type: 'success' },
    });
  });

  it('tells a remote kernel that is not there as AGENT_ERROR in the stream, and answers /ping all the while', async () => {
    const server = await startServer({ environment: { AGUI_KERNEL_URL: 'http://127.0.0.1:9' } });

    const answer = await run(`${server.url}/invocations`, input());

    expect(answer.status).toBe(200);
    expect(eventsOf(answer.text)).toMatchObject([
      { type: 'RUN_STARTED' },
      { type: 'CUSTOM', name: 'iac-code.session.v1' },
      {
        type: 'RUN_ERROR',
        code: 'AGENT_ERROR',
        metadata: { 'agentcore-agui': { fault: 'A2A_UNAVAILABLE', retryable: true } },
      },
    ]);
  });
});
