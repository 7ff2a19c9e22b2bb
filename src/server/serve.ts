/** Starts a server and says where; the returned function stops it. */
import type { AddressInfo } from 'node:net';
import type { Log, Runtime } from '../ports/runtime.ts';
import { type ComposedServer, compose, type Replacements } from './compose.ts';
import type { Config } from './config.ts';
import { type MetricsServer, serveMetrics } from './metrics-server.ts';
import { processRuntime } from './process-runtime.ts';
import { shutDown } from './shutdown.ts';
import { serverVersion } from './version.ts';

export interface RunningServer {
  readonly host: string;
  readonly port: number;
  /** Where Prometheus text is served, when it is asked for. */
  readonly metricsPort: number | undefined;
  readonly parts: ComposedServer;
  /** Drains and closes; calling it again waits for the same end. */
  stop(): Promise<void>;
}

/** Rejects with the system's error when the address can't be listened on; never takes another port. */
export async function serve(
  config: Config,
  runtime: Runtime = processRuntime(config),
  replace: Replacements = {},
): Promise<RunningServer> {
  const metrics =
    config.metricsPort === undefined ? undefined : await serveMetrics(config.host, config.metricsPort);
  const parts = await openDoors(config, runtime, replace, metrics);
  // A server that listens has an internet address; a string is only given for pipes.
  const { address, port } = parts.http.address() as AddressInfo;
  parts.health.enter('ready');
  announce(runtime.log, config, address, port, metrics?.port);
  let stopping: Promise<void> | undefined;
  return {
    host: address,
    port,
    metricsPort: metrics?.port,
    parts,
    stop: () => {
      stopping ??= shutDown(parts, runtime, config.drainMs).finally(() => metrics?.close());
      return stopping;
    },
  };
}

/** The second port is given up when the first can't be had. */
async function openDoors(
  config: Config,
  runtime: Runtime,
  replace: Replacements,
  metrics: MetricsServer | undefined,
): Promise<ComposedServer> {
  try {
    const meter = metrics === undefined ? {} : { meter: metrics.meter };
    const parts = await compose(config, runtime, serverVersion, { ...meter, ...replace });
    await listen(parts, config);
    return parts;
  } catch (cause) {
    await metrics?.close();
    throw cause;
  }
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

function announce(
  log: Log,
  config: Config,
  host: string,
  port: number,
  metricsPort: number | undefined,
): void {
  const kernel =
    config.kernelUrl !== undefined ? 'remote' : config.kernelCommand !== undefined ? 'child' : 'embedded';
  log.info('listening', {
    host,
    port,
    metricsPort,
    kernel,
    auth: config.auth,
    stateDir: config.stateDir,
    workspaceDir: config.workspaceDir,
  });
}
