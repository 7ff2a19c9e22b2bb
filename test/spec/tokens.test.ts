/** Which tokens open the doors: a real OpenID Connect provider against the whole server, on every door. */
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock, systemIds } from '../../src/outbound/system/system-runtime.ts';
import type { Runtime } from '../../src/ports/runtime.ts';
import { apiAudience, newKey, startIssuer, type TestIssuer } from '../support/oidc.ts';
import { type Answer, call, eventsOf, input, run } from '../support/requests.ts';
import { recordingLog, startServer, type TestServer } from '../support/servers.ts';
import { hasEnded, openSocket, refusedUpgrade } from '../support/sockets.ts';
import {
  altered,
  type Claims,
  lawfulClaims,
  signed,
  signedByPublicKey,
  unsigned,
} from '../support/tokens.ts';
import { verifies } from './verifies.ts';

const key = newKey();
const stranger = newKey();

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The server's clock, which a test may put forward; tokens are still judged by the real time. */
function movableRuntime() {
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const runtime: Runtime = { clock, ids: systemIds, log: recordingLog([]) };
  return {
    runtime,
    goOn: (ms: number): void => {
      aheadMs += ms;
    },
  };
}

function serverFor(
  issuer: TestIssuer,
  more: Readonly<Record<string, string>> = {},
  runtime?: Runtime,
): Promise<TestServer> {
  return startServer({
    ...(runtime === undefined ? {} : { runtime }),
    environment: {
      AGUI_AUTH: 'jwt',
      AGUI_JWT_DISCOVERY_URL: issuer.discoveryUrl,
      AGUI_JWT_ALLOWED_AUDIENCE: apiAudience,
      ...more,
    },
  });
}

async function askAll(server: TestServer, token: string): Promise<readonly number[]> {
  const cancel = '/extensions/iac-code/v1/executions/none/cancel';
  const answers = [
    await run(`${server.url}/invocations`, input(), bearer(token)),
    await run(`${server.url}/invocations`, { control: 'ping' }, bearer(token)),
    await run(`${server.url}/`, {}, bearer(token)),
    await run(`${server.url}${cancel}`, {}, bearer(token)),
    await call(`${server.url}/capabilities`, { method: 'GET', headers: bearer(token) }),
    await refusedUpgrade(`${server.url}/ws`, bearer(token)),
  ];
  return answers.map(({ status }) => status);
}

describe('a token of a real provider', () => {
  it('opens every door, in the header and as a subprotocol', async () => {
    verifies('auth.bearer');
    const issuer = await startIssuer(key);
    const server = await serverFor(issuer, { AGUI_JWT_ALLOWED_CLIENTS: 'client-1,other' });
    const token = await issuer.accessToken('client-1');

    const invoked = await run(`${server.url}/invocations`, input(), bearer(token));
    const socket = await openSocket(`${server.url}/ws`, bearer(token));
    socket.send(input());
    await socket.until(hasEnded(1));
    const offered = `base64UrlBearerAuthorization.${Buffer.from(token).toString('base64url')}`;
    const fromPage = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, [
      offered,
      'base64UrlBearerAuthorization',
    ]);
    onTestFinished(() => fromPage.terminate());
    await once(fromPage, 'open');

    expect(invoked.status).toBe(200);
    expect(eventsOf(invoked.text).at(-1)?.type).toBe('RUN_FINISHED');
    expect(fromPage.protocol).toBe('base64UrlBearerAuthorization');
    expect(socket.events.at(-1)?.type).toBe('RUN_FINISHED');
  });

  it.each([
    ['of another client', (issuer: TestIssuer) => issuer.accessToken('client-2')],
    [
      'for another audience',
      (issuer: TestIssuer) => issuer.accessToken('client-1', { resource: 'urn:other' }),
    ],
    ['that tells who signed in', (issuer: TestIssuer) => issuer.idToken('client-1', 'user-1')],
  ])('%s is refused on every door with 401', async (_what, tokenOf) => {
    const issuer = await startIssuer(key);
    const server = await serverFor(issuer, {
      AGUI_JWT_ALLOWED_CLIENTS: 'client-1',
      AGUI_JWT_ALLOWED_AUDIENCE: `${apiAudience},client-1`,
    });

    expect(await askAll(server, await tokenOf(issuer))).toEqual([401, 401, 401, 401, 401, 401]);
  });

  it('without one of the scopes is refused with 403 and without a challenge', async () => {
    verifies('errors.access-denied');
    const issuer = await startIssuer(key);
    const server = await serverFor(issuer, { AGUI_JWT_ALLOWED_SCOPES: 'agent/invoke' });
    const token = await issuer.accessToken('client-1', { scope: 'agent/look' });

    const answer = await run(`${server.url}/invocations`, input(), bearer(token));
    const refused = await refusedUpgrade(`${server.url}/ws`, bearer(token));

    expect([answer.status, refused.status]).toEqual([403, 403]);
    expect(answer.headers['www-authenticate']).toBeUndefined();
    expect(refused.headers['www-authenticate']).toBeUndefined();
    expect(eventsOf(answer.text)).toMatchObject([{ type: 'RUN_ERROR', code: 'ACCESS_DENIED' }]);
  });
});

describe('a token made by hand', () => {
  const refusals: readonly (readonly [string, (issuer: string) => string])[] = [
    ['without a signature', (issuer) => unsigned(lawfulClaims(issuer), key.kid)],
    ['that says alg NONE', (issuer) => unsigned(lawfulClaims(issuer), key.kid, 'NONE')],
    [
      'signed with the public key',
      (issuer) => signedByPublicKey(key.publicKey, lawfulClaims(issuer), key.kid),
    ],
    ['signed by a stranger', (issuer) => signed({ ...stranger, kid: key.kid }, lawfulClaims(issuer))],
    ['with an unknown key', (issuer) => signed(stranger, lawfulClaims(issuer))],
    ['without a key id', (issuer) => signed(key, lawfulClaims(issuer), { kid: undefined })],
    [
      'that carries its own key',
      (issuer) =>
        signed(stranger, lawfulClaims(issuer), { jwk: stranger.publicKey.export({ format: 'jwk' }) }),
    ],
    [
      'with another payload',
      (issuer) => altered(signed(key, lawfulClaims(issuer)), lawfulClaims(issuer, { sub: 'root' })),
    ],
    ['of another issuer', (issuer) => signed(key, lawfulClaims(`${issuer}/other`))],
    ['of no issuer', (issuer) => signed(key, lawfulClaims(issuer, { iss: undefined }))],
    ['for nobody', (issuer) => signed(key, lawfulClaims(issuer, { sub: undefined }))],
    ['without an audience', (issuer) => signed(key, lawfulClaims(issuer, { aud: undefined }))],
    ['without an end', (issuer) => signed(key, lawfulClaims(issuer, { exp: undefined }))],
    ['that ended', (issuer) => signed(key, lawfulClaims(issuer, { exp: Date.now() / 1_000 - 40 }))],
    ['that has not begun', (issuer) => signed(key, lawfulClaims(issuer, { nbf: Date.now() / 1_000 + 40 }))],
    ['with a critical header', (issuer) => signed(key, lawfulClaims(issuer), { crit: ['exp'] })],
    ['of Cognito for a client', (issuer) => signed(key, lawfulClaims(issuer, { token_use: 'id' }))],
    [
      'of Keycloak for a client',
      (issuer) => signed(key, lawfulClaims(issuer, { typ: 'ID' }), { typ: 'JWT' }),
    ],
    [
      'with the hash of an access token',
      (issuer) => signed(key, lawfulClaims(issuer, { at_hash: 'x' }), { typ: 'JWT' }),
    ],
    ['in three empty parts', () => '..'],
    ['of anything', () => 'not a token'],
  ];

  it('is refused for each single fault, on every door, and the log gets one word of why', async () => {
    verifies('errors.unauthorized', 'oauth.status', 'oauth.event');
    const issuer = await startIssuer(key);
    const server = await serverFor(issuer, { AGUI_LOG_LEVEL: 'debug' });
    const lawful = signed(key, lawfulClaims(issuer.issuer));

    const statuses = new Map<string, readonly number[]>();
    for (const [what, make] of refusals) statuses.set(what, await askAll(server, make(issuer.issuer)));
    const accepted = await run(`${server.url}/invocations`, { control: 'ping' }, bearer(lawful));

    expect(accepted.status).toBe(200);
    const reasons = server.log.flatMap(({ fields }) =>
      fields['cause'] instanceof Error ? [fields['cause'].message] : [],
    );
    expect(new Set(reasons)).toEqual(
      new Set([
        'algorithm',
        'audience',
        'critical header',
        'expired',
        'id token',
        'issuer',
        'malformed',
        'no expiry',
        'no subject',
        'not yet valid',
        'signature',
        'unknown key',
      ]),
    );
    for (const [what, seen] of statuses)
      expect([what, ...seen]).toEqual([what, 401, 401, 401, 401, 401, 401]);
  });

  it('counts up to thirty seconds after its end and before its beginning', async () => {
    const issuer = await startIssuer(key);
    const server = await serverFor(issuer);
    const now = Date.now() / 1_000;

    for (const claims of [{ exp: now - 10 }, { nbf: now + 10 }] as readonly Claims[]) {
      const token = signed(key, lawfulClaims(issuer.issuer, claims));
      const answer = await run(`${server.url}/invocations`, { control: 'ping' }, bearer(token));

      expect(answer.status).toBe(200);
    }
  });

  it.each([
    [
      'Cognito access',
      { aud: undefined, token_use: 'access', scope: 'agent/invoke' },
      { AGUI_JWT_ALLOWED_AUDIENCE: '', AGUI_JWT_ALLOWED_CLIENTS: 'client-1' },
    ],
    [
      'Auth0',
      { aud: [apiAudience, 'https://tenant.example/userinfo'], client_id: undefined, azp: 'client-1' },
      {},
    ],
    [
      'Entra',
      { client_id: undefined, scope: undefined, scp: 'agent/look agent/invoke', ver: '2.0' },
      { AGUI_JWT_ALLOWED_SCOPES: 'agent/invoke' },
    ],
    [
      'Okta',
      { client_id: undefined, cid: 'client-1', scope: undefined, scp: ['agent/invoke'] },
      { AGUI_JWT_ALLOWED_SCOPES: 'agent/invoke' },
    ],
    [
      'with claims of a tenant',
      { tenant: 'acme', groups: ['a', 'b'] },
      {
        AGUI_JWT_CUSTOM_CLAIMS:
          '[{"name":"tenant","equals":"acme"},{"name":"groups","contains":"b"},{"name":"groups","containsAny":["z","a"]}]',
      },
    ],
  ])('in the form of %s is taken', async (_what, claims, environment) => {
    const issuer = await startIssuer(key);
    const server = await serverFor(issuer, environment);
    const token = signed(key, lawfulClaims(issuer.issuer, claims), { typ: 'JWT' });

    expect((await run(`${server.url}/invocations`, { control: 'ping' }, bearer(token))).status).toBe(200);
  });

  it.each([
    ['equals', { tenant: 'other' }],
    ['is a list instead', { tenant: ['acme'] }],
    ['is missing', {}],
  ])('whose claim %s not what the rule says is refused with 403', async (_what, claims) => {
    const issuer = await startIssuer(key);
    const server = await serverFor(issuer, {
      AGUI_JWT_CUSTOM_CLAIMS: '[{"name":"tenant","equals":"acme"}]',
    });
    const token = signed(key, lawfulClaims(issuer.issuer, claims));

    expect((await run(`${server.url}/invocations`, input(), bearer(token))).status).toBe(403);
  });
});

describe('issuers', () => {
  it('may be several, each with its own keys, and one that is away does not hold up the others', async () => {
    const [first, other] = [await startIssuer(key), await startIssuer(stranger)];
    const server = await serverFor(first, {
      AGUI_JWT_DISCOVERY_URL: `${first.discoveryUrl},${other.discoveryUrl}`,
    });
    const ask = async (token: string): Promise<Answer> =>
      run(`${server.url}/invocations`, { control: 'ping' }, bearer(token));
    other.breakDown(true);

    const before = await ask(await first.accessToken('client-1'));
    const away = await ask(signed(stranger, lawfulClaims(other.issuer)));
    other.breakDown(false);
    const back = await ask(signed(stranger, lawfulClaims(other.issuer)));
    const crossed = await ask(signed(stranger, lawfulClaims(first.issuer)));

    expect([before.status, away.status, back.status, crossed.status]).toEqual([200, 503, 200, 401]);
  });

  it('may have rules of their own: clients of one, an audience of the other', async () => {
    const [cognito, auth0] = [await startIssuer(key), await startIssuer(stranger)];
    const server = await startServer({
      environment: {
        AGUI_AUTH: 'jwt',
        AGUI_JWT_AUTHORIZERS: JSON.stringify([
          { discoveryUrl: cognito.discoveryUrl, allowedClients: ['client-1'] },
          { discoveryUrl: auth0.discoveryUrl, allowedAudience: [apiAudience] },
        ]),
      },
    });
    const ask = async (token: string): Promise<number> =>
      (await run(`${server.url}/invocations`, { control: 'ping' }, bearer(token))).status;
    const byClient = { aud: undefined, token_use: 'access' };
    const byAudience = { client_id: undefined };

    expect([
      await ask(signed(key, lawfulClaims(cognito.issuer, byClient))),
      await ask(signed(stranger, lawfulClaims(auth0.issuer, byAudience))),
      await ask(signed(key, lawfulClaims(cognito.issuer, byAudience))),
      await ask(signed(stranger, lawfulClaims(auth0.issuer, byClient))),
    ]).toEqual([200, 200, 401, 401]);
  });

  it('change their keys: the new one works at once, the old one as long as it is published', async () => {
    const issuer = await startIssuer(key);
    const server = await serverFor(issuer);
    const ask = async (token: string): Promise<number> =>
      (await run(`${server.url}/invocations`, { control: 'ping' }, bearer(token))).status;
    const old = await issuer.accessToken('client-1');
    expect(await ask(old)).toBe(200);

    issuer.useKeys(newKey('ES256'), key);
    const renewed = await issuer.accessToken('client-1');

    expect([await ask(renewed), await ask(old)]).toEqual([200, 200]);
  });

  it('are not asked more than a few times by a flood of unknown keys, and a new key still works', async () => {
    const issuer = await startIssuer(key);
    const server = await serverFor(issuer);
    const ask = async (token: string): Promise<number> =>
      (await run(`${server.url}/invocations`, { control: 'ping' }, bearer(token))).status;
    await ask(await issuer.accessToken('client-1'));
    const flood = Array.from({ length: 200 }, (_none, index) =>
      signed({ ...stranger, kid: `unknown-${index}` }, lawfulClaims(issuer.issuer)),
    );

    const statuses = new Set(await Promise.all(flood.map(ask)));
    for (const token of flood.slice(0, 20)) statuses.add(await ask(token));

    expect([...statuses]).toEqual([401]);
    expect(issuer.asked.filter((path) => path.startsWith('/jwks')).length).toBeLessThanOrEqual(4);
    expect(await ask(await issuer.accessToken('client-1'))).toBe(200);
  });

  it('may be away: known keys go on working', async () => {
    const issuer = await startIssuer(key);
    const server = await serverFor(issuer);
    const token = await issuer.accessToken('client-1');
    const ask = async (): Promise<number> =>
      (await run(`${server.url}/invocations`, { control: 'ping' }, bearer(token))).status;
    await ask();

    issuer.breakDown(true);
    await run(`${server.url}/invocations`, {}, bearer(signed(stranger, lawfulClaims(issuer.issuer))));

    expect(await ask()).toBe(200);
  });

  it('are asked again after ten minutes: a key that they withdrew stops counting', async () => {
    const issuer = await startIssuer(key);
    const { runtime, goOn } = movableRuntime();
    const server = await serverFor(issuer, {}, runtime);
    const token = await issuer.accessToken('client-1');
    const ask = async (): Promise<number> =>
      (await run(`${server.url}/invocations`, { control: 'ping' }, bearer(token))).status;
    issuer.useKeys(stranger);

    expect([await ask(), await ask()]).toEqual([401, 401]);
    issuer.useKeys(key);
    expect(await ask()).toBe(200);
    issuer.useKeys(stranger);
    expect(await ask()).toBe(200);
    goOn(601_000);

    // The first one only has the keys fetched; it does not wait for them.
    await expect.poll(ask, { timeout: 5_000, interval: 10 }).toBe(401);
  });
});

describe('keys that stand in the settings', () => {
  const jwk = (of: typeof key) => ({ ...of.publicKey.export({ format: 'jwk' }), kid: of.kid, use: 'sig' });
  const settings = (rules: Readonly<Record<string, string>>) => ({
    AGUI_AUTH: 'jwt',
    AGUI_JWT_DISCOVERY_URL: 'https://issuer.invalid/.well-known/openid-configuration',
    AGUI_JWT_ALLOWED_AUDIENCE: apiAudience,
    AGUI_JWT_JWKS: JSON.stringify({ keys: [jwk(key), jwk(newKey('ES256'))] }),
    ...rules,
  });
  const statusOf = async (server: TestServer, token: string): Promise<number> =>
    (await run(`${server.url}/invocations`, { control: 'ping' }, bearer(token))).status;

  it('let in whom they signed for, without a network, and nobody else', async () => {
    const server = await startServer({ environment: settings({}) });
    const issuer = 'https://issuer.invalid';

    expect(await statusOf(server, signed(key, lawfulClaims(issuer)))).toBe(200);
    expect(await statusOf(server, signed(stranger, lawfulClaims(issuer)))).toBe(401);
    expect(await statusOf(server, signed({ ...stranger, kid: key.kid }, lawfulClaims(issuer)))).toBe(401);
    expect(await statusOf(server, signed(key, lawfulClaims(`${issuer}/`)))).toBe(401);
  });

  it('belong to the issuer that is named beside them', async () => {
    const server = await startServer({
      environment: settings({ AGUI_JWT_ISSUER: 'https://issuer.invalid/' }),
    });

    expect(await statusOf(server, signed(key, lawfulClaims('https://issuer.invalid/')))).toBe(200);
    expect(await statusOf(server, signed(key, lawfulClaims('https://issuer.invalid')))).toBe(401);
  });

  it('stand beside issuers that are asked for theirs', async () => {
    const asked = await startIssuer(stranger);
    const server = await startServer({
      environment: {
        AGUI_AUTH: 'jwt',
        AGUI_JWT_AUTHORIZERS: JSON.stringify([
          { discoveryUrl: asked.discoveryUrl, allowedAudience: [apiAudience] },
          {
            discoveryUrl: 'https://issuer.invalid/.well-known/openid-configuration',
            issuer: 'https://issuer.invalid/',
            keySet: { keys: [jwk(key)] },
            allowedClients: ['client-1'],
          },
        ]),
      },
    });

    expect(await statusOf(server, await asked.accessToken('client-1'))).toBe(200);
    expect(await statusOf(server, signed(key, lawfulClaims('https://issuer.invalid/')))).toBe(200);
    expect(await statusOf(server, signed(key, lawfulClaims(asked.issuer)))).toBe(401);
  });
});

describe('a socket', () => {
  it('ends with 1008 at the first message after its token’s time', async () => {
    const issuer = await startIssuer(key);
    const { runtime, goOn } = movableRuntime();
    const server = await serverFor(issuer, {}, runtime);
    const socket = await openSocket(`${server.url}/ws`, bearer(await issuer.accessToken('client-1')));
    socket.send({ control: 'ping' });
    await socket.until((events) => events.length === 1);

    goOn(601_000 + 31_000);
    socket.send(input());
    const { code } = await socket.closed;

    expect(code).toBe(1008);
    expect(socket.events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'UNAUTHORIZED' });
  });
});
