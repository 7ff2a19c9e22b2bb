/** A collector's stand-in: takes OTLP over HTTP on loopback, and keeps the bytes for the test to look at. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

export interface Collector {
  readonly url: string;
  /** Bodies by path. */
  readonly bodies: readonly { readonly path: string; readonly body: Buffer }[];
  /** The names and texts in all bodies so far: protobuf keeps strings as they are. */
  text(path: string): string;
}

/** `answer` says what becomes of a request; one that does nothing is a collector that hangs. */
export async function startCollector(
  answer: (response: ServerResponse) => void = (response) => response.end(),
): Promise<Collector> {
  const bodies: { path: string; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    bodies.push({ path: request.url ?? '', body: Buffer.concat(chunks) });
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    text: (path) =>
      bodies
        .filter((each) => each.path === path)
        .map(({ body }) => body.toString('latin1'))
        .join(''),
  };
}
