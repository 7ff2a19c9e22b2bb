/** Starts a server and says where; the returned function stops it. */
import type { AddressInfo } from 'node:net';
import type { Log, Runtime } from '../ports/runtime.ts';
import { type ComposedServer, compose, type Replacements } from './compose.ts';
import type { Config } from './config.ts';
import { shutDown } from './shutdown.ts';
import { serverVersion } from './version.ts';

export interface RunningServer {
  readonly host: string;
  readonly port: number;
  readonly parts: ComposedServer;
  /** Drains and closes; calling it again waits for the same end. */
  stop(): Promise<void>;
}

/** Rejects with the system's error when the address can't be listened on; never takes another port. */
export async function serve(
  config: Config,
  runtime: Runtime,
  replace: Replacements = {},
): Promise<RunningServer> {
  const parts = await compose(config, runtime, serverVersion, replace);
  await listen(parts, config);
  // A server that listens has an internet address; a string is only given for pipes.
  const { address, port } = parts.http.address() as AddressInfo;
  parts.health.enter('ready');
  announce(runtime.log, config, address, port);
  let stopping: Promise<void> | undefined;
  return {
    host: address,
    port,
    parts,
    stop: () => {
      stopping ??= shutDown(parts, runtime, config.drainMs);
      return stopping;
    },
  };
}

function listen({ http }: ComposedServer, config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen({ host: config.host, port: config.port, backlog: 4_096 }, () => {
      http.off('error', reject);
      resolve();
    });
  });
}

function announce(log: Log, config: Config, host: string, port: number): void {
  const kernel =
    config.kernelUrl !== undefined ? 'remote' : config.kernelCommand !== undefined ? 'child' : 'embedded';
  log.info('listening', {
    host,
    port,
    kernel,
    auth: config.auth,
    stateDir: config.stateDir,
    workspaceDir: config.workspaceDir,
  });
}
