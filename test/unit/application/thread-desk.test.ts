import { describe, expect, it } from 'vitest';
import { ThreadDesk } from '../../../src/application/thread-desk.ts';
import { decideAdmission } from '../../../src/domain/admission/admission.ts';
import type { ThreadRecord } from '../../../src/domain/thread/thread.ts';
import { fault } from '../../../src/errors/fault.ts';
import type { ThreadStore } from '../../../src/ports/thread-store.ts';
import { contextId, executionId, runId, threadId } from '../../../src/protocol/ids.ts';

const at = (name: string) => ({ sessionId: undefined, threadId: threadId(name) });

function recordOf(name: string): ThreadRecord {
  const decision = decideAdmission(
    {
      address: at(name),
      runId: runId('r'),
      isResume: false,
      digest: 'd',
      cwd: '/w',
      userId: null,
      subject: null,
      rosInvocationId: 'i',
      fresh: { contextId: contextId('c'), executionId: executionId('e'), rosInvocationId: 'i', now: 1 },
    },
    undefined,
    { maxRuns: 10, maxTerminalExecutions: 10 },
  );
  if (decision.kind === 'reject') throw decision.fault;
  return { ...decision.record, execution: { ...decision.record.execution, activeRunId: null } };
}

class CountingStore implements ThreadStore {
  readonly records = new Map<string, ThreadRecord>();
  loads = 0;
  failing: unknown;

  async load({ threadId }: ThreadRecord['address']): Promise<ThreadRecord | undefined> {
    this.loads += 1;
    return this.records.get(threadId);
  }
  async save(record: ThreadRecord): Promise<void> {
    if (this.failing !== undefined) throw this.failing;
    this.records.set(record.address.threadId, record);
  }
  async remove({ threadId }: ThreadRecord['address']): Promise<void> {
    this.records.delete(threadId);
  }
  async close(): Promise<void> {
    this.records.clear();
  }
}

const unchanged = async (record: ThreadRecord): Promise<ThreadRecord> => record;

describe('the thread desk', () => {
  it('serves one thread in turn, and another thread meanwhile', async () => {
    const desk = new ThreadDesk(new CountingStore(), 10, unchanged);
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = desk.use(at('a'), async () => {
      await gate.promise;
      order.push('a1');
    });
    const second = desk.use(at('a'), async () => order.push('a2'));

    await desk.use(at('b'), async () => order.push('b'));
    gate.resolve();
    await Promise.all([first, second]);

    expect(order).toEqual(['b', 'a1', 'a2']);
  });

  it('lets the next one in after work that failed', async () => {
    const desk = new ThreadDesk(new CountingStore(), 10, unchanged);
    const failing = desk.use(at('a'), async () => Promise.reject(new TypeError('broken')));

    await expect(failing).rejects.toThrow('broken');
    expect(await desk.use(at('a'), async () => 'served')).toBe('served');
  });

  it('keeps the record as last saved when a save fails, and says what kind of failure it is', async () => {
    const store = new CountingStore();
    const desk = new ThreadDesk(store, 10, unchanged);
    await desk.use(at('a'), (held) => held.save(recordOf('a')));
    store.failing = Object.assign(new Error('full'), { code: 'ENOSPC' });

    const change = desk.update(at('a'), (record) => ({ ...record, cwd: '/changed' }), 'state-not-saved');

    await expect(change).rejects.toMatchObject({ fault: 'state-not-saved', cause: { code: 'ENOSPC' } });
    expect(await desk.use(at('a'), async (held) => held.record?.cwd)).toBe('/w');
  });

  it('loads a thread once while it is used, and again after it was let go', async () => {
    const store = new CountingStore();
    store.records.set('a', recordOf('a'));
    const desk = new ThreadDesk(store, 2, unchanged);

    await desk.use(at('a'), async () => undefined);
    await desk.use(at('a'), async () => undefined);
    expect(store.loads).toBe(1);
    for (const name of ['b', 'c', 'd']) await desk.use(at(name), (held) => held.save(recordOf(name)));
    await desk.use(at('a'), async () => undefined);

    expect(store.loads).toBe(5);
    expect(desk.cachedThreads).toBeLessThanOrEqual(3);
  });

  it('remembers nothing of threads that do not exist', async () => {
    const desk = new ThreadDesk(new CountingStore(), 10, unchanged);

    for (let index = 0; index < 100; index += 1) await desk.use(at(`t-${index}`), async () => undefined);

    expect(desk.cachedThreads).toBe(0);
  });

  it('never lets go of a thread that a run of this process holds', async () => {
    const store = new CountingStore();
    const desk = new ThreadDesk(store, 1, unchanged);
    const running = recordOf('a');
    await desk.use(at('a'), (held) =>
      held.save({ ...running, execution: { ...running.execution, activeRunId: runId('r') } }),
    );
    for (const name of ['b', 'c']) await desk.use(at(name), (held) => held.save(recordOf(name)));
    store.records.clear();

    expect(await desk.use(at('a'), async (held) => held.record?.execution.activeRunId)).toBe('r');
  });
});

/** A store that other processes write too. */
class SharedStore extends CountingStore {
  isHeld = false;
  driven = false;
  readonly lettingGo: string[] = [];
  readonly shared = {
    holds: () => this.isHeld,
    letGo: ({ threadId }: ThreadRecord['address']) => void this.lettingGo.push(threadId),
    isDriven: async () => this.driven,
    askCancel: async () => undefined,
    listen: () => undefined,
  };
}

describe('the thread desk of a shared store', () => {
  const active = (name: string): ThreadRecord => {
    const record = recordOf(name);
    return { ...record, execution: { ...record.execution, activeRunId: runId('r') } };
  };
  const settle = async (record: ThreadRecord): Promise<ThreadRecord> => ({ ...record, cwd: '/settled' });

  it('believes nothing in memory that another process may have changed, and keeps nothing of it', async () => {
    const store = new SharedStore();
    const desk = new ThreadDesk(store, 10, unchanged);
    await desk.use(at('a'), (held) => held.save(recordOf('a')));
    store.records.set('a', { ...recordOf('a'), cwd: '/elsewhere' });

    expect(await desk.use(at('a'), async (held) => held.record?.cwd)).toBe('/elsewhere');
    expect(desk.cachedThreads).toBe(0);
  });

  it('loads nothing while the lease is its own', async () => {
    const store = new SharedStore();
    const desk = new ThreadDesk(store, 10, unchanged);
    store.isHeld = true;
    await desk.use(at('a'), (held) => held.save(active('a')));

    await desk.use(at('a'), async () => undefined);

    expect(store.loads).toBe(1);
  });

  it.each([
    [true, '/w'],
    [false, '/settled'],
  ])('settles the run of another process only when it is dead (driven: %s)', async (driven, cwd) => {
    const store = new SharedStore();
    store.records.set('a', active('a'));
    store.driven = driven;
    const desk = new ThreadDesk(store, 10, settle);

    expect(await desk.use(at('a'), async (held) => held.record?.cwd)).toBe(cwd);
  });

  it('lets the lease go with a run that is over, though its end can not be saved', async () => {
    const store = new SharedStore();
    const desk = new ThreadDesk(store, 10, unchanged);
    store.isHeld = true;
    await desk.use(at('a'), (held) => held.save(active('a')));
    store.failing = new TypeError('throttled');

    const end = desk.conclude(at('a'), () => recordOf('a'));

    await expect(end).rejects.toMatchObject({ fault: 'state-not-saved' });
    expect(store.lettingGo).toEqual(['a']);
  });

  it('tells a conflict as such at admission, and as not saved in a run that goes on', async () => {
    const store = new SharedStore();
    const desk = new ThreadDesk(store, 10, unchanged);
    store.failing = fault('thread-busy');

    await expect(desk.use(at('a'), (held) => held.save(recordOf('a')))).rejects.toMatchObject({
      fault: 'thread-busy',
    });
    await expect(
      desk.use(at('a'), (held) => held.save(recordOf('a'), 'state-not-saved')),
    ).rejects.toMatchObject({ fault: 'state-not-saved' });
  });
});
