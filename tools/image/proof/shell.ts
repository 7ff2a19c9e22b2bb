/** Runs programs for the proof: one call, its output, a limit in time, and an error that shows what the program said. */
import { spawnSync } from 'node:child_process';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Milliseconds; the program is killed afterwards. */
  readonly limit?: number;
}

/** Runs a program and gives back its exit code, whatever it is; -1 when it could not be run or was killed. */
export function attempt(program: string, args: readonly string[], options: RunOptions = {}): Ran {
  const result = spawnSync(program, [...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    timeout: options.limit ?? 120_000,
    killSignal: 'SIGKILL',
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.input === undefined ? {} : { input: options.input }),
    env: { ...process.env, ...options.env },
  });
  const failure = result.error === undefined ? '' : String(result.error);
  return {
    code: result.status ?? -1,
    stdout: result.stdout ?? '',
    stderr: `${result.stderr ?? ''}${failure}`,
  };
}

/** Runs a program that must succeed; gives back what it printed. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): string {
  const { code, stdout, stderr } = attempt(program, args, options);
  if (code !== 0) {
    const said = `${stdout}\n${stderr}`.trim().split('\n').slice(-40).join('\n');
    throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${said}`);
  }
  return stdout;
}

export const isInstalled = (program: string): boolean =>
  attempt('sh', ['-c', `command -v ${program}`]).code === 0;
