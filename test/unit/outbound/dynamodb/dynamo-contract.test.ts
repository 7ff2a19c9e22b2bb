import { afterAll, beforeAll } from 'vitest';
import { DynamoThreadStore } from '../../../../src/outbound/dynamodb/dynamo-thread-store.ts';
import { systemClock, systemIds } from '../../../../src/outbound/system/system-runtime.ts';
import { threadStoreContract } from '../../../contract/thread-store.contract.ts';
import {
  clientConfig,
  createTable,
  type DynamoServer,
  givenOrOwnDynamo,
} from '../../../support/dynamo-table.ts';
import { recordingLog } from '../../../support/servers.ts';

let server: DynamoServer;
let tables = 0;
beforeAll(async () => {
  server = await givenOrOwnDynamo();
});
afterAll(() => server.close());

threadStoreContract('DynamoThreadStore', async () => {
  tables += 1;
  const table = `threads-${tables}`;
  await createTable(server.endpoint, table);
  const store = new DynamoThreadStore({
    table,
    runtime: { clock: systemClock, ids: systemIds, log: recordingLog([]) },
    ttlDays: 30,
    client: clientConfig(server.endpoint),
  });
  return { store, dispose: async () => undefined };
});
