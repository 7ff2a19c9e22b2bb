/**
 * One life of a kernel that we start ourselves: a process group of its own on a free port, whose output goes to the log
 * and which leaves nothing behind when it is stopped or when we end. Starting it again is its owner's decision.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { KernelError } from '../../errors/kernel-error.ts';
import type { Clock, Log } from '../../ports/runtime.ts';
import { readLines } from './line-reader.ts';
import type { Mask } from './secret-mask.ts';

export interface ChildOptions {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly mask: Mask;
  /** Between asking the process group to end and ending it. */
  readonly stopGraceMs: number;
}

export interface ChildExit {
  /** Continues a sentence that begins with the kernel. */
  readonly how: string;
  /** False when the program itself could not be run. */
  readonly hasBegun: boolean;
}

const maxLineChars = 2_000;
const groupPollMs = 50;

export class Child {
  /** Resolves when the process has ended, also when it never began. */
  readonly exited: Promise<ChildExit>;
  readonly #options: ChildOptions;
  readonly #process: ChildProcess;
  /** Without this, a process that is left by `process.exit` would leave the child running. */
  readonly #onOwnExit = (): void => {
    this.#signal('SIGKILL');
  };
  #hasExited = false;
  #stopping: Promise<void> | undefined;

  constructor(options: ChildOptions) {
    const [program = '', ...args] = options.argv;
    this.#options = options;
    this.#process = spawn(program, args, {
      env: options.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // The leader of a group of its own, so that its own children can be reached too.
      detached: true,
    });
    this.exited = this.#watchExit();
    this.#takeOverLog();
    process.once('exit', this.#onOwnExit);
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** SIGTERM to the whole group, SIGKILL to what is left after the grace. Resolves when nothing is left. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#signal('SIGTERM');
    let isOverdue = false;
    const endTimer = this.#options.clock.after(this.#options.stopGraceMs, () => {
      isOverdue = true;
    });
    while (this.#isGroupAlive() && !isOverdue) await wait(this.#options.clock, groupPollMs);
    endTimer();
    this.#signal('SIGKILL');
    await this.exited;
    process.off('exit', this.#onOwnExit);
  }

  #watchExit(): Promise<ChildExit> {
    const { promise, resolve } = Promise.withResolvers<ChildExit>();
    const exit = (how: string, hasBegun: boolean): void => {
      this.#hasExited = true;
      resolve({ how, hasBegun });
      // Nobody else looks after what the process may have started.
      void this.stop();
    };
    this.#process.once('error', (cause: NodeJS.ErrnoException) => {
      if (this.#process.pid === undefined) exit(`could not be started (${cause.code ?? cause.name})`, false);
    });
    this.#process.once('exit', (code, signal) => {
      exit(code === null ? `was ended by ${signal}` : `ended with exit code ${code}`, true);
    });
    return promise;
  }

  #takeOverLog(): void {
    const { log, mask } = this.#options;
    const reader = { maxChars: maxLineChars, mask };
    for (const stream of ['stdout', 'stderr'] as const) {
      const output = this.#process[stream];
      if (output !== null) readLines(output, reader, (line) => log.info('kernel output', { stream, line }));
    }
  }

  /** To the whole group; quietly when nothing of it is left. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.#process;
    if (pid === undefined) return false;
    try {
      return process.kill(-pid, signal);
    } catch (thrown) {
      if (isErrno(thrown, 'ESRCH') || isErrno(thrown, 'EPERM')) return false;
      throw thrown;
    }
  }

  #isGroupAlive(): boolean {
    return this.#signal(0);
  }
}

function isErrno(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}

export function wait(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** A port of 127.0.0.1 that was free a moment ago. Another process may take it before the child does. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    // A server that listens on an internet address has one.
    return (server.address() as AddressInfo).port;
  } catch (cause) {
    throw new KernelError('unavailable', 'no free port for the kernel', { cause });
  } finally {
    server.close();
  }
}
