/**
 * Interrupts that nobody answers run out by themselves: one timer for each thread that waits, at its earliest due time.
 * What this process has not seen since it started is found out at the thread's next access instead.
 */
import { earliestDue, expireExecution } from '../domain/interrupts/expiry.ts';
import { addressKey } from '../domain/thread/names.ts';
import type { ThreadRecord } from '../domain/thread/thread.ts';
import type { Kernel } from '../ports/kernel.ts';
import type { Runtime } from '../ports/runtime.ts';
import type { ThreadAddress } from '../protocol/ids.ts';
import { cancelTask } from './kernel-fault.ts';
import type { ThreadDesk } from './thread-desk.ts';

/**
 * What is due later is looked at again after this long: a timer stands still while the machine is frozen, and the clock
 * does not.
 */
const maxTimerMs = 60_000;

export class InterruptTimers {
  readonly #desk: ThreadDesk;
  readonly #kernel: Kernel;
  readonly #runtime: Runtime;
  readonly #maxTerminalExecutions: number;
  readonly #timers = new Map<string, () => void>();

  constructor(desk: ThreadDesk, kernel: Kernel, runtime: Runtime, maxTerminalExecutions: number) {
    this.#desk = desk;
    this.#kernel = kernel;
    this.#runtime = runtime;
    this.#maxTerminalExecutions = maxTerminalExecutions;
  }

  /** The thread waits from now on. */
  watch({ address, execution }: ThreadRecord): void {
    const due = earliestDue(execution.pending);
    this.forget(address);
    if (due !== undefined) this.#set(address, due);
  }

  #set(address: ThreadAddress, due: number): void {
    const ms = Math.min(Math.max(0, due - this.#runtime.clock.now()), maxTimerMs);
    this.#timers.set(
      addressKey(address),
      this.#runtime.clock.after(ms, () => {
        if (this.#runtime.clock.now() < due) this.#set(address, due);
        else void this.#expire(address);
      }),
    );
  }

  /** The thread waits no more, or is about to be answered. */
  forget(address: ThreadAddress): void {
    const key = addressKey(address);
    this.#timers.get(key)?.();
    this.#timers.delete(key);
  }

  close(): void {
    for (const end of this.#timers.values()) end();
    this.#timers.clear();
  }

  async #expire(address: ThreadAddress): Promise<void> {
    this.#timers.delete(addressKey(address));
    try {
      await this.#desk.use(address, async (held) => {
        if (held.record === undefined || held.record.execution.activeRunId !== null) return;
        const expiry = expireExecution(held.record, this.#maxTerminalExecutions, this.#runtime.clock.now());
        if (expiry === undefined) return this.watch(held.record);
        await held.save(expiry.record);
        if (expiry.taskToCancel !== null) await cancelTask(this.#kernel, expiry.taskToCancel);
      });
    } catch (cause) {
      this.#runtime.log.warn('interrupt not expired', { cause });
    }
  }
}
