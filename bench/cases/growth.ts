/**
 * How cost grows: CPU an event with the length of a run, and CPU a run and memory with the number of threads that are
 * kept. The first row of each is the reference; rows of threads are batches of 1,000 new ones on the same server.
 */
import { say } from '../client.ts';
import { interleaved, type Measurement, type Sample } from '../measurement.ts';
import { nodeCommand, type ServerProcess, startCommand } from '../processes.ts';

const batch = 1_000;
const clients = 16;

export async function measure(): Promise<Measurement> {
  const server = await startCommand(nodeCommand('bench/peers/own-agent.ts'));
  const store = await startCommand(nodeCommand('bench/peers/own-agent.ts'));
  try {
    return await interleaved('Growth with events and threads', 1, {
      'a run of 10,000 events': () => longRun(server, 10_000),
      'a run of 100,000 events': () => longRun(server, 100_000),
      'a run of 1,000,000 events': () => longRun(server, 1_000_000),
      'threads up to 1,000': () => newThreads(store),
      'threads up to 2,000': () => newThreads(store),
      'threads up to 3,000': () => newThreads(store),
      'threads up to 4,000': () => newThreads(store),
      'threads up to 5,000': () => newThreads(store),
    });
  } finally {
    await server.stop();
    await store.stop();
  }
}

async function longRun(server: ServerProcess, events: number): Promise<Sample> {
  const repeats = Math.max(1, 300_000 / events);
  const cpuBefore = server.cpuSeconds();
  for (let index = 0; index < repeats; index += 1) await say(server.url, events);
  const cpu = server.cpuSeconds() - cpuBefore;
  return {
    'CPU s per million': (cpu / (events * repeats)) * 1e6,
    'CPU ms per run': (cpu / repeats) * 1e3,
    'resident MB': server.residentMb(),
  };
}

async function newThreads(server: ServerProcess): Promise<Sample> {
  const cpuBefore = server.cpuSeconds();
  let left = batch;
  let events = 0;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      events += (await say(server.url, 1)).events;
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  const cpu = server.cpuSeconds() - cpuBefore;
  return {
    'CPU s per million': (cpu / events) * 1e6,
    'CPU ms per run': (cpu / batch) * 1e3,
    'resident MB': server.residentMb(),
  };
}
