/** The preload of the image, against a collector's stand-in: what arrives there, and when; and what a dead one costs. */
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startCollector } from '../support/otlp-collector.ts';
import { eventsOf, input, openRun, run } from '../support/requests.ts';
import { root, startServerProcess } from '../support/server-process.ts';

const preload = ['--import', join(root, 'src/server/telemetry-preload.ts')];
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };

describe('a server with the telemetry preload', () => {
  it('has sent a run, with its caller, tools and numbers, before the answer ends', async () => {
    const collector = await startCollector();
    const server = await startServerProcess(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=proof',
      },
      preload,
    );

    const answer = await run(`${server.url}/invocations`, input(), headers);

    expect(eventsOf(answer.text).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    const spans = collector.text('/v1/traces');
    for (const name of [
      'POST /invocations',
      'invoke_agent',
      'a2a SendStreamingMessage',
      'execute_tool ',
      'chat',
    ]) {
      expect(spans).toContain(name);
    }
    expect(spans).toContain(Buffer.from(traceId, 'hex').toString('latin1'));
    expect(spans).toContain('agentcore-agui');
    expect(spans).toContain('deployment.environment');
    expect(collector.text('/v1/metrics')).toContain('agentcore_agui.runs');
    expect(server.output()).toContain(`"traceId":"${traceId}"`);
  });

  it('takes the name of the service from the environment, and sends no numbers where none are wanted', async () => {
    const collector = await startCollector();
    const server = await startServerProcess(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_SERVICE_NAME: 'templates-agent',
        OTEL_METRICS_EXPORTER: 'none',
      },
      preload,
    );

    await run(`${server.url}/invocations`, input());

    expect(collector.text('/v1/traces')).toContain('templates-agent');
    expect(collector.text('/v1/metrics')).toBe('');
  });

  it('sends nothing of what was said', async () => {
    const collector = await startCollector();
    const server = await startServerProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, preload);
    const messages = [{ id: 'm', role: 'user', content: 'Create a VPC template named plugh' }];

    await run(`${server.url}/invocations`, input({ messages }));

    expect(collector.text('/v1/traces')).not.toContain('plugh');
  });

  it('does not wait for a collector that hangs: the terminal event comes at once, the answer ends soon after', async () => {
    const collector = await startCollector(() => undefined);
    const server = await startServerProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, preload);
    const opened = await openRun(`${server.url}/invocations`, input());

    await opened.until((text) => text.includes('RUN_FINISHED'));
    const endedAt = performance.now();
    await opened.ended;
    const waitedMs = performance.now() - endedAt;
    const second = await openRun(`${server.url}/invocations`, input());
    await second.until((text) => text.includes('RUN_FINISHED'));
    const again = performance.now();
    await second.ended;
    const secondMs = performance.now() - again;

    expect(waitedMs).toBeLessThan(2_000);
    // It is left alone for a while: the next answer does not wait at all.
    expect(secondMs).toBeLessThan(400);
  });

  it('serves, and stops, as well where nobody listens at the collector’s address', async () => {
    const server = await startServerProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, preload);

    const answer = await run(`${server.url}/invocations`, input());
    server.child.kill('SIGTERM');

    expect(eventsOf(answer.text).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect((await server.exited)[0]).toBe(0);
  });

  it('loads no SDK where no collector is named', async () => {
    const server = await startServerProcess({ NODE_DEBUG: 'esm' }, preload);

    await vi.waitFor(() => expect(server.output()).toContain('telemetry-environment'));
    expect(server.output()).not.toContain('sdk-trace');
  });
});
