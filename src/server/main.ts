/** The process: environment in, a running server, signals obeyed, an exit code out. */
import { holdProcess } from '../outbound/system/system-runtime.ts';
import { type Config, ConfigError, type Environment, processEnvironment, readConfig } from './config.ts';
import { processRuntime } from './process-runtime.ts';
import { serve } from './serve.ts';

/**
 * Runs until SIGTERM or SIGINT, then drains. Resolves to the exit code: 0 after a stop, 1 when the address can't be had,
 * 2 for a bad setting. `overrides` win over the environment; `onListening` is told the port.
 */
export async function runServer(
  overrides: Environment = {},
  onListening: (port: number) => void = () => undefined,
): Promise<number> {
  const config = readOrExplain({ ...processEnvironment(), ...overrides });
  if (config === undefined) return 2;
  const runtime = processRuntime(config);
  const stopAsked = signalled();
  const letGo = holdProcess();
  try {
    const server = await serve(config, runtime);
    onListening(server.port);
    const signal = await stopAsked;
    runtime.log.info('stopping', { signal });
    await server.stop();
    runtime.log.info('stopped');
    return 0;
  } catch (cause) {
    process.stderr.write(`agentcore-agui: ${explain(cause, config)}\n`);
    return 1;
  } finally {
    letGo();
  }
}

function readOrExplain(environment: Environment): Config | undefined {
  try {
    return readConfig(environment);
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    process.stderr.write(`agentcore-agui: ${thrown.message}\n`);
    return undefined;
  }
}

function signalled(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
}

function explain(cause: unknown, config: Config): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const isMetrics = cause instanceof Error && 'port' in cause && cause.port === config.metricsPort;
  const setting = isMetrics ? 'AGUI_METRICS_PORT' : 'AGUI_PORT';
  const where = `${config.host}:${isMetrics ? config.metricsPort : config.port}`;
  if (code === 'EADDRINUSE') return `${where} is already in use; stop what uses it or set ${setting}`;
  if (code === 'EACCES') return `not allowed to listen on ${where}; set ${setting} to 1024 or above`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${config.host} is not an address of this machine; set AGUI_HOST`;
  return cause instanceof Error ? cause.message : String(cause);
}
