/**
 * One container as a process of its own: the stand-in for a session's microVM. Gives it a port, folders that nobody else
 * has, and the variables of the platform; asks its `/ping`; stops it with SIGTERM, then with SIGKILL. It shares kernel,
 * user and network with the front door: this is for development and tests, and isolates nothing from malice.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { invocationsUrl, parseRuntimeArn } from '../client/runtime-endpoint.ts';
import type { RuntimeConfig } from './door-config.ts';
import type { DoorLog } from './door-log.ts';
import type { PingAnswer } from './ping-watch.ts';
import { PlatformError } from './platform-error.ts';

const host = '127.0.0.1';
const startPollMs = 50;
const maxPingChars = 64 * 1024;
/** Passed on, so that commands are found and speak the language of the machine. */
const ordinaryVariables = ['PATH', 'LANG', 'LC_ALL', 'SystemRoot'] as const;

export interface ContainerStart {
  readonly runtime: RuntimeConfig;
  /** Where the session's private folder is made. */
  readonly parentFolder: string;
  /** Kept over stops and starts; undefined: nothing is. */
  readonly storageFolder: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly publicUrl: string;
  readonly log: DoorLog;
}

export class ContainerProcess {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #start: ContainerStart;
  readonly #exited: Promise<void>;
  #hasExited = false;

  private constructor(start: ContainerStart, folder: string, port: number, child: ChildProcess) {
    this.#start = start;
    this.#folder = folder;
    this.port = port;
    this.#child = child;
    this.#exited = this.#watch();
  }

  /** Begins the process; `ready` tells when it answers. */
  static async spawn(start: ContainerStart): Promise<ContainerProcess> {
    const { runtime } = start;
    const folder = await mkdtemp(join(start.parentFolder, 'session-'));
    for (const name of ['home', 'tmp']) await mkdir(join(folder, name));
    if (isMountedAtStart(start)) await mount(start, folder);
    const port = await freePort();
    const fill = (text: string): string =>
      fillIn(text, { port: String(port), folder, storage: join(folder, 'mnt') });
    const [file = '', ...args] = runtime.command.map(fill);
    const child = spawn(file, args, {
      cwd: runtime.workingDirectory,
      env: environmentOf(start, folder, fill),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: what the command starts ends with it.
      detached: process.platform !== 'win32',
    });
    return new ContainerProcess(start, folder, port, child);
  }

  get processId(): number | undefined {
    return this.#child.pid;
  }

  /** Settles when the process has gone, for whatever reason. */
  get exited(): Promise<void> {
    return this.#exited;
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** Resolves at the first healthy `/ping`. Throws `RuntimeClientError`. */
  async ready(): Promise<void> {
    const deadline = Date.now() + this.#start.runtime.limits.startSeconds * 1_000;
    while (!this.#hasExited) {
      if (Date.now() > deadline)
        throw new PlatformError('RuntimeClientError', 'initialization time exceeded');
      if ((await this.ping())?.status === 200) {
        return isMountedAtStart(this.#start) ? undefined : mount(this.#start, this.#folder);
      }
      await pause(startPollMs);
    }
    throw new PlatformError('RuntimeClientError', 'the container ended before its first healthy /ping');
  }

  /** Undefined when there is no answer in time. */
  async ping(): Promise<PingAnswer | undefined> {
    const timeoutMs = this.#start.runtime.ping.timeoutSeconds * 1_000;
    try {
      const response = await fetch(`http://${host}:${this.port}/ping`, {
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const body = (await response.text()).slice(0, maxPingChars);
      return {
        status: response.status,
        contentType: response.headers.get('content-type') ?? undefined,
        body,
      };
    } catch {
      // Not listening yet, blocked, or gone: to the platform they are the same.
      return undefined;
    }
  }

  /** Resolves when the process and its folders have gone. */
  async stop(): Promise<void> {
    const { stopSeconds } = this.#start.runtime.limits;
    this.#signal('SIGTERM');
    const timer = setTimeout(() => this.#signal('SIGKILL'), stopSeconds * 1_000);
    await this.#exited;
    clearTimeout(timer);
    // What the command has left behind in its group.
    this.#signal('SIGKILL');
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** At once and without waiting, for when the front door's own process ends. */
  kill(): void {
    if (!this.#hasExited) this.#signal('SIGKILL');
  }

  async #watch(): Promise<void> {
    const { log } = this.#start;
    for (const name of ['stdout', 'stderr'] as const) {
      this.#child[name]
        ?.setEncoding('utf8')
        .on('data', (text: string) => log('container-output', { stream: name, text }));
    }
    try {
      const [code, signal] = await once(this.#child, 'exit');
      log('container-exited', { code, signal });
    } catch (problem) {
      log('container-not-started', { problem: problem instanceof Error ? problem.message : 'unknown' });
    }
    this.#hasExited = true;
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch (thrown) {
      // Gone already; some systems say EPERM of a group that has just ended.
      if (!(thrown instanceof Error && 'code' in thrown && /^E(?:SRCH|PERM)$/.test(String(thrown.code))))
        throw thrown;
    }
  }
}

function isMountedAtStart({ runtime }: ContainerStart): boolean {
  return runtime.sessionStorage?.mountAt === 'start';
}

async function mount({ storageFolder }: ContainerStart, folder: string): Promise<void> {
  const path = join(folder, 'mnt');
  if (storageFolder === undefined) return void (await mkdir(path));
  await mkdir(storageFolder, { recursive: true });
  return symlink(storageFolder, path);
}

function environmentOf(
  { runtime, environment, publicUrl }: ContainerStart,
  folder: string,
  fill: (text: string) => string,
): Record<string, string> {
  const inherited = [...ordinaryVariables, ...runtime.inheritEnvironment].flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const target = { kind: 'runtime', arn: runtime.arn, endpoint: publicUrl } as const;
  return {
    ...Object.fromEntries(inherited),
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    AWS_REGION: parseRuntimeArn(runtime.arn).region,
    AGENTCORE_RUNTIME_URL: invocationsUrl(target).href,
    OTEL_RESOURCE_ATTRIBUTES: `cloud.resource_id=${runtime.arn}`,
    ...Object.fromEntries(Object.entries(runtime.environment).map(([name, value]) => [name, fill(value)])),
  };
}

/** Braces that are doubled are for someone else: `{{port}}` becomes `{port}`. */
function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(
    /\{(\{\w+\})\}|\{(\w+)\}/g,
    (all, escaped: string | undefined, name: string | undefined) => escaped ?? values[name ?? ''] ?? all,
  );
}

/** Free a moment ago; who takes it in between makes the start fail, and the next call try another one. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
