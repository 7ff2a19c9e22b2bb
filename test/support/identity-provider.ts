/** A real OpenID Connect provider on a free port: discovery, keys, and tokens for clients with a secret. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { onTestFinished } from 'vitest';
import type { WhenDone } from './servers.ts';

export const audience = 'urn:agent';

export interface TokenRequest {
  readonly client?: string;
  readonly scope?: string;
  readonly secondsToLive?: number;
}

export interface IdentityProvider {
  readonly issuer: string;
  readonly discoveryUrl: string;
  token(request?: TokenRequest): Promise<string>;
}

export async function startIdentityProvider(whenDone: WhenDone = onTestFinished): Promise<IdentityProvider> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenDone(async () => void server.close());
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const secret = randomUUID();
  let secondsToLive = 60;
  const provider = new Provider(issuer, {
    // Keeps nothing, as these tokens are not looked up; the default one warns at every start.
    adapter: ForgetfulAdapter,
    ttl: { ClientCredentials: 600 },
    jwks: { keys: [newKey()] },
    clients: ['web', 'batch'].map((client_id) => ({
      client_id,
      client_secret: secret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: 'ES256' as const,
    })),
    extraTokenClaims: () => ({ groups: ['red', 'blue'] }),
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        getResourceServerInfo: () => ({
          scope: 'invoke read',
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: secondsToLive,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
  server.on('request', provider.callback());
  return {
    issuer,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    async token({ client = 'web', scope = 'invoke', secondsToLive: wanted = 60 } = {}) {
      secondsToLive = wanted;
      const answer = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${client}:${secret}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource: audience }),
      });
      return ((await answer.json()) as { access_token: string }).access_token;
    },
  };
}

class ForgetfulAdapter {
  upsert = nothing;
  find = nothing;
  findByUserCode = nothing;
  findByUid = nothing;
  consume = nothing;
  destroy = nothing;
  revokeByGrantId = nothing;
}

async function nothing(): Promise<undefined> {
  return undefined;
}

function newKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'ES256', use: 'sig' };
}
