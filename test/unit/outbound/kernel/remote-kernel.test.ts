import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RemoteKernel, type RemoteKernelOptions } from '../../../../src/outbound/kernel/remote-kernel.ts';
import { obeys } from '../../../fake-kernel/commands.ts';
import { type FakeKernel, plainCard } from '../../../fake-kernel/fake-kernel.ts';
import { permissionAnswer, userText } from '../../../fake-kernel/sends.ts';
import { startFakeKernel } from '../../../fake-kernel/start.ts';
import { failureOf, type LogLine, never, quietLog, readAll, recordingLog } from './support.ts';

const token = 'secret-token-of-this-test';

function connect(fake: FakeKernel, options: Partial<RemoteKernelOptions> = {}): RemoteKernel {
  const kernel = new RemoteKernel({ url: fake.url, log: quietLog, ...options });
  onTestFinished(() => kernel.close());
  return kernel;
}

/** A server that logs the requests it gets; nobody is to reach it. */
async function startTrap(): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests };
}

describe('describing an agent', () => {
  it('knows iac-code by its name or by its extensions, and takes anybody else for a plain agent', async () => {
    const fake = await startFakeKernel();
    const extensions = [{ uri: 'urn:iac-code:a2a:artifact-metadata:v1' }];
    const profileOf = async (card: Record<string, unknown>) => {
      fake.card = card as FakeKernel['card'];
      return (await connect(fake).describe(never())).profile;
    };

    expect(await profileOf(plainCard(fake.url, { name: 'iac-code' }))).toBe('iac-code');
    expect(await profileOf(plainCard(fake.url, { capabilities: { extensions } }))).toBe('iac-code');
    expect(await profileOf(plainCard(fake.url))).toBe('a2a');
  });

  it('tells name, version and the profile that was configured', async () => {
    const fake = await startFakeKernel();

    expect(await connect(fake, { profile: 'a2a' }).describe(never())).toEqual({
      name: 'iac-code',
      version: '0.0.0',
      profile: 'a2a',
      accepts: { tools: false, context: false, state: false },
    });
  });

  it('fetches the card once for everybody, and again after a failure', async () => {
    const fake = await startFakeKernel();
    const kernel = connect(fake);
    const path = 'GET /.well-known/agent-card.json';
    fake.once(path, (exchange) => exchange.json({ error: 'starting' }, 503));
    expect(await failureOf(kernel.describe(never()))).toMatchObject({ kind: 'unavailable' });

    await Promise.all([kernel.describe(never()), kernel.describe(never()), kernel.describe(never())]);
    await kernel.describe(never());

    expect(fake.callsOf(path)).toHaveLength(2);
  });

  it('lets one caller give up while others wait for the same card', async () => {
    const fake = await startFakeKernel();
    const kernel = connect(fake);
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    fake.on('GET /.well-known/agent-card.json', async (exchange) => {
      asked.resolve();
      await release.promise;
      exchange.json(fake.card);
    });
    const impatient = new AbortController();
    const givenUp = failureOf(kernel.describe(impatient.signal));
    const patient = kernel.describe(never());
    await asked.promise;

    impatient.abort();

    expect(await givenUp).toMatchObject({ kind: 'unavailable' });
    release.resolve();
    expect((await patient).name).toBe('iac-code');
  });

  it('names both versions to an agent that only speaks an older A2A', async () => {
    const fake = await startFakeKernel();
    const older = [
      { name: 'old', url: fake.url, protocolVersion: '0.3.0', preferredTransport: 'JSONRPC' },
      plainCard(fake.url, {
        supportedInterfaces: [{ url: fake.url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' }],
      }),
    ];

    for (const card of older) {
      fake.card = card;
      const error = await failureOf(connect(fake).describe(never()));
      expect(error).toMatchObject({ kind: 'breach', rpcCode: -32009 });
      expect(error.data).toMatchObject({ offered: expect.stringMatching(/^0\.3/), needed: '1.0' });
      expect(error.message).toMatch(/1\.0.*0\.3/);
    }
  });

  it('says what an agent offers that has no JSON-RPC interface', async () => {
    const fake = await startFakeKernel();
    fake.card = plainCard(fake.url, {
      supportedInterfaces: [{ url: fake.url, protocolBinding: 'GRPC', protocolVersion: '1.0' }],
    });

    const error = await failureOf(connect(fake).describe(never()));

    expect(error).toMatchObject({ kind: 'breach', rpcCode: undefined });
    expect(error.message).toContain('GRPC 1.0');
  });

  it('takes a refusal of our version as the version breach', async () => {
    const fake = await startFakeKernel();
    fake.on('GetTask', (exchange) => exchange.error(-32009, 'Version not supported'));

    const error = await failureOf(connect(fake).snapshot('task-1', never()));

    expect(error).toMatchObject({ kind: 'breach', rpcCode: -32009, data: { needed: '1.0' } });
  });
});

describe('where calls go', () => {
  it('uses the path of the card and nothing else of its URL', async () => {
    const fake = await startFakeKernel();
    const trap = await startTrap();
    fake.card = plainCard(`${trap.url}a2a/v1?tenant=x`);

    await failureOf(connect(fake, { token }).snapshot('task-1', never()));

    expect(fake.callsOf('GetTask')).toHaveLength(1);
    expect(trap.requests).toEqual([]);
  });

  it('does not follow redirects, and says so', async () => {
    const fake = await startFakeKernel();
    const trap = await startTrap();
    const kernel = connect(fake, { token });
    await kernel.describe(never());
    for (const method of ['GetTask', 'SendStreamingMessage', 'GET /iac-code/pipeline/state']) {
      fake.on(method, (exchange) => exchange.answer(307, 'text/plain', '', { Location: trap.url }));
    }

    const errors = [
      await failureOf(kernel.snapshot('task-1', never())),
      await failureOf(kernel.pipelineState('task-1', 0, never())),
      (await readAll(kernel.send(userText('hi'), never()))).error,
    ];

    for (const error of errors) {
      expect(error).toMatchObject({ kind: 'unavailable' });
      expect(error?.message).toContain('redirects are not followed');
    }
    expect(trap.requests).toEqual([]);
  });

  it('keeps everything below the folder that was configured', async () => {
    const fake = await startFakeKernel();
    fake.on('GET /agents/one/.well-known/agent-card.json', (exchange) => {
      exchange.json(plainCard('http://elsewhere/rpc'));
    });
    const kernel = connect(fake, { url: `${fake.url}agents/one` });

    await failureOf(kernel.snapshot('task-1', never()));
    await kernel.pipelineState('task 1', 3, never());

    expect(fake.calls.map(({ path }) => path)).toEqual([
      '/agents/one/.well-known/agent-card.json',
      '/agents/one/rpc',
      '/agents/one/iac-code/pipeline/state?taskId=task+1&afterSequence=3',
    ]);
  });

  it('finds the card at the root when the folder has none', async () => {
    const fake = await startFakeKernel();
    fake.card = plainCard(`${fake.url}a2a`);

    const { name } = await connect(fake, { url: `${fake.url}a2a` }).describe(never());

    expect(name).toBe('plain');
    expect(fake.calls.map(({ path }) => path)).toEqual([
      '/a2a/.well-known/agent-card.json',
      '/.well-known/agent-card.json',
    ]);
  });

  it('sends token, version and further headers with every call, the card included', async () => {
    const fake = await startFakeKernel({ token, script: obeys });
    const kernel = connect(fake, { token, headers: { 'X-API-Key': 'key-of-this-test' } });

    await readAll(kernel.send(userText('hi'), never()));
    await kernel.pipelineState('task-1', 0, never());

    expect(fake.calls).toHaveLength(3);
    for (const { headers } of fake.calls) {
      expect(headers.authorization).toBe(`Bearer ${token}`);
      expect(headers['a2a-version']).toBe('1.0');
      expect(headers['x-api-key']).toBe('key-of-this-test');
    }
  });

  it('sends the length of the body, and the message as it is', async () => {
    const fake = await startFakeKernel();
    const send = userText('ümläute ✓');

    await readAll(connect(fake).send(send, never()));

    const [call] = fake.callsOf('SendStreamingMessage');
    expect(call?.headers['content-length']).toMatch(/^\d+$/);
    expect(call?.headers['transfer-encoding']).toBeUndefined();
    expect(call?.params).toEqual({ message: send.message });
  });

  it('refuses names that resolve to link-local addresses, and uses the other addresses of a name', async () => {
    const fake = await startFakeKernel();
    const { port } = new URL(fake.url);
    const describeVia = (...addresses: readonly string[]) =>
      connect(fake, {
        url: `http://agent.test:${port}/`,
        lookup: (_host, _options, callback) =>
          callback(
            null,
            addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
          ),
      }).describe(never());

    const error = await failureOf(describeVia('169.254.169.254', '::ffff:169.254.169.254', 'fe80::1'));

    expect(error).toMatchObject({ kind: 'unavailable' });
    expect(error.message).toContain('link-local');
    expect((await describeVia('fe80::1', '127.0.0.1')).name).toBe('iac-code');
  });
});

describe('calls that fail', () => {
  it('tells credentials that are not accepted from an agent that is not well', async () => {
    const fake = await startFakeKernel({ token });
    const refused = await failureOf(connect(fake, { token: 'another-token' }).describe(never()));
    const kernel = connect(fake, { token });
    await kernel.describe(never());
    fake.on('GetTask', (exchange) => exchange.html(502));

    const broken = await failureOf(kernel.snapshot('task-1', never()));

    expect(refused).toMatchObject({ kind: 'unavailable' });
    expect(refused.message).toMatch(/credentials.*401/);
    expect(broken).toMatchObject({ kind: 'unavailable' });
    expect(broken.message).toContain('502');
  });

  it('takes a JSON-RPC error as a refusal whatever its status is', async () => {
    const fake = await startFakeKernel();
    for (const status of [200, 400, 500]) {
      fake.once('GetTask', (exchange) => exchange.error(-32001, 'Task not found', undefined, status));

      expect(await failureOf(connect(fake).snapshot('task-1', never()))).toMatchObject({
        kind: 'refused',
        rpcCode: -32001,
      });
    }
  });

  it('takes a stream or a page in the place of an answer as a breach', async () => {
    const fake = await startFakeKernel();
    fake.once('GetTask', (exchange) => exchange.html());
    fake.once('GetTask', (exchange) => exchange.end());
    fake.once('GetTask', (exchange) => exchange.answer(200, 'application/json', 'nonsense'));
    fake.once('GetTask', (exchange) => exchange.json([]));

    for (let count = 0; count < 4; count += 1) {
      expect(await failureOf(connect(fake).snapshot('task-1', never()))).toMatchObject({ kind: 'breach' });
    }
  });

  it('never lets the token or a header into an error, even when the agent repeats them', async () => {
    const fake = await startFakeKernel();
    const headers = { 'X-API-Key': 'key-of-this-test' };
    const kernel = connect(fake, { token, headers });
    const echo = `you sent Bearer ${token} and key-of-this-test`;
    fake.on('GetTask', (exchange) => exchange.error(-32600, echo, { echo }));
    fake.on('SendStreamingMessage', (exchange) => exchange.errorFrame(-32600, echo, [echo]));

    const errors = [
      await failureOf(kernel.snapshot('task-1', never())),
      (await readAll(kernel.send(userText('hi'), never()))).error,
    ];

    for (const error of errors) {
      expect(error).toMatchObject({ kind: 'refused' });
      const shown = `${error?.message} ${JSON.stringify(error?.data)} ${error?.stack}`;
      expect(shown).not.toContain(token);
      expect(shown).not.toContain('key-of-this-test');
    }
  });

  it('gives up a call that hangs, in its headers or in its body', async () => {
    const fake = await startFakeKernel();
    const kernel = connect(fake, { timeouts: { answerMs: 50, cancelMs: 50, snapshotMs: 50 } });
    await kernel.describe(never());
    fake.on('SendMessage', () => undefined);
    fake.on('CancelTask', () => undefined);
    fake.on('GetTask', (exchange) => exchange.beginJson());
    fake.on('GET /iac-code/pipeline/state', () => undefined);

    const outcomes = [
      await failureOf(kernel.pipelineState('task-1', 0, never())),
      await failureOf(kernel.answer(userText('yes').message, never())),
      await failureOf(kernel.cancel('task-1', never())),
      await failureOf(kernel.snapshot('task-1', never())),
    ];

    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(4).fill('unavailable'));
    for (const method of ['SendMessage', 'CancelTask', 'GetTask', 'GET /iac-code/pipeline/state']) {
      expect(fake.callsOf(method)).toHaveLength(1);
    }
  });

  it('says that nobody is there, after trying a few times', async () => {
    const trap = createServer();
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    const { port } = trap.address() as AddressInfo;
    await new Promise((resolve) => trap.close(resolve));

    const error = await failureOf(
      new RemoteKernel({ url: `http://127.0.0.1:${port}`, log: quietLog }).describe(never()),
    );

    expect(error).toMatchObject({ kind: 'unavailable' });
    expect(error.message).toContain('ECONNREFUSED');
  });

  it('reads again over a new connection when the pooled one turns out to be dead', async () => {
    const fake = await startFakeKernel({ script: obeys });
    const kernel = connect(fake);
    const [batch] = (await readAll(kernel.send(userText('hi'), never()))).items;
    expect(batch).toBeDefined();
    await kernel.snapshot('task-1', never());
    fake.once('GetTask', (exchange) => exchange.reset());

    const task = await kernel.snapshot('task-1', never());

    expect(task['id']).toBe('task-1');
    expect(fake.callsOf('GetTask')).toHaveLength(3);
  });

  it('gives up a call whose signal is aborted, and closes its connection', async () => {
    const fake = await startFakeKernel();
    const kernel = connect(fake);
    const asked = Promise.withResolvers<{ gone: Promise<void> }>();
    fake.on('GetTask', (exchange) => asked.resolve(exchange));
    const patience = new AbortController();
    const outcome = failureOf(kernel.snapshot('task-1', patience.signal));
    const exchange = await asked.promise;

    patience.abort();

    expect(await outcome).toMatchObject({ kind: 'unavailable' });
    await exchange.gone;
  });

  it('takes nothing any more when it is closed', async () => {
    const fake = await startFakeKernel();
    const kernel = connect(fake);
    await kernel.close();

    expect(await failureOf(kernel.snapshot('task-1', never()))).toMatchObject({ kind: 'unavailable' });
    expect(fake.calls).toEqual([]);
  });

  it.each([
    ['no http', { url: 'ftp://127.0.0.1/' }],
    ['credentials in the URL', { url: 'http://user:pass@127.0.0.1/' }],
    ['a link-local address', { url: 'http://169.254.169.254/' }],
    ['a link-local address as a number', { url: 'http://2852039166/' }],
    ['a link-local address mapped to IPv6', { url: 'http://[::ffff:169.254.169.254]/' }],
    ['a token with a line break', { url: 'http://127.0.0.1/', token: 'a\nb' }],
  ])('does not begin with %s', (_, options) => {
    expect(() => new RemoteKernel({ log: quietLog, ...options })).toThrow(TypeError);
  });
});

describe('the endpoints of iac-code', () => {
  it('acknowledges an answer without a stream', async () => {
    const fake = await startFakeKernel({ script: obeys });
    const kernel = connect(fake);
    const asked = await readAll(kernel.send(userText('/ask'), never()));
    const input = {
      requestTaskId: 'task-1',
      contextId: 'context-1',
      inputId: 'permission-1',
      toolUseId: 'tool-1',
    };

    const answer = await kernel.answer(permissionAnswer(input), never());

    expect(asked.items.length).toBeGreaterThan(0);
    expect(answer).toMatchObject({ message: { parts: [{ data: { accepted: true } }] } });
  });

  it('reads the journal after a sequence, and has none where the agent has none', async () => {
    const fake = await startFakeKernel();
    const events = [{ sequence: 1 }, { sequence: 2 }];
    fake.pipelines.set('task-1', { snapshot: { status: 'working' }, events });
    const kernel = connect(fake);

    expect(await kernel.pipelineState('task-1', 1, never())).toEqual({
      snapshot: { status: 'working' },
      events: [{ sequence: 2 }],
    });
    expect(await kernel.pipelineState('task-2', 0, never())).toBeUndefined();
    fake.on('GET /iac-code/pipeline/state', (exchange) => exchange.html(405));
    expect(await kernel.pipelineState('task-1', 0, never())).toBeUndefined();
    fake.on('GET /iac-code/pipeline/state', (exchange) => exchange.json({ error: 'x' }, 500));
    expect(await failureOf(kernel.pipelineState('task-1', 0, never()))).toMatchObject({
      kind: 'unavailable',
    });
  });

  it('tells a session that is gone from an agent that knows no sessions', async () => {
    const fake = await startFakeKernel();
    fake.sessions.add('known');
    const kernel = connect(fake);
    const restore = (sessionId: string) =>
      kernel.ensureRestored({ cwd: '/work', sessionId, taskId: 'task-1' }, never());

    expect(await restore('known')).toBe('ready');
    expect(await restore('other')).toBe('missing');
    for (const status of [404, 405]) {
      fake.once('POST /iac-code/session/ensure-restored', (exchange) =>
        exchange.json({ detail: 'x' }, status),
      );
      expect(await restore('known')).toBe('absent');
    }
    fake.once('POST /iac-code/session/ensure-restored', (exchange) => exchange.html(404));
    expect(await restore('known')).toBe('absent');
    const notReady = { error: { code: 'SESSION_BACKUP_NOT_READY', retryable: true } };
    fake.once('POST /iac-code/session/ensure-restored', (exchange) => exchange.json(notReady, 409));
    expect(await failureOf(restore('known'))).toMatchObject({ kind: 'unavailable' });
    expect(fake.calls.at(-1)?.params).toEqual({ cwd: '/work', sessionId: 'known', taskId: 'task-1' });
  });
});

describe('what is left behind', () => {
  it('is no connection and no log of a secret after streams that ended in every way', async () => {
    const fake = await startFakeKernel({ script: obeys, token });
    const lines: LogLine[] = [];
    const kernel = connect(fake, { token, log: recordingLog(lines) });
    await readAll(kernel.send(userText('hi'), never()));
    const stream = kernel.send(userText('/work'), never())[Symbol.asyncIterator]();
    await stream.next();
    await stream.return?.();

    await kernel.close();

    await expect.poll(() => fake.connections()).toBe(0);
    expect(lines.map(({ event }) => event)).toContain('kernel found');
    expect(JSON.stringify(lines)).not.toContain(token);
  });
});
