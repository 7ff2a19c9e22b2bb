/** /ping while 50 runs of the embedded agent stream at full speed, against the same server idle. */
import { interleaved, type Measurement, percentile, type Sample } from '../measurement.ts';
import { ours, startProcess } from '../processes.ts';

const streams = 50;
const pings = 200;

export async function measure(): Promise<Measurement> {
  const server = await startProcess(ours);
  try {
    return await interleaved('/ping beside 50 streaming runs', 5, {
      idle: () => pingMany(server.url),
      'beside 50 runs': () => besideRuns(server.url),
    });
  } finally {
    await server.stop();
  }
}

async function pingMany(url: string): Promise<Sample> {
  const times: number[] = [];
  for (let index = 0; index < pings; index += 1) {
    const started = performance.now();
    await (await fetch(`${url}/ping`)).text();
    times.push(performance.now() - started);
  }
  return { 'p50 ms': percentile(times, 0.5), 'p99 ms': percentile(times, 0.99) };
}

async function besideRuns(url: string): Promise<Sample> {
  let isOver = false;
  const runners = Array.from({ length: streams }, async () => {
    while (!isOver) await oneRun(url);
  });
  const sample = await pingMany(url);
  isOver = true;
  await Promise.all(runners);
  return sample;
}

async function oneRun(url: string): Promise<void> {
  const answer = await fetch(`${url}/invocations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      threadId: crypto.randomUUID(),
      runId: crypto.randomUUID(),
      messages: [
        { id: crypto.randomUUID(), role: 'user', content: 'Create a VPC with 3 subnets and a bucket' },
      ],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    }),
  });
  const text = await answer.text();
  if (!text.includes('RUN_FINISHED')) throw new Error(`a run did not finish: ${text.slice(-300)}`);
}
