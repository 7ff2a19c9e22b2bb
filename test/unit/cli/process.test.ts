/** The command as a process of its own, against servers on loopback. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  answer,
  frames,
  type HttpBehaviour,
  refusal,
  runError,
  runOf,
  sse,
  startHostileServer,
  stream,
} from '../../support/hostile-server.ts';
import { aborted, ScriptedKernel, submitted, textOf } from '../../support/scripted-kernel.ts';
import { startServer, temporaryFolder } from '../../support/servers.ts';

const main = join(import.meta.dirname, '../../../src/cli/main.ts');
const arn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/agent-AbCdEf';
const run1 = runOf('t', 'r', 'hello');
const whole = stream(run1.map((event) => sse(event)));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly notes: string;
}

interface Started {
  readonly child: ChildProcess;
  /** Resolves when stdout or stderr holds the text; rejects when the process ends first. */
  until(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

function start(
  args: readonly string[],
  { input = '', environment = {} as Record<string, string> } = {},
): Started {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [main, ...args], { env: { PATH, HOME, ...environment } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', notes: '' };
  const watchers = new Set<() => void>();
  const hear = (where: 'out' | 'notes') => (text: string) => {
    said[where] += text;
    for (const watcher of watchers) watcher();
  };
  child.stdout.setEncoding('utf8').on('data', hear('out'));
  child.stderr.setEncoding('utf8').on('data', hear('notes'));
  child.stdin.on('error', () => undefined).end(input);
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...said })));
  const until = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (said.out.includes(text) || said.notes.includes(text)) resolve();
      };
      watchers.add(look);
      void ended.then(({ out, notes }) => reject(new Error(`ended first: ${out}${notes}`)));
      look();
    });
  return { child, until, ended };
}

const cli = (...args: readonly string[]): Promise<Ended> => start(args).ended;

describe('invoke', () => {
  it.each(['sse', 'ws'])('prints what the agent says and nothing else, over %s', async (transport) => {
    const ws = [frames(run1.map((event) => JSON.stringify(event)))];
    const server = await startHostileServer({ http: [whole], ws });

    const ended = await cli('invoke', 'hi', '--url', server.url, '--transport', transport);

    expect(ended).toEqual({ code: 0, out: 'hello\n', notes: '' });
  });

  it('prints as it comes, though nobody sits at a terminal', async () => {
    const proceed = Promise.withResolvers<void>();
    const slow: HttpBehaviour = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        run1
          .slice(0, 3)
          .map((event) => sse(event))
          .join(''),
      );
      await proceed.promise;
      response.end(
        run1
          .slice(3)
          .map((event) => sse(event))
          .join(''),
      );
    };
    const server = await startHostileServer({ http: [slow] });

    const started = start(['invoke', 'hi', '--url', server.url]);
    await started.until('hello');
    proceed.resolve();

    expect((await started.ended).code).toBe(0);
  });

  it('sends thread, run, properties, images and a message from stdin', async () => {
    const server = await startHostileServer({ http: [whole] });
    const folder = await temporaryFolder();
    const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
    await writeFile(join(folder, 'a.png'), png);
    await writeFile(join(folder, 'props.json'), '{"k":1}');
    const args = ['--thread', 't', '--run', 'r', '--forwarded-props', `@${join(folder, 'props.json')}`];

    await start(['invoke', '-', '--url', server.url, '--file', join(folder, 'a.png'), ...args], {
      input: 'from stdin\n',
    }).ended;

    expect(JSON.parse(server.requests[0]!.body)).toMatchObject({
      threadId: 't',
      runId: 'r',
      protocolVersion: '1.0',
      forwardedProps: { k: 1 },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'from stdin' },
            { type: 'image', source: { type: 'data', mimeType: 'image/png', value: png.toString('base64') } },
          ],
        },
      ],
    });
  });

  it('prints one event per line with --json, and a line for a call that failed', async () => {
    const server = await startHostileServer({ http: [whole, refusal(403, 'ACCESS_DENIED', 'no')] });

    const good = await cli('invoke', 'hi', '--url', server.url, '--json');
    const bad = await cli('invoke', 'hi', '--url', server.url, '--json');

    expect(
      good.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(run1);
    expect(good.notes).toBe('');
    expect(bad.code).toBe(4);
    expect(JSON.parse(bad.out)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'ACCESS_DENIED',
      metadata: { 'agentcore-agui': { client: true, status: 403, requestId: 'request-of-the-refusal' } },
    });
  });

  const interrupted = {
    ...run1[4],
    outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'confirmation' }] },
  };
  it.each([
    ['a failed run', 1, stream([sse(run1[0]), runError('AGENT_ERROR', 'failed')])],
    ['a run that waits', 3, stream([sse(run1[0]), sse(interrupted)])],
    ['a refusal', 4, refusal(400, 'VALIDATION_ERROR', 'bad')],
    ['a broken stream', 4, stream([sse(run1[0])], 'reset')],
    ['an HTML page', 4, answer(502, '<html>', { 'content-type': 'text/html' })],
    [
      'a run that was cancelled',
      130,
      stream([sse(run1[0]), sse({ ...run1[4], outcome: { type: 'cancelled' } })]),
    ],
  ])('ends after %s with %i', async (_what, code, behaviour) => {
    const server = await startHostileServer({ http: [behaviour] });

    const ended = await cli('invoke', 'hi', '--url', server.url);

    expect(ended.code).toBe(code);
    expect(ended.notes).not.toContain('at ');
  });

  it('ends with 5 when its time is over', async () => {
    const server = await startHostileServer({ http: [stream([sse(run1[0])], 'open')] });

    const ended = await cli('invoke', 'hi', '--url', server.url, '--timeout', '0.5');

    expect(ended).toMatchObject({ code: 5, notes: expect.stringContaining('error TIMEOUT') });
  });

  it('is quiet when its reader goes away', async () => {
    const many = Array.from({ length: 2_000 }, (_none, index) =>
      sse({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: `line ${index} ${'x'.repeat(500)}\n` }),
    );
    const server = await startHostileServer({
      http: [stream([sse(run1[0]), sse(run1[1]), ...many], 'open')],
    });

    const started = start(['invoke', 'hi', '--url', server.url]);
    await started.until('line 0');
    started.child.stdout?.destroy();

    expect(await started.ended).toMatchObject({ code: 0, notes: '' });
  });

  it('keeps a token out of what it says', async () => {
    const server = await startHostileServer({ http: [refusal(401, 'UNAUTHORIZED', 'no')] });
    const environment = { AGENTCORE_TOKEN: 'secret-token' };

    const ended = await start(['invoke', 'hi', '--url', server.url, '--auth', 'bearer', '--verbose'], {
      environment,
    }).ended;

    expect(server.requests[0]?.headers.authorization).toBe('Bearer secret-token');
    expect(ended.code).toBe(4);
    expect(ended.notes + ended.out).not.toContain('secret-token');
  });
});

describe('a command line that can not be obeyed', () => {
  it.each([
    [[], 'whom to call?'],
    [['--arn', arn, '--url', 'http://x'], 'cannot be used'],
    [['--arn', 'arn:aws:s3:::x'], 'not the ARN of a runtime'],
    [['--url', '{url}', '--auth', 'sigv4'], 'ARN'],
    [['--url', '{url}', '--auth', 'bearer'], 'needs a token'],
    [['--url', '{url}', '--auth', 'oauth'], '--token-command'],
    [['--url', '{url}', '--auth', 'magic'], 'magic'],
    [['--url', '{url}', '--session-id', 'short'], '33 to 256'],
    [['--url', '{url}', '--timeout', 'soon'], '--timeout'],
    [['--url', '{url}', '--transport', 'smoke'], 'smoke'],
    [['--url', '{url}', '--forwarded-props', '{'], '--forwarded-props'],
    [['--url', '{url}', '--forwarded-props', '[]'], 'object'],
    [['--url', '{url}', '--file', '/nowhere'], '/nowhere'],
    [['--url', '{url}', '--file', main], 'not a PNG'],
    [['--url', '{url}', '--unknown'], '--unknown'],
  ])('%j is told with 2 before anything is sent', async (args, words) => {
    const server = await startHostileServer({ http: [whole] });

    const ended = await cli('invoke', 'hi', ...args.map((each) => each.replace('{url}', server.url)));

    expect(ended).toMatchObject({ code: 2, out: '', notes: expect.stringContaining(words) });
    expect(server.requests).toEqual([]);
  });
});

describe('Ctrl-C', () => {
  it('once cancels the run and shows its end', async () => {
    const kernel = new ScriptedKernel(async function* (_send, names, signal) {
      yield [submitted(names), textOf(names, 'working')];
      await aborted(signal);
    });
    const server = await startServer({ replace: { kernel } });

    const started = start(['invoke', 'hi', '--url', server.url, '--json']);
    await started.until('working');
    started.child.kill('SIGINT');
    const { code, out } = await started.ended;

    expect(code).toBe(130);
    expect(JSON.parse(out.trimEnd().split('\n').at(-1)!)).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: { type: 'cancelled' },
    });
    expect(kernel.cancels).toHaveLength(1);
  });

  it('twice leaves, though the server does not answer', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await startHostileServer({
      http: [
        stream(
          run1.slice(0, 3).map((event, index) => sse(event, index + 1)),
          'open',
        ),
        () => asked.resolve(),
      ],
    });

    const started = start(['invoke', 'hi', '--url', server.url]);
    await started.until('hello');
    started.child.kill('SIGINT');
    await asked.promise;
    started.child.kill('SIGINT');

    expect((await started.ended).code).toBe(130);
    expect(JSON.parse(server.requests[1]!.body)).toMatchObject({ control: 'cancel' });
  });
});

describe('chat from a pipe', () => {
  it('takes each line for a turn of one thread', async () => {
    const server = await startHostileServer({ http: [whole] });

    const ended = await start(['chat', '--url', server.url], { input: 'one\n\ntwo\n' }).ended;

    expect(ended).toMatchObject({ code: 0, out: 'hello\nhello\n' });
    const inputs = server.requests.map(({ body }) => JSON.parse(body));
    expect(inputs.map(({ messages }) => messages[0].content)).toEqual(['one', 'two']);
    expect(inputs[0].threadId).toBe(inputs[1].threadId);
    expect(inputs[0].runId).not.toBe(inputs[1].runId);
  });
});

describe('the controls', () => {
  it('cancel, attach and stop a session', async () => {
    const server = await startHostileServer({
      http: [
        answer(200, '{"control":"cancel","status":"already_terminal"}'),
        stream(run1.map((event, index) => sse(event, index + 1))),
        answer(200, '{}'),
        answer(200, '{"status":"not_found"}'),
      ],
    });
    const run = ['--thread', 't', '--run', 'r'];
    const runtime = ['--arn', arn, '--endpoint', server.url, '--auth', 'bearer'];
    const environment = { AGENTCORE_TOKEN: 'x' };

    expect(await cli('cancel', '--url', server.url, ...run)).toMatchObject({
      code: 0,
      out: 'already_terminal\n',
    });
    expect(await cli('attach', '--url', server.url, ...run)).toMatchObject({ code: 0, out: 'hello\n' });
    expect(await start(['stop-session', ...runtime, '--thread', 't'], { environment }).ended).toMatchObject({
      code: 0,
      out: 'stopped\n',
    });
    expect(await cli('cancel', '--url', server.url, ...run, '--json')).toMatchObject({ code: 1 });
    expect(server.requests[2]?.headers['x-amzn-bedrock-agentcore-runtime-session-id']).toMatch(
      /^[0-9a-f]{64}$/,
    );
    expect((await cli('stop-session', '--url', server.url, '--thread', 't')).code).toBe(2);
  });

  it('make session ids', async () => {
    const ended = await cli('session-id', '--user', 'u', '--thread', 'a', '--tenant', 't', '--prefix', 'p-');

    expect(ended.out).toBe('p-97bfa929d9ae9c5e32aef45d9278f8b481a05b44c179fb411823af2f38d1461d\n');
    expect((await cli('session-id', '--user', 'u')).code).toBe(2);
    expect((await cli('session-id', '--user', 'u', '--thread', 'a', '--prefix', '-')).code).toBe(2);
  });
});

describe('--auth oauth', () => {
  const guarded: HttpBehaviour = (response, request) => {
    const origin = `http://${request.headers.host}`;
    const json = { 'content-type': 'application/json' };
    const challenge = { 'www-authenticate': `Bearer resource_metadata="${origin}/metadata"` };
    switch (request.path) {
      case '/metadata':
        return answer(
          200,
          JSON.stringify({ authorization_servers: [origin], scopes_supported: ['s'] }),
          json,
        )(response, request);
      case '/.well-known/openid-configuration':
        return answer(200, JSON.stringify({ token_endpoint: `${origin}/token` }), json)(response, request);
      case '/token':
        return answer(200, '{"access_token":"granted"}', json)(response, request);
      default:
        return request.headers.authorization === 'Bearer granted'
          ? whole(response, request)
          : refusal(401, 'UNAUTHORIZED', 'no', undefined, challenge)(response, request);
    }
  };

  it('gets a token by client credentials where the server says', async () => {
    const server = await startHostileServer({ http: [guarded] });
    const environment = { AGENTCORE_CLIENT_ID: 'me', AGENTCORE_CLIENT_SECRET: 's p' };

    const ended = await start(['invoke', 'hi', '--url', server.url, '--auth', 'oauth'], { environment })
      .ended;

    expect(ended).toMatchObject({ code: 0, out: 'hello\n' });
    const grant = server.requests.find(({ path }) => path === '/token');
    expect(grant?.body).toBe('grant_type=client_credentials&scope=s');
    expect(grant?.headers.authorization).toBe(`Basic ${Buffer.from('me:s%20p').toString('base64')}`);
  });

  it('gets a token from a command', async () => {
    const server = await startHostileServer({ http: [guarded] });

    const ended = await cli(
      'invoke',
      'hi',
      '--url',
      server.url,
      '--auth',
      'oauth',
      '--token-command',
      'echo granted',
    );

    expect(ended).toMatchObject({ code: 0, out: 'hello\n' });
  });
});
