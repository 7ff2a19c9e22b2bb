/** What a client can cost: slow readers, stalled uploads, requests that are given up. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { call, input, openRun } from '../support/requests.ts';
import { aborted, ScriptedKernel, submitted, textOf } from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';

describe('the server', () => {
  it('does not read ahead of a client that does not read', async () => {
    const text = 'x'.repeat(10_000);
    let produced = 0;
    const kernel = new ScriptedKernel(async function* (_send, names, signal) {
      yield [submitted(names)];
      while (!signal.aborted && produced < 50_000_000) {
        produced += text.length;
        yield [textOf(names, text)];
      }
    });
    const server = await startServer({ replace: { kernel } });
    const socket = connect(server.port, '127.0.0.1');
    const body = JSON.stringify(input());

    socket.write(
      `POST /invocations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    socket.pause();
    let before = -1;
    while (produced === 0 || produced !== before) {
      before = produced;
      // Round trips on other connections, while the first one stands still.
      for (let index = 0; index < 50; index += 1) await call(`${server.url}/ping`, { method: 'GET' });
    }

    expect(produced).toBeLessThan(20_000_000);
    expect(produced).toBeGreaterThan(100_000);
    socket.destroy();
  });

  it('leaves no run, timer or listener behind after 1,000 requests that were given up', async () => {
    const kernel = new ScriptedKernel(async function* (_send, names, signal) {
      yield [submitted(names), textOf(names, 'thinking')];
      await aborted(signal);
    });
    const server = await startServer({ environment: { AGUI_MAX_RUNS: '2000' }, replace: { kernel } });
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const opened = await openRun(`${server.url}/invocations`, input());
          await opened.leave();
        }),
      );
    }

    while (server.parts.liveRuns.count > 0) await call(`${server.url}/ping`, { method: 'GET' });

    expect(kernel.sends.length).toBeGreaterThan(0);
    expect(kernel.cancels).toHaveLength(kernel.sends.length);
    expect(kernel.reading).toBe(0);
    expect(server.parts.health.busyCount).toBe(0);
    expect(server.parts.heartbeats.size).toBe(0);
    expect(server.parts.http.listenerCount('close')).toBeLessThan(5);
  });

  it('gives up on a body that stops arriving when its client leaves, and runs nothing', async () => {
    const kernel = new ScriptedKernel(async function* (_send, names) {
      yield [submitted(names)];
    });
    const server = await startServer({ replace: { kernel } });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      'POST /invocations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"thr',
    );

    await new Promise<void>((resolve) => socket.end(() => resolve()));
    await call(`${server.url}/ping`, { method: 'GET' });

    expect(kernel.sends).toEqual([]);
    expect(server.parts.health.busyCount).toBe(0);
  });
});
