/**
 * The way out: admit nothing more, give every open run its terminal event, let it be saved and sent, let go of
 * everything. Bounded: what does not end in time is cut.
 */
import type { Server } from 'node:http';
import { fault } from '../errors/fault.ts';
import type { Runtime } from '../ports/runtime.ts';
import type { ComposedServer } from './compose.ts';

export async function shutDown(server: ComposedServer, runtime: Runtime, drainMs: number): Promise<void> {
  server.health.enter('draining');
  const deadline = new Promise<void>((resolve) => runtime.clock.after(drainMs, resolve));
  const closed = closeServer(server.http);
  await server.liveRuns.drain(fault('server-stopping-run'), deadline);
  server.timers.close();
  server.recent.close();
  server.sockets.closeAll();
  server.http.closeIdleConnections();
  await Promise.race([closed, deadline]);
  server.http.closeAllConnections();
  await Promise.race([Promise.allSettled([server.kernel.close(), server.store.close()]), deadline]);
}

function closeServer(http: Server): Promise<void> {
  return new Promise((resolve) => http.close(() => resolve()));
}
