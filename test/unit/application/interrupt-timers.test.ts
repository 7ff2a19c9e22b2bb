/** Questions run out by the clock: a timer stands still while the machine is frozen. */
import { describe, expect, it, vi } from 'vitest';
import { InterruptTimers } from '../../../src/application/interrupt-timers.ts';
import { ThreadDesk } from '../../../src/application/thread-desk.ts';
import type { ThreadRecord } from '../../../src/domain/thread/thread.ts';
import { MemoryThreadStore } from '../../../src/outbound/memory/memory-thread-store.ts';
import { systemIds } from '../../../src/outbound/system/system-runtime.ts';
import { contextId, executionId, taskId, threadId } from '../../../src/protocol/ids.ts';
import { ScriptedKernel, turn } from '../../support/scripted-kernel.ts';
import { recordingLog } from '../../support/servers.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const hour = 3_600_000;

const waiting: ThreadRecord = {
  address: { sessionId: undefined, threadId: threadId('thread') },
  contextId: contextId('context'),
  cwd: '/workspace',
  userId: null,
  subject: null,
  kernelSessionId: null,
  execution: {
    executionId: executionId('execution'),
    rosInvocationId: 'invocation',
    taskId: taskId('task-1'),
    activeRunId: null,
    pipelineSequence: 0,
    openSteps: [],
    textDigests: [],
    pending: [
      { input: { inputId: 'question' }, expiresAt: new Date(start + hour).toISOString(), sideband: false },
    ],
    expired: [],
  },
  runs: [],
  applied: [],
  terminalExecutionIds: [],
  updatedAt: start,
};

async function timersAt(start: number) {
  let now = start;
  let next: { readonly ms: number; readonly callback: () => void } | undefined;
  const clock = {
    now: () => now,
    after: (ms: number, callback: () => void) => {
      next = { ms, callback };
      return () => undefined;
    },
  };
  const store = new MemoryThreadStore();
  await store.save(waiting);
  const desk = new ThreadDesk(store, 10, async (record) => record);
  const kernel = new ScriptedKernel(turn());
  const timers = new InterruptTimers(desk, kernel, { clock, ids: systemIds, log: recordingLog([]) }, 10);
  timers.watch(waiting);
  return {
    kernel,
    store,
    nextMs: () => next?.ms,
    /** The timer fires, whatever the clock says by then. */
    fireAt: (time: number) => {
      now = time;
      next?.callback();
    },
  };
}

describe('a question that waits', () => {
  it('is looked at again within a minute, so that a machine that was frozen notices what is over', async () => {
    const { kernel, nextMs, fireAt } = await timersAt(start);
    expect(nextMs()).toBe(60_000);

    fireAt(start + hour);

    await vi.waitFor(() => expect(kernel.cancels).toEqual(['task-1']));
  });

  it('waits on while its time is not over', async () => {
    const { kernel, nextMs, fireAt, store } = await timersAt(start);

    fireAt(start + 60_000);
    fireAt(start + hour - 1_000);

    expect(nextMs()).toBe(1_000);
    expect(kernel.cancels).toEqual([]);
    expect((await store.load(waiting.address))?.execution.pending).toHaveLength(1);
  });
});
