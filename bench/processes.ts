/** Server processes under measurement: started on a free port, stopped by their own pid. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

export interface ServerProcess {
  readonly url: string;
  /** Milliseconds from spawn to the first 200 on /ping. */
  readonly startMs: number;
  /** Resident memory in MB, now. */
  residentMb(): number;
  /** The most that was resident so far, in MB. */
  peakMb(): number;
  /** CPU seconds used so far. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/** Program and arguments. */
export type ServerCommand = readonly [program: string, ...args: string[]];

export const nodeCommand = (...script: string[]): ServerCommand => [process.execPath, ...script];

export const ours = ['src/cli/main.ts', 'serve'] as const;
export const bare = ['bench/peers/bare-http.ts'] as const;

/** A script for the Node that measures. */
export function startProcess(
  script: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  return startCommand(nodeCommand(...script), environment);
}

export async function startCommand(
  [program, ...args]: ServerCommand,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'agentcore-agui-bench-'));
  const started = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: {
      ...process.env,
      AGUI_HOST: '127.0.0.1',
      AGUI_PORT: String(port),
      AGUI_CONFIG_DIR: folder,
      AGUI_LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await firstPing(url, child);
  return {
    url,
    startMs: performance.now() - started,
    residentMb: () => statusMb(child, 'VmRSS'),
    peakMb: () => statusMb(child, 'VmHWM'),
    cpuSeconds: () => cpuSeconds(child),
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function firstPing(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server exited with ${child.exitCode}`);
    const answer = await fetch(`${url}/ping`).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

function statusMb(child: ChildProcess, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
}

/** User and system time; the kernel counts it in hundredths of a second. */
function cpuSeconds(child: ChildProcess): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
