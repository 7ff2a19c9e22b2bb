/** What two processes see of each other through one table. Clocks are the tests' own; the table is a real server. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DynamoThreadStore } from '../../../../src/outbound/dynamodb/dynamo-thread-store.ts';
import type { LeaseTimes } from '../../../../src/outbound/dynamodb/leases.ts';
import { Table } from '../../../../src/outbound/dynamodb/table.ts';
import { threadKey } from '../../../../src/outbound/dynamodb/thread-item.ts';
import { systemClock, systemIds } from '../../../../src/outbound/system/system-runtime.ts';
import { runId, threadId } from '../../../../src/protocol/ids.ts';
import { clientConfig, type DynamoServer, startDynamo, tableName } from '../../../support/dynamo-table.ts';
import { recordingLog } from '../../../support/servers.ts';
import { aThread } from '../../domain/thread/arbitrary-thread.ts';

let server: DynamoServer;
beforeAll(async () => {
  server = await startDynamo();
});
afterAll(() => server.close());

const times: LeaseTimes = { leaseMs: 900, skewMs: 300, pollMs: 30 };
let serial = 0;

function aReplica(options: { times?: Partial<LeaseTimes>; skewMs?: number; endpoint?: string } = {}) {
  const { skewMs = 0 } = options;
  const clock = { ...systemClock, now: () => systemClock.now() + skewMs };
  const store = new DynamoThreadStore({
    table: tableName,
    runtime: { clock, ids: systemIds, log: recordingLog([]) },
    ttlDays: 30,
    client: { ...clientConfig(options.endpoint ?? server.endpoint), maxAttempts: 2 },
    times: { ...times, ...options.times },
  });
  const heard: string[] = [];
  const waiting = Promise.withResolvers<string>();
  store.shared.listen((_address, what) => {
    heard.push(what);
    waiting.resolve(what);
  });
  onTestFinished(() => store.close());
  return { store, heard, told: waiting.promise };
}

function aFreshThread(activeRunId: string | null) {
  serial += 1;
  const record = aThread({ address: { sessionId: undefined, threadId: threadId(`t-${serial}`) } });
  const active = activeRunId === null ? null : runId(activeRunId);
  return { ...record, execution: { ...record.execution, activeRunId: active } };
}

const rawTable = () => new Table(tableName, clientConfig(server.endpoint));

describe('threads that two processes share', () => {
  it('refuse the save of a thread that somebody else has changed since it was loaded, and keep that change', async () => {
    const [one, two] = [aReplica().store, aReplica().store];
    const thread = aFreshThread(null);
    await one.save(thread);
    await two.load(thread.address);
    await one.save({ ...thread, userId: 'one' });

    await expect(two.save({ ...thread, userId: 'two' })).rejects.toMatchObject({ fault: 'thread-busy' });
    expect((await two.load(thread.address))?.userId).toBe('one');
  });

  it('let exactly one of many make a new thread', async () => {
    const replicas = Array.from({ length: 5 }, () => aReplica().store);
    const thread = aFreshThread('r');

    const saves = await Promise.allSettled(replicas.map((store) => store.save(thread)));

    expect(saves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(replicas.filter(({ shared }) => shared.holds(thread.address))).toHaveLength(1);
  });

  it('know a run as driven for as long as its process renews the lease, however long that is', async () => {
    const [owner, other] = [aReplica().store, aReplica().store];
    const thread = aFreshThread('r');
    await owner.save(thread);
    const until = systemClock.now() + 2 * (times.leaseMs + times.skewMs);
    let looks = 0;
    while (systemClock.now() < until) {
      await other.load(thread.address);
      expect(await other.shared.isDriven(thread.address)).toBe(true);
      looks += 1;
    }

    expect(looks).toBeGreaterThan(3);
    expect(owner.shared.holds(thread.address)).toBe(true);
  });

  it('free the thread of a process that died, not before its lease has run out and not long after', async () => {
    const [owner, other] = [aReplica().store, aReplica().store];
    const thread = aFreshThread('r');
    const savedAt = systemClock.now();
    await owner.save(thread);
    owner.shared.letGo(thread.address);

    await other.load(thread.address);
    while (await other.shared.isDriven(thread.address)) await other.load(thread.address);
    const freeAfter = systemClock.now() - savedAt;

    expect(freeAfter).toBeGreaterThanOrEqual(times.leaseMs + times.skewMs);
    expect(freeAfter).toBeLessThan(5 * (times.leaseMs + times.skewMs));
    await other.save(aThread({ ...thread, execution: { ...thread.execution, activeRunId: runId('next') } }));
    expect(other.shared.holds(thread.address)).toBe(true);
  });

  it('keep a living owner in spite of clocks that differ by as much as is allowed', async () => {
    const clocks = { skewMs: 10_000 };
    const slow = aReplica({ times: clocks, skewMs: -5_000 }).store;
    const fast = aReplica({ times: clocks, skewMs: 5_000 }).store;
    const thread = aFreshThread('r');
    await slow.save(thread);
    const until = systemClock.now() + 2 * times.leaseMs;
    while (systemClock.now() < until) {
      await fast.load(thread.address);
      expect(await fast.shared.isDriven(thread.address)).toBe(true);
    }

    expect(slow.shared.holds(thread.address)).toBe(true);
  });

  it('tell an owner that was taken for dead that its lease is lost, and refuse what it saves', async () => {
    // An owner that renews too late: it only polls.
    const owner = aReplica({ times: { leaseMs: 60_000, skewMs: -60_000 } });
    const other = aReplica().store;
    const thread = aFreshThread('r');
    await owner.store.save(thread);
    await other.load(thread.address);
    expect(await other.shared.isDriven(thread.address)).toBe(false);
    await other.save({ ...thread, userId: 'other' });

    expect(await owner.told).toBe('lost');
    expect(owner.store.shared.holds(thread.address)).toBe(false);
    await expect(owner.store.save(thread)).rejects.toMatchObject({ fault: 'thread-busy' });
  });

  it('bring a wish to cancel to the process that drives the run, once, within a second', async () => {
    const owner = aReplica({ times: { leaseMs: 15_000, pollMs: 700 } });
    const other = aReplica().store;
    const thread = aFreshThread('r');
    await owner.store.save(thread);
    await other.load(thread.address);
    const askedAt = systemClock.now();
    await other.shared.askCancel(thread.address);
    await other.shared.askCancel(thread.address);

    expect(await owner.told).toBe('cancel');
    expect(systemClock.now() - askedAt).toBeLessThan(1_000);
    expect(owner.heard).toEqual(['cancel']);
  });

  it('give a lease back with the save that ends the run', async () => {
    const [owner, other] = [aReplica().store, aReplica().store];
    const thread = aFreshThread('r');
    await owner.save(thread);
    await owner.save({ ...thread, execution: { ...thread.execution, activeRunId: null } });

    expect(owner.shared.holds(thread.address)).toBe(false);
    await other.load(thread.address);
    await expect(other.save(thread)).resolves.toBeUndefined();
  });

  it('let go by themselves when the table can not be reached for a lease long', async () => {
    const own = await startDynamo();
    const owner = aReplica({ endpoint: own.endpoint });
    await owner.store.save(aFreshThread('r'));
    await own.close();

    expect(await owner.told).toBe('lost');
  });
});

describe('the item of a thread', () => {
  it('has the key, the version and the time to live that the table is made for', async () => {
    const { store } = aReplica();
    const thread = aFreshThread(null);
    await store.save(thread);
    await store.save(thread);

    const item = await rawTable().get(threadKey(thread.address));
    expect(item).toMatchObject({ pk: { S: threadKey(thread.address) }, version: { N: '2' } });
    const days = (Number(item?.['expiresAt']?.N) - systemClock.now() / 1_000) / 86_400;
    expect(Math.round(days)).toBe(30);
  });

  it('is refused with a clear fault when it is too large for DynamoDB, and the thread as saved before stays', async () => {
    const { store } = aReplica();
    const thread = aFreshThread(null);
    await store.save(thread);
    const noise = Array.from({ length: 30_000 }, () => systemIds.uuid());

    const save = store.save({ ...thread, terminalExecutionIds: noise as never });

    await expect(save).rejects.toMatchObject({ fault: 'thread-too-large' });
    expect(await store.load(thread.address)).toEqual(thread);
    await expect(store.save({ ...thread, userId: 'u' })).resolves.toBeUndefined();
  });

  it('holds a thread of a megabyte of text', async () => {
    const { store } = aReplica();
    const thread = { ...aFreshThread(null), cwd: '/folder'.repeat(150_000) };
    await store.save(thread);

    expect(await store.load(thread.address)).toEqual(thread);
  });

  it.each([
    ['no document', {}],
    ['a document that is not JSON', { document: { S: '{' } }],
    ['bytes that do not inflate', { document: { B: Uint8Array.of(1, 2, 3) } }],
    ['no version', { version: { S: 'two' }, document: { S: '{}' } }],
  ])('is not trusted with %s', async (_name, attributes) => {
    const { store } = aReplica();
    const { address } = aFreshThread(null);
    const item = { pk: { S: threadKey(address) }, version: { N: '1' }, token: { S: 't' }, ...attributes };
    await rawTable().put(item, { text: 'attribute_not_exists(pk)' });

    await expect(store.load(address)).rejects.toMatchObject({ fault: 'state-unreadable' });
  });
});
