/**
 * The frames of one task, whatever happens to the connection: when a stream breaks off or just stops, the task is looked
 * at once and followed from there. The user's message is sent by the first stream only, and never again.
 */
import { fault } from '../errors/fault.ts';
import { KernelError, rpcTaskNotFound, rpcUnsupportedOperation } from '../errors/kernel-error.ts';
import type { Kernel, KernelBatch } from '../ports/kernel.ts';
import type { Clock } from '../ports/runtime.ts';
import type { TaskId } from '../protocol/ids.ts';

export type OpenStream = (task: FollowedTask) => AsyncIterable<KernelBatch>;

export interface FollowedTask {
  readonly kernel: Kernel;
  readonly clock: Clock;
  /** Ends the reading, quietly. */
  readonly signal: AbortSignal;
  /** The task's name, once a frame has told it. */
  readonly taskId: () => TaskId | null;
  /** Shows what a journal holds of the time when nobody read, before the task is followed again. */
  readonly recover: (taskId: TaskId) => Promise<void>;
  /** The frames so far say how the task ends: nothing is missing when the stream stops. */
  readonly isDecided: () => boolean;
}

/** Streams of one run that break off are taken up again this often. */
const maxAttempts = 4;
const firstPauseMs = 200;

/** Throws what broke the stream when it can't be taken up again. */
export async function* readTask(open: OpenStream, task: FollowedTask): AsyncGenerator<KernelBatch> {
  let source = open;
  for (let attempt = 0; ; attempt += 1) {
    let cut: unknown;
    try {
      for await (const batch of source(task)) yield batch;
    } catch (thrown) {
      if (!isCut(thrown, task.signal)) throw thrown;
      cut = thrown;
    }
    if (task.signal.aborted || task.isDecided()) return;
    const id = task.taskId();
    if (id === null || attempt >= maxAttempts) throw cut ?? fault('task-unfinished');
    if (attempt > 0) await pause(firstPauseMs * 2 ** attempt, task);
    await task.recover(id);
    source = (followed) => takeUp(id, followed);
  }
}

function isCut(thrown: unknown, signal: AbortSignal): boolean {
  return signal.aborted || (thrown instanceof KernelError && thrown.kind === 'unavailable');
}

/**
 * A task that is there already, from here on: what the kernel has of it now, then its frames. Throws
 * `task-interrupted-by-restart` when it works by its snapshot and yet can't be followed: its agent left it behind.
 */
export async function* takeUp(id: TaskId, task: FollowedTask): AsyncGenerator<KernelBatch> {
  const { kernel, signal } = task;
  yield [{ task: await kernel.snapshot(id, signal) }];
  if (signal.aborted || task.isDecided()) return;
  try {
    yield* kernel.follow(id, signal);
  } catch (thrown) {
    if (!isNotActive(thrown)) throw thrown;
    // It may have ended between the two questions.
    yield [{ task: await kernel.snapshot(id, signal) }];
    if (!task.isDecided()) throw fault('task-interrupted-by-restart', {}, thrown);
  }
}

/** iac-code says "not found" of a task that is over, the A2A libraries say "unsupported operation". */
function isNotActive(thrown: unknown): boolean {
  if (!(thrown instanceof KernelError)) return false;
  return thrown.rpcCode === rpcTaskNotFound || thrown.rpcCode === rpcUnsupportedOperation;
}

function pause(ms: number, { clock, signal }: FollowedTask): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      endTimer();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const endTimer = clock.after(ms, done);
    signal.addEventListener('abort', done, { once: true });
  });
}
