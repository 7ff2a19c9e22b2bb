/** A server around an agent of one's own: both doors, threads, cancelling and restarts come with it. */
import { createOwnAgent } from '../agent/create-own-agent.ts';
import type { OwnAgent, SdkAgent } from '../agent/own/own-agent.ts';
import { FileAgentMemory } from '../outbound/files/agent-memory.ts';
import { createJsonLog } from '../outbound/system/json-log.ts';
import { systemClock, systemIds } from '../outbound/system/system-runtime.ts';
import type { Log } from '../ports/runtime.ts';
import { type Environment, processEnvironment, readConfig } from './config.ts';
import { type RunningServer, serve } from './serve.ts';

export interface CreateServerOptions {
  /** An async generator function, or an agent of the AI SDK such as `ToolLoopAgent`. */
  readonly agent: OwnAgent | SdkAgent;
  /** Settings by their names, such as `{ AGUI_PORT: '9000' }`; they win over the environment of the process. */
  readonly settings?: Environment;
  /** JSON lines on standard output when left out. */
  readonly log?: Log;
}

/** Listens when it resolves. Throws `ConfigError` for a bad setting, and the system's error when the address is taken. */
export async function createServer({
  agent,
  settings = {},
  log,
}: CreateServerOptions): Promise<RunningServer> {
  const config = readConfig({ ...processEnvironment(), ...settings });
  const runtime = {
    clock: systemClock,
    ids: systemIds,
    log: log ?? createJsonLog(config.logLevel, process.stdout),
  };
  const kernel = await createOwnAgent(runtime, new FileAgentMemory(config.stateDir), agent);
  return serve(config, runtime, { kernel });
}
