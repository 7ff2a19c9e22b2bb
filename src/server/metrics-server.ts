/**
 * The numbers as Prometheus text on a port of their own: whoever may scrape them need not reach the agent, and the agent's
 * port has no path that tells strangers about it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PrometheusMeter } from '../outbound/telemetry/prometheus-meter.ts';
import type { Meter } from '../ports/telemetry.ts';

export interface MetricsServer {
  readonly port: number;
  readonly meter: Meter;
  close(): Promise<void>;
}

/** Rejects with the system's error when the address can't be listened on; its `port` member says which one it was. */
export async function serveMetrics(host: string, port: number): Promise<MetricsServer> {
  // Loaded only here, so that a server without the port starts without it.
  const { createPrometheusMeter } = await import('../outbound/telemetry/prometheus-meter.ts');
  const meter = createPrometheusMeter();
  const server = createServer((request, response) => void answer(request, response, meter));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  // A server that listens has an internet address; a string is only given for pipes.
  const address = server.address() as AddressInfo;
  return { port: address.port, meter, close: () => close(server) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  meter: PrometheusMeter,
): Promise<void> {
  const path = request.url?.split('?')[0];
  if (path !== '/metrics') return refuse(response, 404, 'Not here: the numbers are at /metrics\n');
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 405, 'Only GET and HEAD\n');
  try {
    const text = await meter.text();
    response.writeHead(200, { 'Content-Type': meter.contentType, 'Cache-Control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : text);
  } catch {
    refuse(response, 500, 'The numbers could not be collected\n');
  }
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
  });
  response.end(text);
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
