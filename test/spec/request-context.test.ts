/** What of a request's headers reaches the agent, and what never does. */
import { describe, expect, it } from 'vitest';
import type { Kernel } from '../../src/ports/kernel.ts';
import type { RequestContext } from '../../src/protocol/request-context.ts';
import { startFakeKernel } from '../fake-kernel/start.ts';
import { input, run } from '../support/requests.ts';
import { ScriptedKernel, turn } from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { hasEnded, openSocket } from '../support/sockets.ts';

/** An agent of this process, which keeps what its requests brought along. */
class CuriousKernel extends ScriptedKernel {
  readonly contexts: RequestContext[] = [];

  onBehalfOf(context: RequestContext): Kernel {
    this.contexts.push(context);
    return this;
  }
}

const session = 's'.repeat(40);
const platformHeaders = {
  'X-Amzn-Bedrock-AgentCore-Runtime-Session-Id': session,
  'X-Amzn-Bedrock-AgentCore-Runtime-Request-Id': 'request-1',
  'X-Amzn-Bedrock-AgentCore-Runtime-User-Id': 'ann',
  'X-Amz-Bedrock-AgentCore-Identity-WAT': 'workload-token',
  WorkloadAccessToken: 'older-token',
  OAuth2CallbackUrl: 'https://app.example/back',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'vendor=1',
  'X-Amzn-Trace-Id': 'Root=1-0-0',
  baggage: 'session.id=abc;p=1, tenant=a%20b, broken=%zz,=nobody',
  'X-Amzn-Bedrock-AgentCore-Runtime-Custom-Locale': 'fr',
  'X-Tenant': 'acme',
};
const secretHeaders = {
  Authorization: 'Bearer caller-token',
  Cookie: 'sid=1',
  'X-Amz-Security-Token': 'aws-token',
  'Proxy-Authorization': 'Basic cHJveHk6cHJveHk=',
};

describe('an agent in this process', () => {
  it.each(['sse', 'ws'])(
    'gets the platform’s headers by their meaning, and no credentials (%s)',
    async (way) => {
      const kernel = new CuriousKernel(turn('Hello'));
      const server = await startServer({ replace: { kernel } });
      const headers = { ...platformHeaders, ...secretHeaders };

      if (way === 'sse') await run(`${server.url}/invocations`, input(), headers);
      else {
        const socket = await openSocket(`${server.url}/ws`, headers);
        socket.send(input());
        await socket.until(hasEnded(1));
      }

      const [context] = kernel.contexts;
      expect(context).toMatchObject({
        requestId: 'request-1',
        sessionId: session,
        subject: null,
        unverifiedUserId: 'ann',
        workloadAccessToken: 'workload-token',
        oauthCallbackUrl: 'https://app.example/back',
        trace: {
          traceparent: platformHeaders.traceparent,
          tracestate: 'vendor=1',
          xrayTraceId: 'Root=1-0-0',
        },
        baggage: { 'session.id': 'abc', tenant: 'a b' },
        headers: { 'x-amzn-bedrock-agentcore-runtime-custom-locale': 'fr', 'x-tenant': 'acme' },
        forwarded: {},
      });
      expect(Object.keys(context?.headers ?? {}).sort()).toEqual([
        'x-amzn-bedrock-agentcore-runtime-custom-locale',
        'x-tenant',
      ]);
    },
  );

  it('gets the workload token by its older name where there is no newer one, and custom headers of an address', async () => {
    const kernel = new CuriousKernel(turn('Hello'));
    const server = await startServer({ replace: { kernel } });
    const query = 'x-amzn-bedrock-agentcore-runtime-custom-locale=de';

    const socket = await openSocket(`${server.url}/ws?${query}`, { WorkloadAccessToken: 'older-token' });
    socket.send(input());
    await socket.until(hasEnded(1));

    expect(kernel.contexts[0]?.workloadAccessToken).toBe('older-token');
    expect(kernel.contexts[0]?.headers).toEqual({ 'x-amzn-bedrock-agentcore-runtime-custom-locale': 'de' });
  });
});

describe('a remote agent', () => {
  const all = { ...platformHeaders, ...secretHeaders };

  it('gets none of a request’s headers by itself', async () => {
    const fake = await startFakeKernel();
    const server = await startServer({ environment: { AGUI_KERNEL_URL: fake.url } });

    await run(`${server.url}/invocations`, input(), all);

    const [sent] = fake.callsOf('SendStreamingMessage');
    const names = Object.keys(all).map((name) => name.toLowerCase());
    expect(Object.keys(sent?.headers ?? {}).filter((name) => names.includes(name))).toEqual([]);
    expect(JSON.stringify(sent)).not.toMatch(/caller-token|aws-token|workload-token|older-token/);
  });

  it('gets those that are configured, on every call, and never what belongs to the connection', async () => {
    const fake = await startFakeKernel();
    const server = await startServer({
      environment: { AGUI_KERNEL_URL: fake.url, AGUI_FORWARD_HEADERS: 'Authorization, x-tenant, x-hop' },
    });

    await run(`${server.url}/invocations`, input(), { ...all, 'X-Hop': '1', Connection: 'x-hop' });
    await run(`${server.url}/invocations`, input(), { 'X-Tenant': 'other' });

    const seen = fake
      .callsOf('SendStreamingMessage')
      .map(({ headers }) => [headers['authorization'], headers['x-tenant'], headers['x-hop']]);
    expect(seen).toEqual([
      ['Bearer caller-token', 'acme', undefined],
      [undefined, 'other', undefined],
    ]);
  });
});
