/**
 * A body of nearly 12 MiB, as many text messages and as one: CPU of the server until its answer has ended, and the longest
 * time that /ping had to wait meanwhile. Servers that refuse such a body are shown with nothing taken.
 */
import { inputOf, stream } from '../client.ts';
import { npmPeers } from '../installed-peers.ts';
import { interleaved, type Measurement, type Sample } from '../measurement.ts';
import { nodeCommand, type ServerProcess, startCommand } from '../processes.ts';

const size = 12 * 1024 * 1024 - 65_536;
const repeats = 5;

function manyMessages(): object {
  const text = 'x'.repeat(10_000);
  const messages = Array.from({ length: Math.floor(size / 10_050) }, (_none, index) => ({
    id: `m-${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: text,
  }));
  return inputOf('', { messages: [...messages, { id: 'last', role: 'user', content: 'say 1' }] });
}

export async function measure(): Promise<Measurement> {
  const commands = {
    'raw concat + JSON.parse': nodeCommand('bench/peers/raw-frames.ts'),
    'agentcore-agui': nodeCommand('bench/peers/own-agent.ts'),
    ...npmPeers(),
  };
  const servers = new Map<string, ServerProcess>();
  try {
    for (const [name, command] of Object.entries(commands)) servers.set(name, await startCommand(command));
    const contestants = [...servers].map(([name, server]) => [name, () => send(server)] as const);
    return await interleaved('A body of 12 MiB', 5, Object.fromEntries(contestants));
  } finally {
    for (const server of servers.values()) await server.stop();
  }
}

async function send(server: ServerProcess): Promise<Sample> {
  const cpuBefore = server.cpuSeconds();
  const waits: number[] = [];
  let taken = 0;
  for (let index = 0; index < repeats; index += 1) {
    let isOver = false;
    const answer = stream(server.url, manyMessages()).then(
      ({ events }) => events > 0,
      // Refused while it was still being sent.
      () => false,
    );
    const done = answer.then((isTaken) => {
      isOver = true;
      if (isTaken) taken += 1;
    });
    while (!isOver) {
      const asked = performance.now();
      await (await fetch(`${server.url}/ping`)).text();
      waits.push(performance.now() - asked);
    }
    await done;
  }
  return {
    'CPU ms a request': ((server.cpuSeconds() - cpuBefore) / repeats) * 1_000,
    'longest /ping ms': Math.max(...waits),
    'peak MB': server.peakMb(),
    'taken of 5': taken,
  };
}
