/** A table that throttles, or whose answers get lost: repeated within bounds, and never believed to be what it is not. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DynamoThreadStore } from '../../../../src/outbound/dynamodb/dynamo-thread-store.ts';
import { systemClock, systemIds } from '../../../../src/outbound/system/system-runtime.ts';
import { threadId } from '../../../../src/protocol/ids.ts';
import { clientConfig, type DynamoServer, startDynamo, tableName } from '../../../support/dynamo-table.ts';
import { recordingLog } from '../../../support/servers.ts';
import { aThread } from '../../domain/thread/arbitrary-thread.ts';

let dynamo: DynamoServer;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.close());

type Mood = 'well' | 'throttles' | 'loses the answer';

let serial = 0;
const aFreshThread = () => {
  serial += 1;
  return aThread({ address: { sessionId: undefined, threadId: threadId(`bad-${serial}`) } });
};

/** A store whose table is in the mood that `moods` says for each call, and well afterwards. */
async function aStore(client: object = {}) {
  const moods: Mood[] = [];
  const line = { usual: 'well' as Mood, calls: 0 };
  const server = createServer((incoming, response) => {
    line.calls += 1;
    const mood = moods.shift() ?? line.usual;
    if (mood === 'throttles') {
      incoming.resume();
      const type = 'com.amazonaws.dynamodb.v20120810#ThrottlingException';
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
      return void response.end(JSON.stringify({ __type: type, message: 'slow down' }));
    }
    const outgoing = request(dynamo.endpoint, { method: 'POST', headers: incoming.headers }, (answer) => {
      if (mood === 'loses the answer') return void answer.resume().on('end', () => response.destroy());
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const store = new DynamoThreadStore({
    table: tableName,
    runtime: { clock: systemClock, ids: systemIds, log: recordingLog([]) },
    ttlDays: 0,
    client: { ...clientConfig(`http://127.0.0.1:${port}`), ...client },
  });
  onTestFinished(async () => {
    await store.close();
    server.close();
    server.closeAllConnections();
  });
  return { store, moods, line };
}

describe('a table that throttles', () => {
  it('is asked again until it answers', async () => {
    const { store, moods, line } = await aStore();
    const thread = aFreshThread();
    moods.push('throttles', 'throttles');
    await store.save(thread);
    moods.push('throttles');

    expect(await store.load(thread.address)).toEqual(thread);
    expect(line.calls).toBe(5);
  });

  it('is given up after a bounded number of calls: nothing is taken for saved, nothing for unknown', async () => {
    const { store, line } = await aStore();
    const thread = aFreshThread();
    await store.save(thread);
    line.usual = 'throttles';
    line.calls = 0;

    await expect(store.save({ ...thread, userId: 'u' })).rejects.toThrow('slow down');
    expect(line.calls).toBe(4);
    await expect(store.load(thread.address)).rejects.toMatchObject({ fault: 'state-unreadable' });
    line.usual = 'well';
    expect(await store.load(thread.address)).toEqual(thread);
    await expect(store.save({ ...thread, userId: 'u' })).resolves.toBeUndefined();
  });
});

describe('an answer that gets lost', () => {
  it('does not make a save a conflict with itself when it is repeated', async () => {
    const { store, moods } = await aStore();
    const thread = aFreshThread();
    await store.save(thread);
    moods.push('loses the answer', 'well');

    await store.save({ ...thread, userId: 'u' });

    expect((await store.load(thread.address))?.userId).toBe('u');
  });

  it.each([false, true])('does not stop the saves behind it (thread known before: %s)', async (isKnown) => {
    const { store, moods } = await aStore({ maxAttempts: 1 });
    const thread = aFreshThread();
    if (isKnown) await store.save(thread);
    moods.push('loses the answer');
    await expect(store.save({ ...thread, userId: 'lost' })).rejects.toBeInstanceOf(Error);

    await store.save({ ...thread, userId: 'next' });

    expect((await store.load(thread.address))?.userId).toBe('next');
  });
});
