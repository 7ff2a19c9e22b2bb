/** Secrets that pass through: after everything that can go wrong with them, they stand in no log, no file and no answer. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createJsonLog } from '../../src/outbound/system/json-log.ts';
import { Redaction } from '../../src/outbound/system/redaction.ts';
import { systemClock, systemIds } from '../../src/outbound/system/system-runtime.ts';
import type { FakeKernel } from '../fake-kernel/fake-kernel.ts';
import { startFakeKernel } from '../fake-kernel/start.ts';
import { apiAudience, newKey, startIssuer } from '../support/oidc.ts';
import { call, input, run } from '../support/requests.ts';
import { startServer, temporaryFolder } from '../support/servers.ts';
import { openSocket, refusedUpgrade } from '../support/sockets.ts';
import { lawfulClaims, signed } from '../support/tokens.ts';

/** One for each way in, so that a leak tells where it came from. Of no shape that gives them away. */
const canaries = {
  llmApiKey: 'canary.llm.6f1d',
  accessKeyId: 'canary.akid.77ab',
  accessKeySecret: 'canary.aksecret.09fe',
  securityToken: 'canary.sts.4c2e',
  workloadToken: 'canary.wat.a0b1',
  cookie: 'canary.cookie.be52',
  kernelToken: 'canary.kernel.d7f3',
  wrongToken: 'canary.wrong.1e88',
  body: 'canary.body.5d5d',
  query: 'canary.query.c3a9',
  text: 'canary.text.21f0',
  claim: 'canary.claim.e4e4',
} as const;
const all = new RegExp(Object.values(canaries).join('|').replaceAll('.', '\\.'));

const session = 's'.repeat(40);

async function textOfFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map(async (file) => `${file}\n${await readFile(file, 'utf8')}`))).join(
    '\n',
  );
}

const secretInput = (more: object = {}) =>
  input({
    messages: [{ id: 'm', role: 'user', content: `say ${canaries.text}` }],
    forwardedProps: {
      iacCode: {
        schemaVersion: 1,
        rosInvocationId: 'invocation',
        cwd: '/tmp',
        llmApiKey: ` ${canaries.llmApiKey} `,
        alibabaCloud: {
          accessKeyId: canaries.accessKeyId,
          accessKeySecret: canaries.accessKeySecret,
          securityToken: canaries.securityToken,
        },
      },
    },
    ...more,
  });

/** Every secret of the request, as an error that a careless agent makes of it. */
function makeCareless(fake: FakeKernel): void {
  fake.once('SendStreamingMessage', (exchange) => {
    const { metadata } = exchange.call.params['message'] as { metadata: { iac_code: object } };
    const { cookie, authorization } = exchange.call.headers;
    const message = `can't with ${cookie} or ${authorization} or ${Object.values(metadata.iac_code).join(' ')}`;
    exchange.answer(
      200,
      'application/json',
      JSON.stringify({
        jsonrpc: '2.0',
        id: exchange.id,
        error: { code: -32_000, message, data: { message } },
      }),
    );
  });
  fake.once('SendStreamingMessage', (exchange) =>
    exchange.answer(500, 'text/plain', `${exchange.call.headers['authorization']} ${canaries.llmApiKey}`),
  );
}

describe('secrets of requests and of the deployment', () => {
  it('stand in no log line at debug level, no file and no answer, whatever fails', async () => {
    const key = newKey();
    const issuer = await startIssuer(key);
    const fake = await startFakeKernel({ token: canaries.kernelToken });
    makeCareless(fake);
    const lines: string[] = [];
    const redaction = new Redaction([canaries.kernelToken]);
    const log = createJsonLog('debug', { write: (line: string) => void lines.push(line) }, redaction);
    const folder = await temporaryFolder();
    const server = await startServer({
      folder,
      runtime: { clock: systemClock, ids: systemIds, log, secrets: redaction },
      environment: {
        AGUI_AUTH: 'jwt',
        AGUI_JWT_DISCOVERY_URL: issuer.discoveryUrl,
        AGUI_JWT_ALLOWED_AUDIENCE: apiAudience,
        AGUI_KERNEL_URL: fake.url,
        AGUI_KERNEL_TOKEN: canaries.kernelToken,
        AGUI_FORWARD_HEADERS: 'cookie',
        AGUI_LOG_LEVEL: 'debug',
      },
    });
    const token = signed(key, lawfulClaims(issuer.issuer));
    const headers = {
      authorization: `Bearer ${token}`,
      cookie: `sid=${canaries.cookie}`,
      'x-amz-bedrock-agentcore-identity-wat': canaries.workloadToken,
      'x-amzn-bedrock-agentcore-runtime-session-id': session,
    };
    const url = `${server.url}/invocations`;
    const bad = signed(newKey(), lawfulClaims(issuer.issuer, { sub: canaries.claim }));

    const answers: string[] = [];
    const ask = async (body: unknown, more: Record<string, string> = {}, path = url): Promise<void> => {
      const answer = await run(path, body, { ...headers, ...more });
      answers.push(JSON.stringify(answer.headers), answer.text);
    };
    await ask(secretInput());
    await ask(secretInput());
    await ask(secretInput());
    await ask(`{"llmApiKey": "${canaries.body}", "broken": ${canaries.body}`);
    await ask(secretInput({ tools: canaries.body }));
    await ask({ control: 'cancel', threadId: 'unknown', runId: 'unknown', token: canaries.body });
    await ask(secretInput(), { authorization: `Bearer ${canaries.wrongToken}` });
    await ask(secretInput(), { authorization: `Basic ${canaries.wrongToken}` });
    await ask(secretInput(), { authorization: `Bearer ${bad}` });
    await ask({}, {}, `${server.url}/extensions/iac-code/v1/executions/x/cancel?token=${canaries.query}`);
    const lost = await call(`${server.url}/nowhere?access_token=${canaries.query}`, { method: 'GET' });
    const refused = await refusedUpgrade(`${server.url}/ws?token=${canaries.query}`, {
      'sec-websocket-protocol': `base64UrlBearerAuthorization.${Buffer.from(canaries.wrongToken).toString('base64url')}, base64UrlBearerAuthorization`,
    });
    const socket = await openSocket(`${server.url}/ws?token=${canaries.query}`, headers);
    socket.send(secretInput({ runId: 7, extra: canaries.body }));
    socket.send(`{"token":"${canaries.body}"`);
    await socket.until((events) => events.length >= 2);
    answers.push(lost.text, refused.text, ...socket.frames);
    await server.stop();

    const sent = JSON.stringify(fake.calls.map(({ params, headers: got }) => [params, got]));
    for (const each of [canaries.llmApiKey, canaries.accessKeySecret, canaries.cookie, canaries.kernelToken])
      expect(sent).toContain(each);
    const written = lines.join('');
    expect(written).toContain('"level"');
    expect(written).toContain('kernel-refused');
    for (const [where, text] of Object.entries({
      log: written,
      files: await textOfFolder(folder),
      answers: answers.join('\n'),
    })) {
      expect([where, all.exec(text)?.[0]]).toEqual([where, undefined]);
      expect([where, text.includes(token) || text.includes(bad)]).toEqual([where, false]);
    }
  });
});
