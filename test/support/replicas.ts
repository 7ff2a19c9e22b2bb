/** Several servers in front of one kernel, with their threads in one table. */
import { onTestFinished } from 'vitest';
import { DynamoThreadStore } from '../../src/outbound/dynamodb/dynamo-thread-store.ts';
import type { LeaseTimes } from '../../src/outbound/dynamodb/leases.ts';
import { systemClock, systemIds } from '../../src/outbound/system/system-runtime.ts';
import type { Kernel } from '../../src/ports/kernel.ts';
import { clientConfig, startDynamo, tableName } from './dynamo-table.ts';
import { recordingLog, startServer, type TestServer, temporaryFolder } from './servers.ts';

export interface Replicas {
  readonly servers: readonly [TestServer, TestServer];
  /** From now on nothing of the first one reaches the table. */
  cutOffFirst(): void;
}

export async function startReplicas(kernel: Kernel, times: Partial<LeaseTimes> = {}): Promise<Replicas> {
  const dynamo = await startDynamo();
  onTestFinished(() => dynamo.close());
  const folder = await temporaryFolder();
  const line = { isCut: false };
  const start = (isFirst: boolean): Promise<TestServer> => {
    const store = new DynamoThreadStore({
      table: tableName,
      runtime: { clock: systemClock, ids: systemIds, log: recordingLog([]) },
      ttlDays: 30,
      client: {
        ...clientConfig(dynamo.endpoint),
        maxAttempts: 1,
        ...(isFirst ? { endpoint: endpointOf } : {}),
      },
      times,
    });
    return startServer({ replace: { kernel, store }, folder });
  };
  // A port that nobody listens on refuses at once.
  const endpointOf = async () => {
    const { hostname, port, protocol } = new URL(line.isCut ? 'http://127.0.0.1:1' : dynamo.endpoint);
    return { hostname, port: Number(port), protocol, path: '/' };
  };
  const servers = [await start(true), await start(false)] as const;
  return {
    servers,
    cutOffFirst: () => {
      line.isCut = true;
    },
  };
}
