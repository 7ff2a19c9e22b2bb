/** A model endpoint on loopback that answers with recorded bytes, cut into pieces that respect no boundary. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { onTestFinished } from 'vitest';

export interface RecordedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The connection breaks where the body ends. */
  readonly breaks?: boolean;
}

export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export interface ModelEndpoint {
  readonly url: string;
  readonly received: ReceivedCall[];
}

/** One answer for each call, in order; the last is repeated. */
export async function startEndpoint(script: readonly RecordedAnswer[]): Promise<ModelEndpoint> {
  const received: ReceivedCall[] = [];
  const server = createServer((incoming, outgoing) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    incoming.on('end', async () => {
      const answer = script[Math.min(received.length, script.length - 1)];
      received.push({ path: incoming.url ?? '', headers: incoming.headers, body: JSON.parse(text) });
      outgoing.writeHead(answer?.status ?? 200, answer?.headers);
      for (const piece of piecesOf(answer?.body ?? new Uint8Array())) {
        outgoing.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (answer?.breaks === true) outgoing.destroy();
      else outgoing.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on an address has an internet address.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** 7, 1, 19 bytes and so on: through the middle of lines, frames and characters. */
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  const sizes = [7, 1, 19, 64, 3];
  for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

/** Server-sent events of an OpenAI-compatible endpoint. */
export function sse(...chunks: readonly unknown[]): RecordedAnswer {
  const lines = chunks.map(
    (chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`,
  );
  return { headers: { 'content-type': 'text/event-stream' }, body: Buffer.from(lines.join('')) };
}

export function openAiChunk(delta: object, finish: string | null = null): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'test-model',
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}

export const openAiUsage = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_760_000_000,
  model: 'test-model',
  choices: [],
  usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
};

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString('utf8'),
  (text) => Buffer.from(text, 'utf8'),
);

/** `application/vnd.amazon.eventstream` frames of Bedrock's ConverseStream: `[event or exception name, payload]`. */
export function eventStream(...frames: readonly (readonly [string, object])[]): RecordedAnswer {
  const encoded = frames.map(([name, payload]) => {
    const kind = name.endsWith('Exception') ? 'exception' : 'event';
    const value = (text: string) => ({ type: 'string' as const, value: text });
    return codec.encode({
      headers: {
        [`:${kind}-type`]: value(name),
        ':content-type': value('application/json'),
        ':message-type': value(kind),
      },
      body: Buffer.from(JSON.stringify(payload)),
    });
  });
  return { headers: { 'content-type': 'application/vnd.amazon.eventstream' }, body: Buffer.concat(encoded) };
}
