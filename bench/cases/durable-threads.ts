/**
 * 500 threads that begin at once, each saved when it is admitted, when its task has a name and when it is over: how long
 * until a run has begun, how many are done in a second, and how late /ping is meanwhile. Against a server that writes the
 * same files on its event loop.
 */
import { request } from 'node:http';
import { interleaved, type Measurement, percentile, type Sample } from '../measurement.ts';
import { ours, type ServerProcess, startProcess } from '../processes.ts';

const threads = 500;
const metricsPort = 19_464;

export async function measure(): Promise<Measurement> {
  const upstream = await startProcess(['bench/peers/a2a-upstream.ts']);
  const blocking = await startProcess(['bench/peers/blocking-store.ts']);
  const server = await startProcess(ours, {
    AGUI_KERNEL_URL: upstream.url,
    AGUI_MAX_RUNS: '1000',
    AGUI_METRICS_PORT: String(metricsPort),
  });
  try {
    return await interleaved(`${threads} durable threads at once`, 7, {
      'writes on the event loop': () => allAtOnce(blocking, async () => undefined),
      'agentcore-agui': () => allAtOnce(server, savesSoFar),
    });
  } finally {
    for (const process of [server, blocking, upstream]) await process.stop();
  }
}

async function allAtOnce(server: ServerProcess, saves: () => Promise<number | undefined>): Promise<Sample> {
  const { url } = server;
  const cpuBefore = server.cpuSeconds();
  const savesBefore = await saves();
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
  const seconds = (performance.now() - started) / 1_000;
  const savesAfter = await saves();
  // The other one writes three times by its making.
  const perRun = savesBefore === undefined ? 3 : ((savesAfter ?? 0) - savesBefore) / threads;
  return {
    'saves per run': perRun,
    'first event p50 ms': percentile(begun, 0.5),
    'first event p99 ms': percentile(begun, 0.99),
    'runs a second': threads / seconds,
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

/** By the server's own count, once the ends of all runs are saved. */
async function savesSoFar(): Promise<number> {
  let last = -1;
  for (;;) {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const found = /store_duration_seconds_count\{[^}]*operation="save"[^}]*\} (\d+)/.exec(text)?.[1];
    const count = Number(found ?? 0);
    if (count === last) return count;
    last = count;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
