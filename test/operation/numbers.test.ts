/** The numbers as Prometheus reads them, from a port that only exists when it is asked for. */
import { describe, expect, it } from 'vitest';
import { KernelError } from '../../src/errors/kernel-error.ts';
import { call, input, openRun, run } from '../support/requests.ts';
import { aborted, type Script, ScriptedKernel, submitted, textOf, turn } from '../support/scripted-kernel.ts';
import { startServer, type TestServer } from '../support/servers.ts';
import { openSocket } from '../support/sockets.ts';

const environment = { AGUI_METRICS_PORT: '0', AGUI_HEARTBEAT_S: '1' };

const works: Script = async function* (_send, names, signal) {
  yield [submitted(names), textOf(names, 'working')];
  await aborted(signal);
};

const metricsUrl = ({ metricsPort }: TestServer): string => `http://127.0.0.1:${metricsPort}/metrics`;

async function numbersOf(server: TestServer): Promise<ReadonlyMap<string, number>> {
  const { text } = await call(metricsUrl(server), { method: 'GET' });
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

describe('the numbers', () => {
  it('count runs by outcome and fault, and time them and the store', async () => {
    const server = await startServer({ environment, replace: { kernel: new ScriptedKernel(turn('hello')) } });
    await run(`${server.url}/invocations`, input());
    await run(`${server.url}/invocations`, input());

    const numbers = await numbersOf(server);

    expect(numbers.get('agentcore_agui_runs_total{outcome="finished",fault=""}')).toBe(2);
    expect(numbers.get('agentcore_agui_run_duration_seconds_count{outcome="finished"}')).toBe(2);
    expect(numbers.get('agentcore_agui_run_first_event_seconds_count')).toBe(2);
    expect(
      numbers.get('agentcore_agui_store_duration_seconds_count{operation="save",outcome="ok"}'),
    ).toBeGreaterThan(1);
    expect(numbers.get('agentcore_agui_runs_active')).toBe(0);
  });

  it('name the fault of a run that failed', async () => {
    const kernel = new ScriptedKernel(() => {
      throw new KernelError('unavailable', 'nobody there');
    });
    const server = await startServer({ environment, replace: { kernel } });
    await run(`${server.url}/invocations`, input());

    const numbers = await numbersOf(server);

    expect(numbers.get('agentcore_agui_runs_total{outcome="failed",fault="A2A_UNAVAILABLE"}')).toBe(1);
  });

  it('show what is going on: runs, sockets, heartbeats', async () => {
    const server = await startServer({ environment, replace: { kernel: new ScriptedKernel(works) } });
    const opened = await openRun(`${server.url}/invocations`, input());
    await openSocket(`${server.url}/ws`);
    await opened.until((text) => text.includes(': heartbeat'));

    const numbers = await numbersOf(server);

    expect(numbers.get('agentcore_agui_runs_active')).toBe(1);
    expect(numbers.get('agentcore_agui_sockets_open')).toBe(1);
    expect(numbers.get('agentcore_agui_heartbeats_total')).toBeGreaterThan(0);
    await opened.leave();
  });

  it('have no name or label of a thread, a session or a user', async () => {
    const server = await startServer({ environment });
    const session = 'session-0123456789-0123456789-0123456789';
    const headers = { 'x-amzn-bedrock-agentcore-runtime-session-id': session };
    await run(`${server.url}/invocations`, input({ threadId: 'thread-plugh' }), headers);

    const { text } = await call(metricsUrl(server), { method: 'GET' });

    expect(text).not.toMatch(/plugh|session-0123/);
  });

  it('are not at the agent’s own port, and nothing else is at theirs', async () => {
    const server = await startServer({ environment });

    expect((await call(`${server.url}/metrics`, { method: 'GET' })).status).toBe(404);
    expect((await call(metricsUrl(server).replace('/metrics', '/ping'), { method: 'GET' })).status).toBe(404);
    expect((await call(metricsUrl(server), { method: 'POST' })).status).toBe(405);
  });

  it('have no port unless it is asked for, and give it back at the end', async () => {
    expect((await startServer()).metricsPort).toBeUndefined();
    const server = await startServer({ environment });

    await server.stop();

    await expect(call(metricsUrl(server), { method: 'GET' })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
