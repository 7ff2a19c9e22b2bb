/**
 * The way out: admit nothing more, give every open run its terminal event, let it be saved and sent, let go of
 * everything. Bounded: what does not end in time is cut.
 */
import type { Server } from 'node:http';
import { fault } from '../errors/fault.ts';
import type { Clock, Runtime } from '../ports/runtime.ts';
import type { ComposedServer } from './compose.ts';

const idleCheckMs = 20;

export async function shutDown(server: ComposedServer, runtime: Runtime, drainMs: number): Promise<void> {
  server.health.enter('draining');
  const deadline = new Promise<void>((resolve) => runtime.clock.after(drainMs, resolve));
  const closed = closeServer(server.http);
  await server.liveRuns.drain(fault('server-stopping-run'), deadline);
  server.timers.close();
  server.recent.close();
  server.sockets.closeAll();
  const endClosing = closeAsTheyFallIdle(server.http, runtime.clock);
  await Promise.race([closed, deadline]);
  endClosing();
  server.http.closeAllConnections();
  const rest = [server.kernel.close(), server.store.close(), server.telemetry.flush()];
  await Promise.race([Promise.allSettled(rest), deadline]);
}

/** A connection whose answer is just being ended falls idle a moment later, and would be kept alive. */
function closeAsTheyFallIdle(http: Server, clock: Clock): () => void {
  let endTimer = (): void => undefined;
  const close = (): void => {
    http.closeIdleConnections();
    endTimer = clock.after(idleCheckMs, close);
  };
  close();
  return () => endTimer();
}

function closeServer(http: Server): Promise<void> {
  return new Promise((resolve) => http.close(() => resolve()));
}
