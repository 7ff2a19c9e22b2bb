/** The way a browser opens sockets; Node has the same `WebSocket`. */
import { describe, expect, it } from 'vitest';
import type { Credentials } from '../../../src/client/credentials.ts';
import { openWebSocket } from '../../../src/client/web-socket-opener.ts';
import { WsTransport } from '../../../src/client/ws-transport.ts';
import { frames, inputOf, runOf, startHostileServer } from '../../support/hostile-server.ts';

const run1 = runOf('thread-1', 'run-1', 'hello');
const texts = run1.map((event) => JSON.stringify(event));
const sessionId = 's'.repeat(40);

function transportTo(url: string, credentials: Credentials = { type: 'none' }): WsTransport {
  const options = { target: { kind: 'url', url } as const, credentials, headers: {}, fetcher: fetch };
  return new WsTransport({ silenceMs: 0, connect: (request) => openWebSocket(options, request, 'browser') });
}

const request = (signal = new AbortController().signal) => ({
  message: { ...inputOf() } as never,
  sessionId,
  headers: undefined,
  signal,
});

async function typesOf(transport: WsTransport, count: number): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const { event } of transport.stream(request())) if (types.push(event.type) === count) break;
  return types;
}

describe('a socket of a browser', () => {
  it('brings its token as subprotocols and its session in the address', async () => {
    const server = await startHostileServer({ ws: [frames(texts)] });
    const token = 'u?>~';

    const types = await typesOf(transportTo(server.url, { type: 'bearer', token }), run1.length);

    expect(types).toEqual(run1.map(({ type }) => type));
    const [upgrade] = server.requests;
    const encoded = Buffer.from(token).toString('base64url');
    expect(upgrade?.headers['sec-websocket-protocol']?.split(/, ?/)).toEqual([
      `base64UrlBearerAuthorization.${encoded}`,
      'base64UrlBearerAuthorization',
    ]);
    expect(upgrade?.path).toBe(`/ws?X-Amzn-Bedrock-AgentCore-Runtime-Session-Id=${sessionId}`);
    expect(upgrade?.headers.authorization).toBeUndefined();
    await server.left;
  });

  it.each([1001, 1011])('tells its close code %i', async (code) => {
    const server = await startHostileServer({ ws: [frames(texts.slice(0, 1), code)] });

    await expect(typesOf(transportTo(server.url), 9)).rejects.toMatchObject({
      code: 'TRUNCATED',
      closeCode: code,
    });
  });

  it('that is refused has sent nothing', async () => {
    const server = await startHostileServer({
      refusals: ['HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n'],
    });

    await expect(typesOf(transportTo(server.url), 1)).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      isUnsent: true,
    });
  });

  it('leaves when it is aborted, before and after it is open', async () => {
    const server = await startHostileServer({ ws: [frames(texts.slice(0, 1))] });
    const stop = new AbortController();
    const events = transportTo(server.url).stream(request(stop.signal));
    await events.next();

    stop.abort();

    await expect(events.next()).rejects.toMatchObject({ code: 'ABORTED' });
    await server.left;
    const late = transportTo(server.url).stream(request(AbortSignal.abort()));
    await expect(late.next()).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('takes binary frames for a breach', async () => {
    const server = await startHostileServer({
      ws: [(socket) => socket.send(Buffer.from(texts[0]!), { binary: true })],
    });

    await expect(typesOf(transportTo(server.url), 1)).rejects.toMatchObject({ code: 'PROTOCOL_ERROR' });
  });

  it('can not be signed by itself', async () => {
    const signed = transportTo('http://127.0.0.1:1', { type: 'sigv4' });

    await expect(typesOf(signed, 1)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
