/**
 * 500 threads that begin at once, each saved when it is admitted, when its task has a name and when it is over: how long
 * until a run has begun, how many are done in a second, and how late /ping is meanwhile. Against a server that writes the
 * same files on its event loop.
 */
import { request } from 'node:http';
import { interleaved, type Measurement, percentile, type Sample } from '../measurement.ts';
import { ours, type ServerProcess, startProcess } from '../processes.ts';

const threads = 500;

export async function measure(): Promise<Measurement> {
  const upstream = await startProcess(['bench/peers/a2a-upstream.ts']);
  const blocking = await startProcess(['bench/peers/blocking-store.ts']);
  const server = await startProcess(ours, { AGUI_KERNEL_URL: upstream.url, AGUI_MAX_RUNS: '1000' });
  try {
    return await interleaved(`${threads} durable threads at once`, 7, {
      'writes on the event loop': () => allAtOnce(blocking),
      'agentcore-agui': () => allAtOnce(server),
    });
  } finally {
    for (const process of [server, blocking, upstream]) await process.stop();
  }
}

async function allAtOnce(server: ServerProcess): Promise<Sample> {
  const { url } = server;
  const cpuBefore = server.cpuSeconds();
  const begun: number[] = [];
  const pings: number[] = [];
  let isOver = false;
  const started = performance.now();
  const all = Promise.all(Array.from({ length: threads }, () => oneRun(url, begun))).then(() => {
    isOver = true;
  });
  while (!isOver) {
    const asked = performance.now();
    await (await fetch(`${url}/ping`)).text();
    pings.push(performance.now() - asked);
  }
  await all;
  return {
    'first event p50 ms': percentile(begun, 0.5),
    'first event p99 ms': percentile(begun, 0.99),
    'runs a second': (threads / (performance.now() - started)) * 1_000,
    'CPU ms per run': ((server.cpuSeconds() - cpuBefore) / threads) * 1_000,
    '/ping p99 ms': percentile(pings, 0.99),
  };
}

function oneRun(url: string, begun: number[]): Promise<void> {
  const body = JSON.stringify({
    threadId: crypto.randomUUID(),
    runId: crypto.randomUUID(),
    messages: [{ id: 'm', role: 'user', content: 'say 5' }],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  });
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const outgoing = request(`${url}/invocations`, { method: 'POST', headers }, (incoming) => {
      let text = '';
      incoming.once('data', () => begun.push(performance.now() - started));
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      incoming.on('end', () =>
        text.includes('"RUN_FINISHED"') ? resolve() : reject(new Error(text.slice(-300))),
      );
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
