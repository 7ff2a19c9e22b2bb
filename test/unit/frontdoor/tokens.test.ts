/** Inbound OAuth against a real provider: discovery, keys, and each rule of the authorizer. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { sessionHeader } from '../../../src/client/session-id.ts';
import type { DoorInput } from '../../../src/frontdoor/door-config.ts';
import { arn, runtimeInput, startDoor, type TestDoor } from '../../support/front-door.ts';
import { audience, type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts';
import { invocations, runErrorOf, sessionId, signedFetch } from '../../support/signed-fetch.ts';

type Authorizer = Exclude<DoorInput['runtimes'][number]['authorizer'], string | undefined>;
type Rules = Partial<Authorizer['customJWTAuthorizer']>;

async function doorFor(
  provider: IdentityProvider,
  rules: Rules = { allowedClients: ['web'] },
): Promise<TestDoor> {
  const customJWTAuthorizer = { discoveryUrl: provider.discoveryUrl, ...rules };
  return startDoor([
    runtimeInput({ authorizer: { customJWTAuthorizer }, requestHeaderAllowlist: ['Authorization'] }),
  ]);
}

const call = (door: TestDoor, token?: string) =>
  fetch(`${door.url}${invocations}`, {
    method: 'POST',
    body: '{}',
    headers: {
      [sessionHeader]: sessionId,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  });

describe('a runtime with a JWT authorizer', () => {
  it('lets a good token in and hands it on where that is listed', async () => {
    const provider = await startIdentityProvider();
    const door = await doorFor(provider, {
      allowedClients: ['web'],
      allowedAudience: [audience],
      allowedScopes: ['invoke', 'x'],
    });
    const token = await provider.token();

    const answer = await call(door, token);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ headers: { authorization: `Bearer ${token}` } });
  });

  it('answers a call without a token as the contract shows it, down to the metadata', async () => {
    const provider = await startIdentityProvider();
    const door = await doorFor(provider, { allowedClients: ['web'], allowedScopes: ['invoke'] });

    const refused = await call(door);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    const metadata = await fetch(/^Bearer resource_metadata="(.*)"$/.exec(challenge)?.[1] ?? '');

    expect(refused.status).toBe(401);
    expect(challenge).toBe(
      `Bearer resource_metadata="${door.url}${invocations}/.well-known/oauth-protected-resource?qualifier=DEFAULT"`,
    );
    expect(runErrorOf(await refused.text())).toMatchObject({
      code: 'UNAUTHORIZED',
      message: expect.stringMatching(/^Authentication required or invalid credentials/),
    });
    expect(await metadata.json()).toEqual({
      resource: `${door.url}${invocations}?qualifier=DEFAULT`,
      authorization_servers: [provider.issuer],
      scopes_supported: ['invoke'],
      bearer_methods_supported: ['header'],
    });
  });

  it.each<readonly [string, Rules, number, string]>([
    ['of another client', { allowedClients: ['other'] }, 401, 'UNAUTHORIZED'],
    ['for another audience', { allowedAudience: ['urn:other'] }, 401, 'UNAUTHORIZED'],
    [
      'of a good client for another audience',
      { allowedClients: ['web'], allowedAudience: ['urn:other'] },
      401,
      'UNAUTHORIZED',
    ],
    ['without the scope', { allowedScopes: ['write'] }, 403, 'ACCESS_DENIED'],
  ])('refuses a token %s', async (_what, rules, status, code) => {
    const provider = await startIdentityProvider();
    const door = await doorFor(provider, rules);

    const refused = await call(door, await provider.token());

    expect(refused.status).toBe(status);
    expect(refused.headers.has('www-authenticate')).toBe(status === 401);
    expect(runErrorOf(await refused.text())).toMatchObject({ code });
    expect(door.sessions()).toEqual([]);
  });

  const claim = (name: string, operator: string, value: string | string[]) => ({
    inboundTokenClaimName: name,
    inboundTokenClaimValueType: operator === 'EQUALS' ? 'STRING' : 'STRING_ARRAY',
    authorizingClaimMatchValue: {
      claimMatchOperator: operator,
      claimMatchValue: Array.isArray(value) ? { matchValueStringList: value } : { matchValueString: value },
    },
  });

  it.each([
    [[claim('client_id', 'EQUALS', 'web')], 200],
    [[claim('client_id', 'EQUALS', 'batch')], 403],
    [[claim('groups', 'CONTAINS', 'red')], 200],
    [[claim('groups', 'CONTAINS', 'green')], 403],
    [[claim('groups', 'CONTAINS_ANY', ['green', 'blue'])], 200],
    [[claim('groups', 'CONTAINS_ANY', ['green'])], 403],
    [[claim('absent', 'EQUALS', 'x')], 403],
    [[claim('groups', 'CONTAINS', 'red'), claim('client_id', 'EQUALS', 'batch')], 403],
  ])('holds its claims to %j: %i', async (customClaims, status) => {
    const provider = await startIdentityProvider();
    // The table is looser than the type; the configuration is checked when it is read.
    const door = await doorFor(provider, { customClaims } as Rules);

    expect((await call(door, await provider.token())).status).toBe(status);
  });

  it('refuses tokens that are forged, expired, of another provider or no tokens, without repeating them', async () => {
    const provider = await startIdentityProvider();
    const stranger = await startIdentityProvider();
    const door = await doorFor(provider);
    const good = await provider.token();
    const tokens = [
      `${good.slice(0, -4)}AAAA`,
      `${good.split('.').slice(0, 2).join('.')}.`,
      await provider.token({ secondsToLive: -60 }),
      await stranger.token(),
      'no-token',
    ];

    for (const token of tokens) {
      const refused = await call(door, token);
      expect(refused.status).toBe(401);
      expect(await refused.text()).not.toContain(token);
    }
    expect(JSON.stringify(door.log)).not.toContain(good.slice(0, 40));
  });

  it('takes no signature, and a runtime for signatures has no metadata', async () => {
    const provider = await startIdentityProvider();
    const door = await doorFor(provider);
    const signed = await startDoor();

    const refused = await signedFetch(door.url);
    const metadata = await fetch(`${signed.url}${invocations}/.well-known/oauth-protected-resource`);

    expect(refused.status).toBe(403);
    expect(runErrorOf(await refused.text())).toMatchObject({
      message: expect.stringContaining('authorization method mismatch'),
    });
    expect(metadata.status).toBe(404);
  });

  it('is an internal error while its provider can’t be asked, and asks again at the next call', async () => {
    const provider = await startIdentityProvider();
    const discovery = await (await fetch(provider.discoveryUrl)).text();
    let asked = 0;
    const flaky = createServer((_request, response) => {
      asked += 1;
      response.writeHead(asked === 1 ? 503 : 200).end(discovery);
    }).listen(0, '127.0.0.1');
    await once(flaky, 'listening');
    onTestFinished(() => void flaky.close());
    const { port } = flaky.address() as { port: number };
    const door = await doorFor({
      ...provider,
      discoveryUrl: `http://127.0.0.1:${port}/.well-known/openid-configuration`,
    });
    const token = await provider.token();

    const [first, second] = [await call(door, token), await call(door, token)];

    expect([first.status, second.status]).toEqual([500, 200]);
    expect(runErrorOf(await first.text())).toMatchObject({
      message: expect.stringContaining('identity provider'),
    });
  });
});

describe('a WebSocket with a token', () => {
  const open = (door: TestDoor, protocols: string[], headers: Record<string, string> = {}): WebSocket => {
    const url = new URL(`${door.url.replace('http', 'ws')}/runtimes/${encodeURIComponent(arn)}/ws`);
    url.searchParams.set(sessionHeader, sessionId);
    const socket = new WebSocket(url, protocols, { headers });
    onTestFinished(() => socket.terminate());
    socket.on('error', () => undefined);
    return socket;
  };
  const refusal = async (socket: WebSocket): Promise<number> => {
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    return response.statusCode;
  };

  it('opens by the header, and by the pair of sub-protocols, of which the second is selected', async () => {
    const provider = await startIdentityProvider();
    const door = await doorFor(provider);
    const token = await provider.token();
    const byHeader = open(door, [], { authorization: `Bearer ${token}` });
    await once(byHeader, 'message');

    const carrier = `base64UrlBearerAuthorization.${Buffer.from(token).toString('base64url')}`;
    const byProtocol = open(door, [carrier, 'base64UrlBearerAuthorization']);
    const [greeting] = (await once(byProtocol, 'message')) as [Buffer];

    expect(byHeader.protocol).toBe('');
    expect(byProtocol.protocol).toBe('base64UrlBearerAuthorization');
    expect(JSON.parse(greeting.toString()).headers).not.toHaveProperty('sec-websocket-protocol');
  });

  it('is refused without one, with half a pair, and with a bad one', async () => {
    const provider = await startIdentityProvider();
    const door = await doorFor(provider);

    expect(await refusal(open(door, []))).toBe(401);
    expect(await refusal(open(door, ['base64UrlBearerAuthorization.YQ']))).toBe(400);
    expect(
      await refusal(open(door, ['base64UrlBearerAuthorization.YQ', 'base64UrlBearerAuthorization'])),
    ).toBe(401);
  });
});
