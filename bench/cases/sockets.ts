/**
 * 2,000 WebSockets: memory of an idle one, and how late an event is that was said five times a second on each. Ours speaks
 * for an A2A agent behind it, the bare one makes the events itself; latency counts from the moment the text was said.
 */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { interleaved, type Measurement, percentile, type Sample } from '../measurement.ts';
import { ours, type ServerProcess, startProcess } from '../processes.ts';

const sockets = 2_000;
const seconds = 15;

export async function measure(): Promise<Measurement> {
  const upstream = await startProcess(['bench/peers/paced-upstream.ts']);
  const environment = { AGUI_KERNEL_URL: upstream.url, AGUI_MAX_RUNS: '5000' };
  try {
    return await interleaved(`${sockets} sockets at 5 events a second`, 3, {
      'bare ws': () => withServer(['bench/peers/raw-ws.ts'], {}),
      'agentcore-agui': () => withServer(ours, environment),
    });
  } finally {
    await upstream.stop();
  }
}

async function withServer(
  script: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Sample> {
  const server = await startProcess(script, environment);
  try {
    return await measureSockets(server);
  } finally {
    await server.stop();
  }
}

async function measureSockets(server: ServerProcess): Promise<Sample> {
  const before = server.residentMb();
  const open: WebSocket[] = [];
  for (let index = 0; index < sockets; index += 50) {
    const batch = Array.from(
      { length: 50 },
      () => new WebSocket(`${server.url.replace('http', 'ws')}/ws`, { perMessageDeflate: false }),
    );
    await Promise.all(batch.map((socket) => once(socket, 'open')));
    open.push(...batch);
  }
  const idleKb = ((server.residentMb() - before) * 1_024) / sockets;
  const late: number[] = [];
  const cpuBefore = server.cpuSeconds();
  const started = Date.now();
  await Promise.all(open.map((socket) => listen(socket, late, started + 9_000)));
  const cpu = ((server.cpuSeconds() - cpuBefore) / ((Date.now() - started) / 1_000)) * 100;
  const loadedKb = ((server.residentMb() - before) * 1_024) / sockets;
  for (const socket of open) socket.terminate();
  return {
    'idle KB': idleKb,
    'loaded KB': loadedKb,
    'p50 ms': percentile(late, 0.5),
    'p99 ms': percentile(late, 0.99),
    'CPU %': cpu,
  };
}

/** Resolves at the run's end; what arrives before `from` is warm-up. */
function listen(socket: WebSocket, late: number[], from: number): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.on('message', (data) => {
      const text = String(data);
      const now = Date.now();
      const said = /"delta":"(?:\d+ )*(\d{13}) "/.exec(text)?.[1];
      if (said !== undefined && now > from) late.push(now - Number(said));
      if (text.includes('"RUN_ERROR"')) reject(new Error(text));
      if (text.includes('"RUN_FINISHED"')) resolve();
    });
    const input = {
      threadId: crypto.randomUUID(),
      runId: crypto.randomUUID(),
      messages: [{ id: 'm', role: 'user', content: String(seconds) }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    };
    socket.send(JSON.stringify(input));
  });
}
