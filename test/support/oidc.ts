/** A real OpenID Connect provider on loopback, whose keys a test may change and which it may take away. */
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { onTestFinished } from 'vitest';

export interface SigningKey {
  readonly kid: string;
  readonly alg: 'RS256' | 'ES256';
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export function newKey(alg: SigningKey['alg'] = 'RS256'): SigningKey {
  const pair =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid: randomUUID(), alg, ...pair };
}

export interface TestIssuer {
  readonly issuer: string;
  readonly discoveryUrl: string;
  /** Paths that were asked for. */
  readonly asked: readonly string[];
  /** An access token by the client credentials grant. */
  accessToken(client: string, request?: { resource?: string; scope?: string }): Promise<string>;
  /** The token that tells a client who signed in. */
  idToken(client: string, account: string): Promise<string>;
  /** From now on the provider signs with these keys and publishes no other ones. */
  useKeys(...keys: readonly SigningKey[]): void;
  /** Answers every request with 503 from now on, or no longer. */
  breakDown(isBroken: boolean): void;
}

export const apiAudience = 'urn:agent-api';

export async function startIssuer(...keys: readonly SigningKey[]): Promise<TestIssuer> {
  const asked: string[] = [];
  let isBroken = false;
  let answer: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined;
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (isBroken) response.writeHead(503).end();
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () => new Promise<void>((resolve) => server.close(() => resolve()) && server.closeAllConnections()),
  );
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let provider = createProvider(issuer, keys);
  answer = provider.callback();
  return {
    issuer,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    asked,
    async accessToken(client, { resource = apiAudience, scope = 'agent/invoke' } = {}) {
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${client}:secret`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
      });
      const { access_token: token, ...rest } = (await response.json()) as Record<string, string>;
      if (token === undefined) throw new Error(JSON.stringify(rest));
      return token;
    },
    async idToken(client, account) {
      const found = await provider.Client.find(client);
      const token = new provider.IdToken({ sub: account, nonce: 'n' }, { client: found });
      return token.issue({ use: 'idtoken', expiresAt: Math.floor(Date.now() / 1_000) + 600 });
    },
    useKeys(...next) {
      provider = createProvider(issuer, next);
      answer = provider.callback();
    },
    breakDown(broken) {
      isBroken = broken;
    },
  };
}

/** The client credentials grant with JWTs keeps nothing; without an adapter the provider warns at every start. */
class Nothing {
  async upsert(): Promise<void> {
    return undefined;
  }

  async find(): Promise<undefined> {
    return undefined;
  }
}

function createProvider(issuer: string, keys: readonly SigningKey[]) {
  const alg = keys[0]?.alg ?? 'RS256';
  const client = (name: string) => ({
    client_id: name,
    client_secret: 'secret',
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    id_token_signed_response_alg: alg,
  });
  return new Provider(issuer, {
    adapter: Nothing,
    jwks: {
      keys: keys.map((key) => ({
        ...key.privateKey.export({ format: 'jwk' }),
        kid: key.kid,
        alg: key.alg,
        use: 'sig',
      })),
    },
    clients: [client('client-1'), client('client-2')],
    cookies: { keys: ['test'] },
    scopes: ['agent/invoke', 'agent/look'],
    ttl: { ClientCredentials: 600, IdToken: 600 },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, audience: string) => ({
          audience,
          scope: 'agent/invoke agent/look',
          accessTokenFormat: 'jwt',
          accessTokenTTL: 600,
          jwt: { sign: { alg } },
        }),
      },
    },
  });
}
