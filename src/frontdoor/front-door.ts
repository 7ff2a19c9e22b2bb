/**
 * The front door: an HTTP server on this machine that behaves like the data plane of AgentCore Runtime towards callers,
 * and starts one container process per session behind it. For development and tests.
 */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataPlane } from './data-plane.ts';
import type { DoorConfig } from './door-config.ts';
import type { DoorLog } from './door-log.ts';
import { type FaultRuleInput, parseFaultRules } from './fault-rules.ts';
import { serveRequest } from './http-door.ts';
import type { SessionView } from './session.ts';
import { SocketDoor } from './socket-door.ts';
import { isSteering, steer } from './steering.ts';

export interface FrontDoor {
  readonly port: number;
  readonly url: string;
  sessions(): readonly SessionView[];
  /** Takes the place of all rules that were there. Throws `FaultRuleError`. */
  setFaults(rules: readonly FaultRuleInput[]): void;
  /** Ends every session and closes. */
  stop(): Promise<void>;
}

/** Rejects when the port is taken. */
export async function openFrontDoor(config: DoorConfig, log: DoorLog = () => undefined): Promise<FrontDoor> {
  const folder = await mkdtemp(join(tmpdir(), 'agentcore-agui-door-'));
  const server = createServer({ keepAliveTimeout: 5_000, requestTimeout: 0 });
  let port = config.port;
  const urlOf = (): string =>
    `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  const plane = new DataPlane({ config, folder, publicUrl: () => config.publicUrl ?? urlOf(), log });
  const sockets = new SocketDoor(plane, log);
  server.on('request', (request, response) => {
    request.socket.setNoDelay(true);
    if (isSteering(request)) void steer(request, response, plane);
    else void serveRequest(request, response, { plane, log });
  });
  server.on('upgrade', (request, socket, head) => void sockets.serve({ request, socket, head }));
  try {
    port = await listen(server, config);
  } catch (problem) {
    await rm(folder, { recursive: true, force: true });
    throw problem;
  }
  // Of a process that ends without `stop` nothing must be left.
  const onExit = (): void => {
    for (const { sessions: table } of plane.desks) table.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', onExit);
  return {
    port,
    url: urlOf(),
    sessions: () => plane.desks.flatMap((desk) => desk.sessions.views()),
    setFaults: (rules) => plane.faults.replace(parseFaultRules(rules)),
    async stop() {
      server.close();
      await plane.close();
      sockets.close();
      server.closeAllConnections();
      process.off('exit', onExit);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function listen(server: Server, { host, port }: DoorConfig): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
