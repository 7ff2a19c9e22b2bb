/**
 * The image running as AgentCore would run it, only stricter: no root, no capability, no new privileges, a root file
 * system that can't be written, 1 GB of memory.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt, run } from './shell.ts';

const PODMAN = ['--runtime', 'runc'];
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_S = 20;

export class Container {
  readonly #name: string;
  readonly port: number;

  private constructor(name: string, port: number) {
    this.#name = name;
    this.port = port;
  }

  /** Starts the image and waits for a healthy /ping. `volume` names the volume that holds the server's state. */
  static async start(image: string, name: string, port: number, volume: string): Promise<Container> {
    const files = run('sh', ['-c', 'ulimit -Hn']).trim();
    // prettier-ignore
    run('podman', [
      ...PODMAN,
      'run',
      '-d',
      '--name',
      name,
      '--platform',
      'linux/arm64',
      '--pull',
      'never',
      '--network',
      'host',
      '--read-only',
      '--read-only-tmpfs=false',
      '--tmpfs',
      '/tmp',
      '--cap-drop',
      'all',
      '--security-opt',
      'no-new-privileges',
      '--memory',
      '1g',
      '--ulimit',
      `nofile=${files}:${files}`,
      '--ulimit',
      'nproc=1024:1024',
      '--volume',
      `${volume}:/var/lib/agentcore-agui`,
      '--env',
      `AGUI_PORT=${port}`,
      image,
    ]);
    const container = new Container(name, port);
    await container.#untilHealthy();
    return container;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  inside(...command: readonly string[]): string {
    return run('podman', [...PODMAN, 'exec', this.#name, ...command]).trim();
  }

  /** Exit code of the image's own HEALTHCHECK command. */
  healthcheck(): number {
    return attempt('podman', [...PODMAN, 'healthcheck', 'run', this.#name]).code;
  }

  /** Sends SIGTERM as the platform does; gives back the exit code (137 when it had to be killed). */
  stop(): number {
    attempt('podman', [...PODMAN, 'stop', '-t', String(STOP_LIMIT_S), this.#name]);
    const code = run('podman', [...PODMAN, 'inspect', this.#name, '--format', '{{.State.ExitCode}}']);
    this.remove();
    return Number(code);
  }

  remove(): void {
    attempt('podman', [...PODMAN, 'rm', '-f', this.#name]);
  }

  logs(): string {
    const { stdout, stderr } = attempt('podman', [...PODMAN, 'logs', '--tail', '30', this.#name]);
    return `${stdout}${stderr}`;
  }

  async #untilHealthy(): Promise<void> {
    for (const end = Date.now() + START_LIMIT_MS; Date.now() < end; await sleep(100)) {
      const healthy = await fetch(`${this.url}/ping`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (healthy) return;
    }
    const said = this.logs();
    this.remove();
    throw new Error(`no healthy /ping within ${START_LIMIT_MS / 1000} s; the container said:\n${said}`);
  }
}

export function removeVolume(name: string): void {
  attempt('podman', [...PODMAN, 'volume', 'rm', '-f', name]);
}
