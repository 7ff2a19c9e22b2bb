/** DynamoDB in this process: dynalite, with one table that has the key of ours. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';

export const tableName = 'threads';

export interface DynamoServer {
  readonly endpoint: string;
  close(): Promise<void>;
}

/** What an SDK client needs to speak with it. */
export function clientConfig(endpoint: string) {
  return {
    endpoint,
    region: 'eu-central-1',
    credentials: {
      accessKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? 'local',
      secretAccessKey: process.env['AWS_SECRET_ACCESS_KEY'] ?? 'local',
    },
  };
}

/** The server that `.ci/dynamodb` has started, where it did; else one in this process. */
export async function givenOrOwnDynamo(): Promise<DynamoServer> {
  const endpoint = process.env['DYNAMODB_ENDPOINT'];
  return endpoint === undefined ? startDynamo() : { endpoint, close: async () => undefined };
}

export async function startDynamo(): Promise<DynamoServer> {
  const server: Server = dynalite({ createTableMs: 0, deleteTableMs: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens has an internet address; a string is only given for pipes.
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  await createTable(endpoint);
  return {
    endpoint,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The table as `infra` makes it. */
export async function createTable(endpoint: string, name = tableName): Promise<void> {
  const client = new DynamoDBClient(clientConfig(endpoint));
  const command = new CreateTableCommand({
    TableName: name,
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
  await client.send(command);
  await waitUntilTableExists({ client, maxWaitTime: 20, minDelay: 1 }, { TableName: name });
  client.destroy();
}
