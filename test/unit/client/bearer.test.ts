/** Bearer tokens, and what a 401 leads to. */
import { describe, expect, it } from 'vitest';
import { parseChallenge } from '../../../src/client/challenge.ts';
import { AgentCoreClient } from '../../../src/client/client.ts';
import type { TokenProvider, TokenRequest } from '../../../src/client/credentials.ts';
import type { ReceivedEvent } from '../../../src/client/transport.ts';
import {
  answer,
  frames,
  type HttpBehaviour,
  inputOf,
  refusal,
  runOf,
  sse,
  startHostileServer,
  stream,
} from '../../support/hostile-server.ts';

const events1 = runOf('thread-1', 'run-1', 'hello');
const whole = stream(events1.map((event) => sse(event)));
const metadata = {
  resource: 'r',
  authorization_servers: ['https://issuer.example'],
  scopes_supported: ['a', 'b'],
};

/** 401 with a challenge that points to this server's own metadata; the metadata; then the run. */
function guarded(token: string): HttpBehaviour {
  return (response, request) => {
    const where = `http://${request.headers.host}/metadata`;
    const challenge = { 'www-authenticate': `Bearer error="invalid_token", resource_metadata="${where}"` };
    if (request.path === '/metadata') return answer(200, JSON.stringify(metadata))(response, request);
    if (request.headers.authorization === `Bearer ${token}`) return whole(response, request);
    return refusal(401, 'UNAUTHORIZED', 'no', undefined, challenge)(response, request);
  };
}

function recording(...tokens: readonly (string | undefined)[]): {
  asked: TokenRequest[];
  provider: TokenProvider;
} {
  const asked: TokenRequest[] = [];
  return {
    asked,
    provider: async (request) => {
      asked.push(request);
      return tokens[asked.length - 1];
    },
  };
}

async function collect(events: AsyncIterable<ReceivedEvent>): Promise<readonly ReceivedEvent[]> {
  const all: ReceivedEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function clientOf(
  url: string,
  token: string | TokenProvider,
  transport: 'sse' | 'ws' = 'sse',
): AgentCoreClient {
  return new AgentCoreClient({
    target: { kind: 'url', url },
    transport,
    credentials: { type: 'bearer', token },
  });
}

describe('a token that is refused', () => {
  it('is renewed once, by a provider that is told where tokens come from', async () => {
    const server = await startHostileServer({ http: [guarded('new')] });
    const { asked, provider } = recording('old', 'new');

    expect(await collect(clientOf(server.url, provider).run(inputOf()))).toEqual(events1);
    expect(asked).toEqual([
      { reason: 'call' },
      {
        reason: 'renewal',
        refused: 'old',
        challenge: {
          error: 'invalid_token',
          resourceMetadataUrl: `${server.url}/metadata`,
          resourceMetadata: metadata,
          authorizationServers: ['https://issuer.example'],
          scopes: ['a', 'b'],
        },
      },
    ]);
    const discovery = server.requests.find(({ path }) => path === '/metadata');
    expect(discovery?.headers.authorization).toBeUndefined();
  });

  it('is not renewed twice', async () => {
    const server = await startHostileServer({ http: [guarded('other')] });
    const { asked, provider } = recording('old', 'new', 'newer');

    await expect(collect(clientOf(server.url, provider).run(inputOf()))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      status: 401,
    });
    expect(asked).toHaveLength(2);
  });

  it('is not sent again when the provider has no other, or when it is fixed', async () => {
    const server = await startHostileServer({ http: [guarded('new')] });

    for (const token of [recording('old', 'old').provider, recording('old').provider, 'old']) {
      const run = clientOf(server.url, token).run(inputOf());
      await expect(collect(run)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
    expect(server.requests.filter(({ path }) => path === '/invocations')).toHaveLength(3);
  });

  it('is renewed without metadata when they can not be had', async () => {
    const challenge = { 'www-authenticate': 'Bearer resource_metadata="http://127.0.0.2:1/secret"' };
    const server = await startHostileServer({
      http: [refusal(401, 'UNAUTHORIZED', 'no', undefined, challenge), whole],
    });
    const { asked, provider } = recording('old', 'new');

    await collect(clientOf(server.url, provider).run(inputOf()));

    expect(asked[1]).toMatchObject({ challenge: { authorizationServers: [] } });
  });

  it('is renewed for a socket too', async () => {
    const challenge =
      'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer scope="x"\r\nContent-Length: 0\r\n\r\n';
    const server = await startHostileServer({
      refusals: [challenge],
      ws: [frames(events1.map((event) => JSON.stringify(event)))],
    });
    const { asked, provider } = recording('old', 'new');

    expect(await collect(clientOf(server.url, provider, 'ws').run(inputOf()))).toEqual(events1);
    expect(asked[1]).toMatchObject({ challenge: { scopes: ['x'] } });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
  });
});

describe('a provider', () => {
  it('that fails is told as such, and nothing is sent', async () => {
    const server = await startHostileServer({ http: [whole] });
    const provider = async () => Promise.reject(new Error('secret of the provider'));

    const run = collect(clientOf(server.url, provider).run(inputOf()));

    await expect(run).rejects.toMatchObject({ code: 'UNAUTHORIZED', message: 'the token provider failed' });
    expect(server.requests).toHaveLength(0);
  });

  it('can not smuggle headers in, and its token is in no error', async () => {
    const server = await startHostileServer({ http: [whole] });

    const run = collect(clientOf(server.url, 'secret\r\nx-evil: 1').run(inputOf()));

    await expect(run).rejects.toSatisfy(
      (problem: Error) => !JSON.stringify([problem.message, problem.cause, problem.stack]).includes('secret'),
    );
    expect(server.requests).toHaveLength(0);
  });
});

describe('a challenge', () => {
  it.each([
    ['Bearer', { scopes: [] }],
    [
      'Basic realm="x", Bearer scope="a b", error=invalid_token',
      { scopes: ['a', 'b'], error: 'invalid_token' },
    ],
    ['bearer resource_metadata="https://h/a\\"b"', { resourceMetadataUrl: 'https://h/a"b' }],
  ])('%s is read', (header, expected) => {
    expect(parseChallenge(header)).toMatchObject(expected);
  });

  it.each([undefined, '', 'Basic realm="Bearers"'])('%s holds no bearer challenge', (header) => {
    expect(parseChallenge(header)).toBeUndefined();
  });
});
