/** Signed calls: what arrives is checked by a signature of our own making. */
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AgentCoreClient } from '../../../src/client/client.ts';
import type { ClientOptions } from '../../../src/client/client-options.ts';
import { presignWebSocketUrl } from '../../../src/client/sigv4-socket.ts';
import type { ReceivedEvent } from '../../../src/client/transport.ts';
import {
  answer,
  frames,
  inputOf,
  refusal,
  runOf,
  type SeenRequest,
  sse,
  startHostileServer,
  stream,
} from '../../support/hostile-server.ts';

const arn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/agent-AbCdEf';
const aws = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI', sessionToken: 'token+/=' };
const sessionId = 's'.repeat(40);
const events1 = runOf('thread-1', 'run-1', 'hello');

function clientOf(endpoint: string, options: Partial<ClientOptions> = {}): AgentCoreClient {
  return new AgentCoreClient({
    target: { kind: 'runtime', arn, qualifier: 'PROD', endpoint },
    credentials: { type: 'sigv4', credentials: aws },
    sessionId,
    retry: { baseMs: 1, maxMs: 2 },
    ...options,
  });
}

async function collect(events: AsyncIterable<ReceivedEvent>): Promise<readonly ReceivedEvent[]> {
  const all: ReceivedEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const percent = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

/** AWS Signature Version 4, written down once more from its documentation. */
function expectedSignature(
  request: SeenRequest,
  date: string,
  signedHeaders: string,
  payload: string,
): string {
  const url = new URL(request.path, 'http://any');
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${percent(name)}=${percent(value)}`)
    .sort()
    .join('&');
  const path = url.pathname.split('/').map(percent).join('/');
  const headers = signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [request.method, path, query, headers.join(''), signedHeaders, payload].join('\n');
  const scope = `${date.slice(0, 8)}/us-west-2/bedrock-agentcore/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${aws.secretAccessKey}`);
  return hmac(key, text).toString('hex');
}

function expectSigned(request: SeenRequest): readonly string[] {
  const [, signedHeaders = '', signature] =
    /SignedHeaders=([^,]+), Signature=(\w+)/.exec(request.headers.authorization ?? '') ?? [];
  const payload = sha256(request.body);
  const date = String(request.headers['x-amz-date']);
  expect(signature).toBe(expectedSignature(request, date, signedHeaders, payload));
  return signedHeaders.split(';');
}

describe('a signed run over SSE', () => {
  it('goes to the runtime by name, with session, headers and token under the signature', async () => {
    const server = await startHostileServer({ http: [stream(events1.map((event) => sse(event)))] });

    const events = await collect(
      clientOf(server.url, { headers: { 'X-Custom': 'c', authorization: 'Bearer x' } }).run(inputOf()),
    );

    expect(events).toEqual(events1);
    const [request] = server.requests;
    expect(request?.path).toBe(`/runtimes/${encodeURIComponent(arn)}/invocations?qualifier=PROD`);
    expect(request?.headers).toMatchObject({
      'x-amz-security-token': aws.sessionToken,
      accept: 'text/event-stream',
    });
    expect(request?.headers['x-amzn-bedrock-agentcore-runtime-session-id']).toBe(sessionId);
    expect(expectSigned(request!)).toEqual(
      expect.arrayContaining(['host', 'x-custom', 'x-amzn-bedrock-agentcore-runtime-session-id']),
    );
    expect(JSON.parse(request!.body)).toEqual(inputOf());
  });

  it('reads refusals out of AG-UI bodies, which the SDK takes for broken JSON, and retries by its own rules', async () => {
    const server = await startHostileServer({
      http: [
        refusal(409, 'SESSION_BUSY', 'Session operation in progress, please retry'),
        answer(403, '{"message":"no"}', {
          'x-amzn-errortype': 'AccessDeniedException',
          'x-amzn-requestid': 'r9',
        }),
      ],
    });

    await expect(collect(clientOf(server.url).run(inputOf()))).rejects.toMatchObject({
      name: 'ClientError',
      code: 'ACCESS_DENIED',
      status: 403,
      requestId: 'r9',
    });
    expect(server.requests).toHaveLength(2);
  });

  it('tells a lost connection and an abort in the middle', async () => {
    const server = await startHostileServer({
      http: [stream([sse(events1[0])], 'reset'), stream([sse(events1[0])], 'open')],
    });
    await expect(collect(clientOf(server.url).run(inputOf()))).rejects.toMatchObject({ code: 'TRUNCATED' });
    const stop = new AbortController();

    const events = clientOf(server.url).run(inputOf(), { signal: stop.signal });
    await events.next();
    stop.abort();

    await expect(collect(events)).rejects.toMatchObject({ code: 'ABORTED' });
    await server.left;
  });

  it('says that there are no credentials', async () => {
    const credentials = async () => {
      throw Object.assign(new Error('none'), { name: 'CredentialsProviderError' });
    };
    const client = clientOf('http://127.0.0.1:1', { credentials: { type: 'sigv4', credentials } });

    await expect(collect(client.run(inputOf()))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      isUnsent: true,
    });
  });

  it('goes to a runtime and nowhere else', () => {
    const target = { kind: 'url', url: 'http://127.0.0.1:1' } as const;

    expect(() => new AgentCoreClient({ target, credentials: { type: 'sigv4' } })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    );
  });
});

describe('stopping a session', () => {
  it('is signed, and a session that has gone is no failure', async () => {
    const server = await startHostileServer({
      http: [answer(200, '{}', { 'content-type': 'application/json' }), answer(404, '{"message":"gone"}')],
    });
    const client = clientOf(server.url);

    expect(await client.stopSession('thread-1')).toBe('stopped');
    expect(await client.stopSession('thread-1')).toBe('already_ended');
    const [request] = server.requests;
    expect(request?.path).toBe(`/runtimes/${encodeURIComponent(arn)}/stopruntimesession?qualifier=PROD`);
    expect(request?.headers['x-amzn-bedrock-agentcore-runtime-session-id']).toBe(sessionId);
    expect(JSON.parse(request!.body)).toEqual({ clientToken: sessionId });
    expectSigned(request!);
  });

  it('works with a bearer token in the same way', async () => {
    const server = await startHostileServer({ http: [answer(200, '{}'), answer(404, '')] });
    const client = clientOf(server.url, { credentials: { type: 'bearer', token: 'jwt' } });

    expect(await client.stopSession('thread-1')).toBe('stopped');
    expect(await client.stopSession('thread-1')).toBe('already_ended');
    expect(server.requests[0]).toMatchObject({
      path: `/runtimes/${encodeURIComponent(arn)}/stopruntimesession?qualifier=PROD`,
      headers: { authorization: 'Bearer jwt' },
    });
  });
});

describe('a signed run over WebSocket', () => {
  const speak = {
    ws: [frames(events1.map((event) => JSON.stringify(event)))],
  };

  it('signs the upgrade with its session', async () => {
    const server = await startHostileServer(speak);

    expect(await collect(clientOf(server.url, { transport: 'ws' }).run(inputOf()))).toEqual(events1);
    const [request] = server.requests;
    expect(request?.path).toBe(`/runtimes/${encodeURIComponent(arn)}/ws?qualifier=PROD`);
    expect(expectSigned(request!)).toEqual(
      expect.arrayContaining(['host', 'x-amz-security-token', 'x-amzn-bedrock-agentcore-runtime-session-id']),
    );
  });

  it('can be opened by an address that a backend has signed', async () => {
    const server = await startHostileServer(speak);
    const target = { kind: 'runtime', arn, qualifier: 'PROD', endpoint: server.url } as const;
    const url = (session: string) =>
      presignWebSocketUrl({ target, credentials: { type: 'sigv4', credentials: aws }, sessionId: session });
    const client = clientOf(server.url, { transport: 'ws', credentials: { type: 'presigned', url } });

    expect(await collect(client.run(inputOf()))).toEqual(events1);
    const [request] = server.requests;
    const query = new URL(request!.path, 'http://any').searchParams;
    expect(query.get('X-Amzn-Bedrock-AgentCore-Runtime-Session-Id')).toBe(sessionId);
    expect(query.get('X-Amz-Expires')).toBe('300');
    const signedHeaders = query.get('X-Amz-SignedHeaders') ?? '';
    const signature = expectedSignature(request!, query.get('X-Amz-Date') ?? '', signedHeaders, sha256(''));
    expect(query.get('X-Amz-Signature')).toBe(signature);
  });

  it.each([0, 301, Number.NaN])('signs no address for %d seconds', async (expiresInSeconds) => {
    const target = { kind: 'runtime', arn } as const;
    const credentials = { type: 'sigv4', credentials: aws } as const;

    await expect(
      presignWebSocketUrl({ target, credentials, sessionId, expiresInSeconds }),
    ).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });
});
