/**
 * One stream that lasts: about 900 events a second for ten minutes (or as many minutes as the argument says), kernel →
 * engine → SSE. Prints resident memory each half minute and the growth from the second to the last; flat is the claim.
 */
import { request } from 'node:http';
import { round } from '../measurement.ts';
import { ours, startProcess } from '../processes.ts';

const minutes = Number(process.argv[2] ?? 10);
const upstream = await startProcess(['bench/peers/a2a-upstream.ts'], { BENCH_PAUSE_MS: '1' });
const server = await startProcess(ours, { AGUI_KERNEL_URL: upstream.url, AGUI_MAX_BODY_BYTES: '1048576' });
const samples: number[] = [];
let bytes = 0;

const stream = open();
const ends = Date.now() + minutes * 60_000;
while (Date.now() < ends) {
  await new Promise((resolve) => setTimeout(resolve, Math.min(30_000, ends - Date.now())));
  samples.push(server.residentMb());
  console.log(`${samples.length * 0.5} min: ${round(samples.at(-1) ?? 0)} MB, ${round(bytes / 1e6)} MB read`);
}
stream.destroy();
await server.stop();
await upstream.stop();
const growth = (samples.at(-1) ?? 0) - (samples[1] ?? 0);
console.log(`growth after the first minute: ${round(growth)} MB`);
// What a collector leaves lying about between two looks, not more.
process.exitCode = growth > 40 ? 1 : 0;

function open(): ReturnType<typeof request> {
  const body = {
    threadId: 'long',
    runId: 'long',
    messages: [{ id: 'm', role: 'user', content: `say ${minutes * 60 * 2_000}` }],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  };
  const outgoing = request(`${server.url}/invocations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  outgoing.on('response', (incoming) => {
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    incoming.on('error', () => undefined);
  });
  outgoing.on('error', () => undefined);
  outgoing.end(JSON.stringify(body));
  return outgoing;
}
