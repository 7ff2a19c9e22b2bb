/** What a client that brought no token learns about getting one. */

import { AgentCapabilitiesSchema } from '@ag-ui/core/schemas';
import { describe, expect, it } from 'vitest';
import { call, eventsOf, input, run } from '../support/requests.ts';
import { startServer, type TestServer } from '../support/servers.ts';
import { refusedUpgrade } from '../support/sockets.ts';
import { verifies } from './verifies.ts';

const arn = 'arn:aws:bedrock-agentcore:eu-west-1:123456789012:runtime/agui_agent-0123456789';
const escaped = 'arn%3Aaws%3Abedrock-agentcore%3Aeu-west-1%3A123456789012%3Aruntime%2Fagui_agent-0123456789';
const platformUrl = `https://bedrock-agentcore.eu-west-1.amazonaws.com/runtimes/${escaped}/invocations`;
const onPlatform = (qualifier: string) =>
  `Bearer resource_metadata="${platformUrl}/.well-known/oauth-protected-resource?qualifier=${qualifier}"`;

const jwt = {
  AGUI_AUTH: 'jwt',
  AGUI_JWT_DISCOVERY_URL: 'https://issuer.example/tenant/.well-known/openid-configuration',
  AGUI_JWT_ALLOWED_CLIENTS: 'client-1',
  AGUI_JWT_ALLOWED_SCOPES: 'agent/invoke',
};

async function challengeOf(server: TestServer): Promise<readonly unknown[]> {
  const answers = [
    await run(`${server.url}/invocations`, input()),
    await run(`${server.url}/`, {}),
    await refusedUpgrade(`${server.url}/ws`),
  ];
  return [...new Set(answers.map(({ headers }) => headers['www-authenticate']))];
}

describe('a 401 of a server that takes tokens', () => {
  it.each([
    ['the address that the platform gives', { AGENTCORE_RUNTIME_URL: `${platformUrl}/` }, 'DEFAULT'],
    ['an address with a qualifier', { AGUI_PUBLIC_URL: `${platformUrl}?qualifier=prod` }, 'prod'],
    [
      'the ARN among the telemetry attributes',
      { OTEL_RESOURCE_ATTRIBUTES: `service.name=x,cloud.resource_id=${arn}/runtime-endpoint/prod` },
      'prod',
    ],
  ])('names the platform’s document by %s', async (_what, environment, qualifier) => {
    verifies('oauth.challenge');
    const server = await startServer({ environment: { ...jwt, ...environment } });

    expect(await challengeOf(server)).toEqual([onPlatform(qualifier)]);
  });

  it('names its own document where it knows no platform, and serves it to everybody', async () => {
    verifies('oauth.challenge', 'oauth.event');
    const server = await startServer({ environment: jwt });

    const [challenge, ...others] = await challengeOf(server);
    const address = /^Bearer resource_metadata="([^"]+)"$/.exec(String(challenge))?.[1] ?? '';
    const document = await call(address, { method: 'GET' });
    const refused = await run(`${server.url}/invocations`, input());

    expect(others).toEqual([]);
    expect(address).toBe(`${server.url}/.well-known/oauth-protected-resource`);
    expect(JSON.parse(document.text)).toEqual({
      resource: server.url,
      authorization_servers: ['https://issuer.example/tenant'],
      scopes_supported: ['agent/invoke'],
      bearer_methods_supported: ['header'],
    });
    expect(refused.headers['content-type']).toBe('text/event-stream');
    expect(refused.headers['x-amzn-requestid']).toEqual(expect.any(String));
    expect(eventsOf(refused.text)).toMatchObject([{ type: 'RUN_ERROR', code: 'UNAUTHORIZED' }]);
  });

  it('repeats no Host that is not one', async () => {
    const server = await startServer({ environment: jwt });

    const answer = await run(`${server.url}/invocations`, input(), { host: 'evil.example"/x' });

    expect(answer.headers['www-authenticate']).toBe(
      `Bearer resource_metadata="http://localhost:${server.port}/.well-known/oauth-protected-resource"`,
    );
  });
});

describe('a server that takes no tokens of a provider', () => {
  it('has no such document and no such challenge', async () => {
    const open = await startServer();
    const shared = await startServer({ environment: { AGUI_AUTH_TOKEN: 'token' } });

    for (const server of [open, shared]) {
      const document = await call(`${server.url}/.well-known/oauth-protected-resource`, { method: 'GET' });
      expect(document.status).toBe(404);
    }
    expect(await challengeOf(shared)).toEqual(['Bearer']);
  });
});

describe('GET /capabilities', () => {
  it('tells in AG-UI’s words what can be done, and every limit', async () => {
    const server = await startServer({
      environment: { AGUI_RATE_LIMIT: '50', AGUI_MAX_THREADS: '7', AGUI_REQUIRE_SESSION: 'true' },
    });

    const answer = await call(`${server.url}/capabilities`, { method: 'GET' });
    const capabilities = AgentCapabilitiesSchema.parse(JSON.parse(answer.text));

    expect(answer.status).toBe(200);
    expect(capabilities.transport).toMatchObject({ streaming: true, websocket: true, resumable: true });
    expect(capabilities.custom?.['agentcore-agui']).toMatchObject({
      limits: { bodyBytes: 12_582_912, threadsPerSession: 7, requestsPerSecond: 50, runs: 1_000 },
    });
  });
});
