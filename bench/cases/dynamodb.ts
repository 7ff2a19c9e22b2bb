/**
 * What one run costs in DynamoDB, from 10 to 10,000 threads: calls, bytes sent, and request units by the size of what is
 * written (1 KB a write unit, 4 KB a consistent read unit). Counted at a server in this process that speaks DynamoDB's
 * protocol; a real kernel's frames come from the fake one. Rows are thread counts, one run each and one more each.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeKernel } from '../../test/fake-kernel/fake-kernel.ts';
import { startDynamo, tableName } from '../../test/support/dynamo-table.ts';
import { ReplicaProcess } from '../../test/support/replica-processes.ts';
import { call } from '../../test/support/requests.ts';
import type { Measurement, Row } from '../measurement.ts';

const sizes = (process.env['BENCH_THREADS'] ?? '10,100,1000,10000').split(',').map(Number);
const clients = 8;

export async function measure(): Promise<Measurement> {
  const rows: Row[] = [];
  for (const threads of sizes) rows.push(await measureThreads(threads));
  const machine = `${process.arch}, ${cpus().length} cores`;
  const first = rows[0]?.values ?? {};
  const compared = rows.map(({ name, values }) => ({
    name,
    values,
    ratios: Object.fromEntries(
      Object.entries(values).map(([key, each]) => [
        key,
        Math.round((100 * each) / (first[key] ?? each)) / 100,
      ]),
    ),
  }));
  const title = 'DynamoDB calls and units per run';
  return { title, rounds: 1, node: process.version, machine, rows: compared };
}

async function measureThreads(threads: number): Promise<Row> {
  const kernel = await FakeKernel.start();
  const dynamo = await startDynamo();
  const counter = await countingProxy(dynamo.endpoint);
  const folder = await mkdtemp(join(tmpdir(), 'agentcore-agui-bench-'));
  const replica = new ReplicaProcess({
    kernelUrl: kernel.url,
    endpoint: counter.url,
    table: tableName,
    folder,
    skewMs: 0,
  });
  await replica.start();
  let next = 0;
  const say = async (threadId: string, runId: string): Promise<void> => {
    const messages = [{ id: `message-${runId}`, role: 'user', content: 'Hello' }];
    const body = { threadId, runId, messages, state: {}, tools: [], context: [], forwardedProps: {} };
    const { text } = await call(`http://127.0.0.1:${replica.port}/invocations`, {
      body: JSON.stringify(body),
    });
    if (!text.includes('RUN_FINISHED')) throw new TypeError(`run ${runId} did not finish: ${text}`);
  };
  const work = async (): Promise<void> => {
    while (next < threads) {
      const index = next;
      next += 1;
      await say(`thread-${index}`, `run-${index}-1`);
      await say(`thread-${index}`, `run-${index}-2`);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  await replica.kill();
  await counter.close();
  await dynamo.close();
  await kernel.stop();
  await rm(folder, { recursive: true, force: true });
  const values = Object.fromEntries(
    Object.entries(counter.counts).map(([name, sum]) => [
      name,
      Math.round((sum / (2 * threads)) * 100) / 100,
    ]),
  );
  return { name: `${threads} threads`, values, ratios: {} };
}

/** Passes everything on and counts it. */
async function countingProxy(endpoint: string) {
  const counts = { reads: 0, 'read units': 0, writes: 0, 'write units': 0, 'bytes sent': 0 };
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const isRead = /GetItem/.test(String(incoming.headers['x-amz-target']));
      const outgoing = request(
        endpoint,
        { method: 'POST', headers: { ...incoming.headers, host: new URL(endpoint).host } },
        (answer) => {
          let size = 0;
          answer.on('data', (chunk: Buffer) => {
            size += chunk.length;
          });
          answer.on('end', () => {
            counts['bytes sent'] += body.length;
            counts[isRead ? 'reads' : 'writes'] += 1;
            if (isRead) counts['read units'] += Math.max(1, Math.ceil(size / 4_096));
            else counts['write units'] += Math.max(1, Math.ceil(body.length / 1_024));
          });
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      outgoing.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens has an internet address; a string is only given for pipes.
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { counts, url: `http://127.0.0.1:${port}`, close };
}
