/**
 * The whole chain, one event per upstream chunk: A2A agent → engine → SSE, against a pipe that converts nothing and
 * against a server that serialises each event itself. Each server in a process of its own; CPU is that of the server alone.
 */
import { say } from '../client.ts';
import { interleaved, type Measurement, type Sample } from '../measurement.ts';
import { ours, type ServerProcess, startProcess } from '../processes.ts';

const events = 100_000;

export async function measure(rounds = 7): Promise<Measurement> {
  const upstream = await startProcess(['bench/peers/a2a-upstream.ts']);
  const environment = { AGUI_KERNEL_URL: upstream.url };
  const servers = {
    'raw pipe, no conversion': await startProcess(['bench/peers/raw-pipe.ts'], environment),
    'raw JSON.stringify, no upstream': await startProcess(['bench/peers/raw-json.ts'], environment),
    'agentcore-agui': await startProcess(ours, environment),
  };
  try {
    const contestants = Object.entries(servers).map(
      ([name, server]) => [name, () => oneStream(server)] as const,
    );
    return await interleaved(`One stream of ${events} small texts`, rounds, Object.fromEntries(contestants));
  } finally {
    for (const server of Object.values(servers)) await server.stop();
    await upstream.stop();
  }
}

async function oneStream(server: ServerProcess): Promise<Sample> {
  const cpuBefore = server.cpuSeconds();
  const started = performance.now();
  await say(server.url, events);
  const seconds = (performance.now() - started) / 1_000;
  return {
    'CPU s per million': ((server.cpuSeconds() - cpuBefore) / events) * 1e6,
    'seconds per million': (seconds / events) * 1e6,
    'resident MB': server.residentMb(),
  };
}
