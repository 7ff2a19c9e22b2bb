/**
 * One stream of an agent in the server's own process, as fast as it is read: against frames made before (the limit),
 * against frames serialised one by one, and against what one builds today.
 */
import { say } from '../client.ts';
import { npmPeers, pythonPeers } from '../installed-peers.ts';
import { interleaved, type Measurement, type Sample } from '../measurement.ts';
import { nodeCommand, type ServerProcess, startCommand } from '../processes.ts';

const events = 300_000;

export async function measure(rounds = 5, peers = true): Promise<Measurement> {
  const commands = {
    'raw frames, one write each': nodeCommand('bench/peers/raw-frames.ts'),
    'agentcore-agui': nodeCommand('bench/peers/own-agent.ts'),
    'raw JSON.stringify': nodeCommand('bench/peers/raw-json.ts'),
    ...(peers ? { ...npmPeers(), ...pythonPeers() } : {}),
  };
  const servers = new Map<string, ServerProcess>();
  try {
    for (const [name, command] of Object.entries(commands)) servers.set(name, await startCommand(command));
    const contestants = [...servers].map(([name, server]) => [name, () => oneStream(server)] as const);
    return await interleaved(
      `One stream of ${events} small texts, no upstream`,
      rounds,
      Object.fromEntries(contestants),
    );
  } finally {
    for (const server of servers.values()) await server.stop();
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
    'peak MB': server.peakMb(),
  };
}
