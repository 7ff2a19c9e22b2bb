/** Server processes in front of one kernel and one table, and a proxy that gives each connection to the next of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export interface ReplicaSettings {
  readonly kernelUrl: string;
  readonly endpoint: string;
  readonly table: string;
  readonly folder: string;
  readonly skewMs: number;
}

export class ReplicaProcess {
  readonly #settings: ReplicaSettings;
  #child: ChildProcess | undefined;
  port: number | undefined;

  constructor(settings: ReplicaSettings) {
    this.#settings = settings;
  }

  async start(): Promise<void> {
    const { kernelUrl, endpoint, table, folder, skewMs } = this.#settings;
    const preload = join(import.meta.dirname, 'skewed-clock.ts');
    const child = spawn(process.execPath, ['--import', preload, join(root, 'src/cli/main.ts'), 'serve'], {
      env: {
        PATH: process.env['PATH'],
        AGUI_HOST: '127.0.0.1',
        AGUI_PORT: '0',
        AGUI_CONFIG_DIR: folder,
        AGUI_KERNEL_URL: kernelUrl,
        AGUI_STORE: 'dynamodb',
        AGUI_DYNAMODB_TABLE: table,
        AGUI_LOG_LEVEL: 'info',
        AWS_ENDPOINT_URL_DYNAMODB: endpoint,
        AWS_REGION: 'eu-central-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        CLOCK_SKEW_MS: String(skewMs),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.port = await new Promise<number>((resolve, reject) => {
      let output = '';
      child.once('exit', () => reject(new Error(`the replica did not start: ${output.slice(-500)}`)));
      child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
        output = (output + chunk).slice(-10_000);
        const found = /"port":(\d+).*"event":"listening"/.exec(output)?.[1];
        if (found !== undefined) resolve(Number(found));
      });
    });
  }

  /** As a machine that is gone: no goodbye. */
  async kill(): Promise<void> {
    this.port = undefined;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGKILL');
    await gone;
  }
}

/** Answers 502 where the replica is gone, as load balancers do. */
export async function startProxy(replicas: readonly ReplicaProcess[]): Promise<Server & { url: string }> {
  let turn = 0;
  const server = createServer((incoming, response) => {
    turn += 1;
    const alive = replicas.filter(({ port }) => port !== undefined);
    const port = alive[turn % Math.max(1, alive.length)]?.port;
    if (port === undefined) return void response.writeHead(502).end();
    const { url: path = '/', method, headers } = incoming;
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
      answer.on('aborted', () => response.destroy());
    });
    outgoing.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens has an internet address; a string is only given for pipes.
  const { port } = server.address() as AddressInfo;
  return Object.assign(server, { url: `http://127.0.0.1:${port}` });
}
