/** WebSocket connections through the front door: four ways of authorization are in other files; here limits and codes. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { webSocketUrl } from '../../../src/client/runtime-endpoint.ts';
import { sessionHeader } from '../../../src/client/session-id.ts';
import { presignWebSocketUrl, signUpgrade } from '../../../src/client/sigv4-socket.ts';
import {
  arn,
  aws,
  type RuntimeInput,
  runtimeInput,
  startDoor,
  type TestDoor,
} from '../../support/front-door.ts';
import type { Script } from '../../support/scripted-container.ts';
import { presigned, sessionId } from '../../support/signed-fetch.ts';

const credentials = { type: 'sigv4', credentials: aws } as const;
const custom = 'X-Amzn-Bedrock-AgentCore-Runtime-Custom-Tenant';

class TestSocket {
  readonly socket: WebSocket;
  readonly frames: string[] = [];
  readonly closed: Promise<number>;
  readonly refused: Promise<{ readonly status: number; readonly type: unknown; readonly body: string }>;

  constructor(url: string, headers: Record<string, string>, protocols: string[] = []) {
    this.socket = new WebSocket(url, protocols, { headers });
    onTestFinished(() => this.socket.terminate());
    this.socket.on('error', () => undefined);
    this.socket.on('message', (data) => this.frames.push(data.toString()));
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.refused = new Promise((resolve) => {
      this.socket.once('unexpected-response', async (_request, response) => {
        const body = Buffer.concat(await response.toArray()).toString();
        resolve({ status: response.statusCode ?? 0, type: response.headers['x-amzn-errortype'], body });
      });
    });
  }

  /** Resolves with the container's greeting. */
  async greeting(): Promise<{ url: string; headers: Record<string, string> }> {
    if (this.frames.length === 0) await once(this.socket, 'message');
    return JSON.parse(this.frames[0] ?? '');
  }

  async next(): Promise<string> {
    const [data] = (await once(this.socket, 'message')) as [Buffer];
    return data.toString();
  }
}

async function open(door: TestDoor, headers: Record<string, string> = {}): Promise<TestSocket> {
  const target = { kind: 'runtime', arn, endpoint: door.url } as const;
  const signed = await signUpgrade({
    target,
    credentials,
    headers: { [sessionHeader]: sessionId, ...headers },
  });
  return new TestSocket(webSocketUrl(target).href, signed);
}

const doorWith = (more: RuntimeInput = {}, script: Script = {}) => startDoor([runtimeInput(more, script)]);

describe('a WebSocket', () => {
  it('is joined with the container’s own, in both directions, with the session’s header and the listed ones', async () => {
    const door = await doorWith({ requestHeaderAllowlist: [custom] });
    const socket = await open(door, { [custom]: 'acme', origin: 'https://page.example' });

    const { url, headers } = await socket.greeting();
    socket.socket.send('hello ü');

    expect(await socket.next()).toBe('hello ü');
    expect(url).toBe('/ws');
    expect(headers).toMatchObject({
      'x-amzn-bedrock-agentcore-runtime-session-id': sessionId,
      'x-amzn-bedrock-agentcore-runtime-custom-tenant': 'acme',
    });
    expect(Object.keys(headers).filter((name) => /origin|authorization|x-amz-/.test(name))).toEqual([]);
  });

  it('opens by a presigned address, with custom headers as parameters, until it expires', async () => {
    const door = await doorWith({ requestHeaderAllowlist: [custom] });
    const target = { kind: 'runtime', arn, endpoint: door.url } as const;
    const url = await presignWebSocketUrl({ target, credentials, sessionId });
    const other = new URL(url);
    other.searchParams.set(sessionHeader, 't'.repeat(40));

    const good = new TestSocket(url, {});
    const changed = new TestSocket(other.href, {});

    expect((await good.greeting()).headers['x-amzn-bedrock-agentcore-runtime-session-id']).toBe(sessionId);
    expect(await changed.refused).toMatchObject({ status: 403, type: 'AccessDeniedException' });
  });

  it.each([
    ['expired', { signedAt: new Date(Date.now() - 400_000) }, /has expired/],
    ['expires too late', { expiresIn: 301 }, /1 to 300 seconds, not 301/],
    ['was signed in the future', { signedAt: new Date(Date.now() + 400_000) }, /not valid yet/],
    ['holds no session', { session: undefined }, /must hold .*Session-Id as a signed parameter/],
  ])('does not open by an address that %s', async (_what, call, reason) => {
    const door = await doorWith();

    const { status, body } = await new TestSocket(
      await presigned(door.url, { session: sessionId, ...call }),
      {},
    ).refused;

    expect(status).toBe(403);
    expect(body).toMatch(reason);
  });

  it('is refused with an HTTP answer in the native form when its container refuses it', async () => {
    const socket = await open(await doorWith({}, { refuseSockets: true }));

    expect(await socket.refused).toEqual({
      status: 424,
      type: 'RuntimeClientError',
      body: expect.stringContaining('did not accept the WebSocket'),
    });
  });

  it('is refused when it is not signed, and on another address', async () => {
    const door = await doorWith();
    const at = (operation: string) =>
      new TestSocket(`${door.url.replace('http', 'ws')}/runtimes/${encodeURIComponent(arn)}/${operation}`, {})
        .refused;

    expect(await at('ws')).toMatchObject({ status: 403 });
    expect(await at('elsewhere')).toMatchObject({ status: 404 });
    expect(door.sessions()).toEqual([]);
  });

  it('leaves nothing open behind a handshake that is none', async () => {
    const door = await doorWith();
    const target = { kind: 'runtime', arn, endpoint: door.url } as const;
    const signed = await signUpgrade({ target, credentials, headers: { [sessionHeader]: sessionId } });
    const { port, pathname } = webSocketUrl(target);
    const headers = { ...signed, connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-key': 'short' };

    const outgoing = request({ host: '127.0.0.1', port, path: pathname, headers }).end();
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];

    expect(answer.statusCode).toBe(400);
    expect(await door.seen('container-output')).toMatchObject({ text: 'socket closed 1006\n' });
  });

  it.each([
    ['from the caller', (size: number) => 'x'.repeat(size)],
    ['from the container', (size: number) => `big ${size}`],
  ])('is closed with 1009 by a frame that is too large, %s', async (_what, text) => {
    const socket = await open(await doorWith({ limits: { webSocketFrameBytes: 1_000 } }));
    await socket.greeting();

    socket.socket.send(text(1_000));
    expect(await socket.next()).toHaveLength(1_000);
    socket.socket.send(text(1_001));

    expect(await socket.closed).toBe(1009);
  });

  it('is closed with 1008 by too many frames in a second', async () => {
    const socket = await open(await doorWith({ limits: { webSocketFramesPerSecond: 20 } }));
    await socket.greeting();

    for (let index = 0; index < 60; index += 1) socket.socket.send('x');

    expect(await socket.closed).toBe(1008);
    expect(socket.frames.length).toBeLessThanOrEqual(41);
  });

  it('is closed with 1001 at the end of its time, and of its session', async () => {
    const short = await open(await doorWith({ limits: { streamingSeconds: 0.3 } }));
    const door = await doorWith({ lifecycle: { idleRuntimeSessionTimeout: 0.5, maxLifetime: 60 } });
    const idle = await open(door);

    expect(await short.closed).toBe(1001);
    expect(await idle.closed).toBe(1001);
    expect(await door.seen('session-ended')).toMatchObject({ reason: 'idle' });
  });

  it('is dropped without a word when nobody says anything, and kept by pings', async () => {
    const door = await doorWith({ limits: { webSocketSilenceSeconds: 0.4 } });
    const silent = await open(door);
    await silent.greeting();
    const awake = await open(door);
    await awake.greeting();
    const pings = setInterval(() => awake.socket.ping(), 50);
    onTestFinished(() => clearInterval(pings));

    expect(await silent.closed).toBe(1006);
    awake.socket.send('still here');

    expect(await awake.next()).toBe('still here');
  });

  it('carries the container’s own code, 1011 when the container dies, and pongs of the other side', async () => {
    const door = await doorWith();
    const own = await open(door);
    await own.greeting();
    own.socket.send('bye');
    const dying = await open(door);
    await dying.greeting();

    dying.socket.ping('p');
    const [pong] = (await once(dying.socket, 'pong')) as [Buffer];
    dying.socket.send('die');

    expect(pong.toString()).toBe('p');
    expect(await own.closed).toBe(4_000);
    expect([1001, 1011]).toContain(await dying.closed);
  });

  it('meets faults on demand: refused, or dropped behind some messages', async () => {
    const door = await doorWith();
    const operation = 'InvokeAgentRuntimeWithWebSocketStream' as const;
    door.setFaults([
      { operation, times: 1, fault: { kind: 'exception', exception: 'ServiceQuotaExceededException' } },
      { operation, times: 1, fault: { kind: 'status', status: 504 } },
      { operation, fault: { kind: 'drop', after: 2 } },
    ]);

    const [quota, gateway] = [await open(door), await open(door)];
    expect(await quota.refused).toMatchObject({ status: 402, type: 'ServiceQuotaExceededException' });
    expect((await gateway.refused).status).toBe(504);
    const dropped = await open(door);
    await dropped.greeting();
    dropped.socket.send('one');
    dropped.socket.send('two');

    expect(await dropped.closed).toBe(1006);
    expect(dropped.frames.length).toBeLessThanOrEqual(2);
  });
});
