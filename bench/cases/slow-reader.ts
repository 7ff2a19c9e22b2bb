/**
 * A reader that takes 1 KB a second of a stream of 50 MB: how much a server's memory grows in ten seconds, and how much
 * CPU it uses in the second after the reader has gone.
 */
import { connect } from 'node:net';
import { inputOf } from '../client.ts';
import { npmPeers } from '../installed-peers.ts';
import { interleaved, type Measurement, type Sample } from '../measurement.ts';
import { nodeCommand, type ServerCommand, startCommand } from '../processes.ts';

const events = 400_000;

export function measure(): Promise<Measurement> {
  const commands = {
    'raw frames, waits for drain': nodeCommand('bench/peers/raw-frames.ts'),
    'agentcore-agui': nodeCommand('bench/peers/own-agent.ts'),
    ...npmPeers(),
  };
  return interleaved(
    'A reader of 1 KB a second',
    3,
    Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, () => readSlowly(command)])),
  );
}

async function readSlowly(command: ServerCommand): Promise<Sample> {
  const server = await startCommand(command);
  try {
    const before = server.residentMb();
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const body = JSON.stringify(inputOf(`say ${events}`));
    socket.write(
      `POST /invocations HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\nX-Amzn-Bedrock-AgentCore-Runtime-Session-Id: ${crypto.randomUUID()}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const reading = setInterval(() => socket.read(1_024), 1_000);
    await pause(10_000);
    const grown = server.peakMb() - before;
    clearInterval(reading);
    socket.destroy();
    await pause(1_000);
    const cpuBefore = server.cpuSeconds();
    await pause(1_000);
    return { 'growth MB': grown, 'CPU % after it left': (server.cpuSeconds() - cpuBefore) * 100 };
  } finally {
    await server.stop();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
