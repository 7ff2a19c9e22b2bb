/**
 * Event streams that bring five events a second each, from 500 to 2,000 of them: how late an event is, CPU and memory a
 * stream. Ours speaks for an A2A agent behind it, the bare one makes the events itself; latency counts from the moment the
 * text was said. The first row is the bare server with as many streams as our last.
 */
import { Agent, request } from 'node:http';
import { inputOf } from '../client.ts';
import { interleaved, type Measurement, percentile, type Sample } from '../measurement.ts';
import { nodeCommand, ours, type ServerCommand, startCommand } from '../processes.ts';

const seconds = 15;
/** All have begun by then. */
const warmUpMs = 9_000;

export async function measure(): Promise<Measurement> {
  const upstream = await startCommand(nodeCommand('bench/peers/paced-upstream.ts'));
  const environment = { AGUI_KERNEL_URL: upstream.url, AGUI_MAX_RUNS: '5000' };
  const own = nodeCommand(...ours);
  try {
    return await interleaved('Event streams at 5 events a second', 3, {
      'bare, 2,000': () => withStreams(2_000, nodeCommand('bench/peers/raw-paced.ts'), {}),
      'agentcore-agui, 2,000': () => withStreams(2_000, own, environment),
      'agentcore-agui, 1,000': () => withStreams(1_000, own, environment),
      'agentcore-agui, 500': () => withStreams(500, own, environment),
    });
  } finally {
    await upstream.stop();
  }
}

async function withStreams(
  count: number,
  command: ServerCommand,
  environment: Readonly<Record<string, string>>,
): Promise<Sample> {
  const server = await startCommand(command, environment);
  const agent = new Agent({ keepAlive: false });
  try {
    const before = server.residentMb();
    const late: number[] = [];
    const from = Date.now() + warmUpMs;
    const all = Promise.all(Array.from({ length: count }, () => listen(server.url, agent, late, from)));
    await new Promise((resolve) => setTimeout(resolve, warmUpMs));
    const cpuBefore = server.cpuSeconds();
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    const cpu = ((server.cpuSeconds() - cpuBefore) / 4) * 100;
    const loadedKb = ((server.residentMb() - before) * 1_024) / count;
    await all;
    return {
      'loaded KB each': loadedKb,
      'p50 ms': percentile(late, 0.5),
      'p99 ms': percentile(late, 0.99),
      'CPU %': cpu,
    };
  } finally {
    await server.stop();
  }
}

function listen(url: string, agent: Agent, late: number[], from: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const outgoing = request(`${url}/invocations`, { method: 'POST', headers, agent }, (incoming) => {
      let isFinished = false;
      incoming.setEncoding('utf8').on('data', (text: string) => {
        const now = Date.now();
        isFinished ||= text.includes('"RUN_FINISHED"');
        for (const [, said] of text.matchAll(/"delta":"(\d{13}) "/g))
          if (now > from) late.push(now - Number(said));
      });
      incoming.on('end', () => (isFinished ? resolve() : reject(new Error('a run did not finish'))));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(inputOf(String(seconds))));
  });
}
