/** The server as a process of its own, as the image starts it. Killed after the test. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './servers.ts';
import { type SpawnedServer, spawnServer } from './spawn-server.ts';

export const root = join(import.meta.dirname, '../..');

export interface ServerProcess extends SpawnedServer {
  readonly folder: string;
}

/** Resolves when the server listens. `nodeArgs` stand before the program. */
export async function startServerProcess(
  environment: Readonly<Record<string, string>> = {},
  nodeArgs: readonly string[] = [],
): Promise<ServerProcess> {
  const folder = await temporaryFolder();
  const server = await spawnServer({ AGUI_CONFIG_DIR: folder, ...environment }, nodeArgs);
  onTestFinished(() => server.kill());
  return { ...server, folder };
}
