/**
 * The lives of a supervised kernel: start, readiness, restart with growing pauses up to a limit, and an end that leaves
 * nothing behind. Calls that come during a start wait for it. Knows nothing of what is said to the kernel.
 */
import { randomBytes } from 'node:crypto';
import { delimiter } from 'node:path';
import { assertNever } from '../../errors/assert-never.ts';
import { KernelError } from '../../errors/kernel-error.ts';
import type { KernelProfile } from '../../ports/kernel.ts';
import type { Runtime } from '../../ports/runtime.ts';
import type { OutgoingHeaders } from '../../ports/telemetry.ts';
import { createHealthProbe } from './child-health.ts';
import { Child, type ChildExit, findFreePort, wait } from './child-process.ts';
import { splitCommand } from './command-line.ts';
import { abortedError } from './pinned-http.ts';
import { type KernelTimeouts, RemoteKernel } from './remote-kernel.ts';
import { createMask } from './secret-mask.ts';

export interface ChildKernelOptions {
  /** Such as `iac-code a2a --host 127.0.0.1 --port {port}`. Quotes are honoured; no shell is involved. */
  readonly command: string;
  /** Environment of the child; the token and the port are added. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folders that the agent may work in, told to iac-code unless the environment does already. */
  readonly allowedCwds?: readonly string[];
  readonly runtime: Runtime;
  /** See `RemoteKernelOptions`. */
  readonly outgoing?: OutgoingHeaders;
  readonly profile?: KernelProfile;
  readonly timeouts?: Partial<KernelTimeouts>;
  /** Default `/health`. Where that does not exist, the agent card tells that the agent is ready. */
  readonly healthPath?: string;
  readonly supervision?: Partial<Supervision>;
}

export interface Supervision {
  /** From the start of the process to its first healthy answer. */
  readonly readyTimeoutMs: number;
  /** How long a call waits for a start. */
  readonly callWaitMs: number;
  /** Restarts in a row before giving up. A child that ran for `stablePeriodMs` begins a new row. */
  readonly maxRestarts: number;
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** Also how long after giving up a call tries again. */
  readonly stablePeriodMs: number;
  readonly stopGraceMs: number;
}

export const defaultSupervision: Supervision = {
  readyTimeoutMs: 20_000,
  callWaitMs: 25_000,
  maxRestarts: 5,
  firstPauseMs: 500,
  maxPauseMs: 30_000,
  stablePeriodMs: 60_000,
  stopGraceMs: 5_000,
};

type Phase =
  | { readonly kind: 'idle' | 'starting' | 'closed' }
  | { readonly kind: 'ready'; readonly kernel: RemoteKernel }
  | { readonly kind: 'failed'; readonly error: KernelError; readonly since: number };

/** How one life of the child ended, and for how long it had been ready. */
interface Life {
  readonly exit: ChildExit;
  readonly readyMs: number;
}

const healthPollMs = 100;
const tokenBytes = 32;

export class ChildSupervisor {
  readonly #options: ChildKernelOptions;
  readonly #supervision: Supervision;
  readonly #closing = Promise.withResolvers<void>();
  #phase: Phase = { kind: 'idle' };
  #change = Promise.withResolvers<void>();
  #supervisor: Promise<void> | undefined;

  /** Throws `TypeError` for a command that can't be read. Nothing is started yet. */
  constructor(options: ChildKernelOptions) {
    splitCommand(options.command, {});
    this.#options = options;
    this.#supervision = { ...defaultSupervision, ...options.supervision };
  }

  /** The kernel of the present life, started if need be. Rejects with `unavailable`. */
  async ready(signal: AbortSignal, waitMs = this.#supervision.callWaitMs): Promise<RemoteKernel> {
    this.#startUnlessStarted();
    const patience = createPatience(this.#options.runtime, signal, waitMs);
    try {
      for (;;) {
        const phase = this.#phase;
        switch (phase.kind) {
          case 'ready':
            return phase.kernel;
          case 'failed':
            throw phase.error;
          case 'closed':
            throw new KernelError('unavailable', 'the kernel is closed');
          case 'idle':
          case 'starting':
            await Promise.race([this.#change.promise, patience.isOver]);
            break;
          default:
            assertNever(phase);
        }
      }
    } finally {
      patience.end();
    }
  }

  /** Stops the child with everything that it started; resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.#enter({ kind: 'closed' });
    this.#closing.resolve();
    await this.#supervisor;
  }

  #startUnlessStarted(): void {
    const phase = this.#phase;
    const { clock } = this.#options.runtime;
    const mayTryAgain =
      phase.kind === 'failed' && clock.now() - phase.since >= this.#supervision.stablePeriodMs;
    if (phase.kind !== 'idle' && !mayTryAgain) return;
    this.#enter({ kind: 'starting' });
    this.#supervisor = this.#supervise();
  }

  /** From life to life. Never rejects. */
  async #supervise(): Promise<void> {
    const { runtime } = this.#options;
    const { maxRestarts, stablePeriodMs, firstPauseMs, maxPauseMs } = this.#supervision;
    for (let restarts = 0; ; restarts += 1) {
      const { exit, readyMs } = await this.#live();
      if (this.#isClosed()) return;
      if (readyMs >= stablePeriodMs) restarts = 0;
      if (!exit.hasBegun || restarts >= maxRestarts) {
        this.#giveUp(exit, restarts);
        return;
      }
      const pauseMs = Math.min(firstPauseMs * 2 ** restarts, maxPauseMs);
      runtime.log.warn('kernel ended', { how: exit.how, restarts, pauseMs });
      await Promise.race([wait(runtime.clock, pauseMs), this.#closing.promise]);
      if (this.#isClosed()) return;
    }
  }

  #giveUp({ how }: ChildExit, restarts: number): void {
    const { clock, log } = this.#options.runtime;
    log.error('kernel given up', { how, restarts });
    const error = new KernelError('unavailable', `the kernel ${how}, and is not started again`);
    this.#enter({ kind: 'failed', error, since: clock.now() });
  }

  /** Starts the child and stays until it is gone, with everything that belonged to it. */
  async #live(): Promise<Life> {
    const { runtime, profile, timeouts, outgoing } = this.#options;
    const { clock, log } = runtime;
    const token = randomBytes(tokenBytes).toString('base64url');
    let child: Child | undefined;
    let kernel: RemoteKernel | undefined;
    try {
      const port = await findFreePort();
      const url = `http://127.0.0.1:${port}/`;
      kernel = new RemoteKernel({
        url,
        token,
        log,
        ...(outgoing === undefined ? {} : { outgoing }),
        ...(profile === undefined ? {} : { profile }),
        ...(timeouts === undefined ? {} : { timeouts }),
      });
      if (this.#isClosed()) return { exit: { how: 'was closed', hasBegun: true }, readyMs: 0 };
      child = this.#spawn(port, token);
      const failure = await this.#untilHealthy(child, new URL(url), token);
      if (failure !== undefined) return { exit: failure, readyMs: 0 };
      const readyAt = clock.now();
      log.info('kernel ready', { port });
      if (!this.#isClosed()) this.#enter({ kind: 'ready', kernel });
      const exit = await Promise.race([child.exited, this.#closed()]);
      this.#enter({ kind: 'starting' });
      return { exit, readyMs: clock.now() - readyAt };
    } catch (cause) {
      log.error('kernel not started', { cause });
      return { exit: { how: 'could not be started', hasBegun: false }, readyMs: 0 };
    } finally {
      await kernel?.close();
      await child?.stop();
    }
  }

  #spawn(port: number, token: string): Child {
    const { command, environment, allowedCwds = [], runtime } = this.#options;
    const allowed = allowedCwds.length === 0 ? {} : { IACCODE_A2A_ALLOWED_CWDS: allowedCwds.join(delimiter) };
    return new Child({
      argv: splitCommand(command, { port: String(port) }),
      environment: {
        ...allowed,
        ...environment,
        IACCODE_A2A_HTTP_TOKEN: token,
        AGUI_KERNEL_TOKEN: token,
        AGUI_KERNEL_PORT: String(port),
      },
      clock: runtime.clock,
      log: runtime.log,
      mask: createMask([token]),
      stopGraceMs: this.#supervision.stopGraceMs,
    });
  }

  /** Undefined when the child is ready, else how the start ended. */
  async #untilHealthy(child: Child, origin: URL, token: string): Promise<ChildExit | undefined> {
    const { clock } = this.#options.runtime;
    const { readyTimeoutMs } = this.#supervision;
    const probe = createHealthProbe(origin, token, this.#options.healthPath ?? '/health');
    const deadline = clock.now() + readyTimeoutMs;
    try {
      while (!(await probe.isHealthy())) {
        if (clock.now() >= deadline)
          return { how: `was not ready within ${readyTimeoutMs} ms`, hasBegun: true };
        const exit = await Promise.race([child.exited, this.#closed(), wait(clock, healthPollMs)]);
        if (exit !== undefined) return exit;
      }
      // Another process may have taken the port, and answer in the place of a child that is gone.
      return child.hasExited ? await child.exited : undefined;
    } finally {
      probe.close();
    }
  }

  #enter(phase: Phase): void {
    if (this.#isClosed()) return;
    this.#phase = phase;
    this.#change.resolve();
    this.#change = Promise.withResolvers<void>();
  }

  #isClosed(): boolean {
    return this.#phase.kind === 'closed';
  }

  async #closed(): Promise<ChildExit> {
    await this.#closing.promise;
    return { how: 'was closed', hasBegun: true };
  }
}

interface Patience {
  /** Rejects when the caller has waited long enough, or gives up. */
  readonly isOver: Promise<never>;
  readonly end: () => void;
}

function createPatience({ clock }: Runtime, signal: AbortSignal, waitMs: number): Patience {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const abort = (): void => reject(abortedError(signal));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const endTimer = Number.isFinite(waitMs)
    ? clock.after(waitMs, () => reject(new KernelError('unavailable', 'the kernel is still starting')))
    : undefined;
  return {
    isOver: promise,
    end: () => {
      endTimer?.();
      signal.removeEventListener('abort', abort);
    },
  };
}
