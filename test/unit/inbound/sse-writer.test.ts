/** The writer over a real connection: what leaves in which write is seen in the chunks of the wire. */
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { SseWriter } from '../../../src/inbound/http/sse-writer.ts';
import type { AgUiEvent } from '../../../src/protocol/events.ts';

const said = (delta: string): AgUiEvent => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta });

/** The body's chunks, as they stood on the wire. */
async function chunksOf(write: (writer: SseWriter) => Promise<void>): Promise<readonly string[]> {
  const server = createServer(async (_request, response: ServerResponse) => {
    const writer = new SseWriter(response, {
      gone: new AbortController().signal,
      isNumbered: true,
      beforeEnd: async () => undefined,
      onHeartbeat: () => undefined,
    });
    // Like events of a run: these come in promises, not in the request's own call.
    await Promise.resolve();
    await write(writer);
    await writer.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens has an internet address; a string is only given for pipes.
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const text = Buffer.concat(await socket.toArray()).toString();
  server.close();
  return chunksIn(text.slice(text.indexOf('\r\n\r\n') + 4));
}

function chunksIn(body: string): readonly string[] {
  const length = Number.parseInt(body, 16);
  if (!(length > 0)) return [];
  const start = body.indexOf('\r\n') + 2;
  return [body.slice(start, start + length), ...chunksIn(body.slice(start + length + 2))];
}

describe('the writer of an event stream', () => {
  it('sends all events of one tick in one write, in order and with their numbers', async () => {
    const chunks = await chunksOf(async (writer) => {
      for (let number = 1; number <= 50; number += 1) await writer.write([said(`${number} `)], number);
    });

    expect(chunks).toHaveLength(1);
    expect([...String(chunks[0]).matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))).toEqual(
      Array.from({ length: 50 }, (_none, index) => index + 1),
    );
  });

  it('keeps nothing back when the tick is over', async () => {
    const chunks = await chunksOf(async (writer) => {
      await writer.write([said('a')], 1);
      await new Promise((resolve) => setImmediate(resolve));
      await writer.write([said('b')], 2);
      await new Promise((resolve) => setImmediate(resolve));
    });

    expect(chunks.map((chunk) => /"delta":"(.)"/.exec(chunk)?.[1])).toEqual(['a', 'b']);
  });

  it('sends a sign of life behind the events that were written before it', async () => {
    const chunks = await chunksOf(async (writer) => {
      await writer.write([said('a')], 1);
      writer.heartbeat();
    });

    expect(chunks.join('')).toMatch(/"delta":"a"[\s\S]*: heartbeat/);
  });
});
