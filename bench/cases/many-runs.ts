/** 500 runs of 200 events that begin at once: until the first event, CPU per event, and the most memory. */
import { say } from '../client.ts';
import { npmPeers, pythonPeers } from '../installed-peers.ts';
import { interleaved, type Measurement, percentile, type Sample } from '../measurement.ts';
import { nodeCommand, type ServerCommand, startCommand } from '../processes.ts';

const runs = 500;
const events = 200;

export function measure(): Promise<Measurement> {
  const commands = {
    'raw frames, one write each': nodeCommand('bench/peers/raw-frames.ts'),
    'agentcore-agui': nodeCommand('bench/peers/own-agent.ts'),
    ...npmPeers(),
    ...pythonPeers(),
  };
  const contestants = Object.entries(commands).map(
    ([name, command]) => [name, () => allAtOnce(command)] as const,
  );
  return interleaved(`${runs} runs of ${events} events at once`, 5, Object.fromEntries(contestants));
}

/** A server of its own each time, so that peak memory is that of this round. */
async function allAtOnce(command: ServerCommand): Promise<Sample> {
  const server = await startCommand(command, { AGUI_MAX_RUNS: '1000' });
  try {
    const cpuBefore = server.cpuSeconds();
    const started = performance.now();
    const all = await Promise.all(Array.from({ length: runs }, () => say(server.url, events)));
    const seconds = (performance.now() - started) / 1_000;
    const first = all.map(({ firstMs }) => firstMs);
    return {
      'CPU s per million': ((server.cpuSeconds() - cpuBefore) / (runs * events)) * 1e6,
      'seconds for all': seconds,
      'first event p50 ms': percentile(first, 0.5),
      'first event p99 ms': percentile(first, 0.99),
      'peak MB': server.peakMb(),
    };
  } finally {
    await server.stop();
  }
}
