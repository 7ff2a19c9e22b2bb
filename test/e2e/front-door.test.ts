/**
 * The whole way: client → front door → container process → engine → kernel process, by SigV4 and OAuth, over SSE and
 * WebSocket. Nothing is doubled but the kernel, which does what its user tells it.
 */
import { join } from 'node:path';
import {
  BedrockAgentCoreClient,
  InvokeAgentRuntimeCommand,
  StopRuntimeSessionCommand,
} from '@aws-sdk/client-bedrock-agentcore';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AgentCoreAgent } from '../../src/client/agent.ts';
import { AgentCoreClient } from '../../src/client/client.ts';
import type { Credentials } from '../../src/client/credentials.ts';
import { presignWebSocketUrl } from '../../src/client/sigv4-socket.ts';
import type { ReceivedEvent } from '../../src/client/transport.ts';
import { verifiesOn } from '../spec/verifies.ts';
import {
  arn,
  aws,
  type RuntimeInput,
  runtimeInput,
  startDoor,
  type TestDoor,
} from '../support/front-door.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { eventsOf, input } from '../support/requests.ts';
import { temporaryFolder, type WhenDone } from '../support/servers.ts';

const root = join(import.meta.dirname, '../..');
const ours = [process.execPath, join(root, 'src/cli/main.ts'), 'serve'];
const kernel = `"${process.execPath}" "${join(root, 'test/fake-kernel/main.ts')}" --port {{port}}`;

interface Place {
  readonly door: TestDoor;
  readonly credentials: Credentials;
}

const environment = {
  AGUI_HOST: '127.0.0.1',
  AGUI_PORT: '{port}',
  AGUI_CONFIG_DIR: '{storage}',
  AGUI_WORKSPACE_DIR: '{storage}/workspace',
  AGUI_REQUIRE_SESSION: 'true',
};

async function open(
  auth: 'sigv4' | 'oauth',
  more: Readonly<Record<string, string>> = {},
  runtime: RuntimeInput = {},
  whenDone: WhenDone = onTestFinished,
): Promise<Place> {
  const base = {
    ...runtime,
    command: ours,
    environment: { ...environment, ...more },
    sessionStorage: { folder: await temporaryFolder(whenDone) },
  };
  if (auth === 'sigv4') {
    const door = await startDoor([runtimeInput(base)], {}, whenDone);
    return { door, credentials: { type: 'sigv4', credentials: aws } };
  }
  const provider = await startIdentityProvider(whenDone);
  const customJWTAuthorizer = { discoveryUrl: provider.discoveryUrl, allowedClients: ['web'] };
  const runtimes = [runtimeInput({ ...base, authorizer: { customJWTAuthorizer } })];
  const door = await startDoor(runtimes, {}, whenDone);
  return { door, credentials: { type: 'bearer', token: tokensOf(provider) } };
}

/** Knows nothing at first, and where tokens come from only by the refusal. */
function tokensOf(provider: IdentityProvider): Extract<Credentials, { type: 'bearer' }>['token'] {
  return async ({ reason, ...asked }) => {
    if (reason === 'call') return 'not-a-token';
    const servers = 'challenge' in asked ? asked.challenge?.authorizationServers : undefined;
    expect(servers).toEqual([provider.issuer]);
    return provider.token();
  };
}

const options = ({ door, credentials }: Place, transport: 'sse' | 'ws') => ({
  target: { kind: 'runtime', arn, endpoint: door.url } as const,
  credentials,
  transport,
});

async function collect(events: AsyncIterable<ReceivedEvent>): Promise<readonly ReceivedEvent[]> {
  const all: ReceivedEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

// An input of the test's own making.
const inputOf = (content: string, more: Readonly<Record<string, unknown>> = {}) =>
  input({
    threadId: 'thread-1',
    messages: [{ id: `m-${content}`, role: 'user', content }],
    ...more,
  }) as unknown as {
    threadId: string;
    runId: string;
  };

const wordsOf = (events: readonly ReceivedEvent[]): string =>
  events.map((event) => (event.type === 'TEXT_MESSAGE_CONTENT' ? event['delta'] : '')).join('');

const combinations = [
  ['sigv4', 'sse'],
  ['sigv4', 'ws'],
  ['oauth', 'sse'],
  ['oauth', 'ws'],
] as const;

describe.each(combinations)('a session by %s over %s', (auth, transport) => {
  let place: Place;
  let client: AgentCoreClient;

  const cleaners: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const environment = { AGUI_KERNEL_COMMAND: kernel, AGUI_ON_DISCONNECT: 'detach' };
    place = await open(auth, environment, {}, (clean) => void cleaners.unshift(clean));
    client = new AgentCoreClient({ ...options(place, transport), sessionId: 's'.repeat(40) });
  });

  afterAll(async () => {
    for (const clean of cleaners) await clean();
  });

  it('is waited for while it starts, and so is throttling', async () => {
    place.door.setFaults([{ times: 1, fault: { kind: 'exception', exception: 'ThrottlingException' } }]);

    const both = await Promise.all([
      collect(client.run(inputOf('Grüße 👋', { threadId: 'thread-a' }))),
      collect(client.run(inputOf('an alle', { threadId: 'thread-b' }))),
    ]);

    expect(both.map(wordsOf)).toEqual(['Grüße 👋', 'an alle']);
    expect(both.map((events) => events.at(-1)?.type)).toEqual(['RUN_FINISHED', 'RUN_FINISHED']);
  });

  it('is met again by the next run, and nothing is wrong with its pings', async () => {
    verifiesOn('agentcore', 'auth.sigv4', 'auth.bearer');
    verifiesOn('ws', 'auth.sigv4', 'auth.bearer');
    await collect(client.run(inputOf('one')));
    await collect(client.run(inputOf('two')));

    expect(place.door.sessions()).toMatchObject([{ state: 'active', reports: [] }]);
    expect(place.door.log.filter(({ event }) => event === 'session-started')).toHaveLength(1);
  });

  it('lets a run be cancelled beside its stream', async () => {
    const work = inputOf('/work');

    const seen: ReceivedEvent[] = [];
    for await (const event of client.run(work)) {
      seen.push(event);
      if (event.type !== 'TEXT_MESSAGE_CONTENT') continue;
      expect(await client.cancel('thread-1', work.runId)).toBe('cancelled');
    }

    expect(seen.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'CANCELLED' });
  });

  it('is asked once more when it is not there yet, and a stream that breaks is taken up again without a gap', async () => {
    const words = Array.from({ length: 60 }, (_each, index) => `word${index}`).join(' ');
    const operation = transport === 'sse' ? 'InvokeAgentRuntime' : 'InvokeAgentRuntimeWithWebSocketStream';
    const calls = () =>
      place.door.log.filter((line) => line.event !== 'refused' && line['operation'] === operation).length;
    const before = calls();
    place.door.setFaults([
      { operation, times: 1, fault: { kind: 'status', status: 424 } },
      { operation, times: 1, fault: { kind: 'drop', after: transport === 'sse' ? 2_000 : 4 } },
    ]);

    const events = await collect(client.run(inputOf(words)));

    expect(wordsOf(events)).toBe(words);
    expect(events.filter(({ type }) => type === 'RUN_STARTED')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(calls() - before).toBe(3);
  });
});

describe.each(combinations.filter(([auth, transport]) => (auth === 'oauth') === (transport === 'ws')))(
  'by %s over %s',
  (auth, transport) => {
    it('a question survives the stop of its session, and its answer goes to a new container', async () => {
      const place = await open(auth);
      const agent = new AgentCoreAgent({ ...options(place, transport), threadId: 'thread-1' });
      const say = (content: string) => {
        agent.addMessage({ id: content, role: 'user', content });
        return agent.runAgent();
      };

      await say('Create a VPC template with 2 subnets');
      await say('Delete the file vpc.yaml');
      const [question] = agent.pendingInterrupts;
      expect(await agent.client.stopSession('thread-1')).toBe('stopped');
      const payload = { decision: 'allow_once' };
      const resume = [{ interruptId: question?.id ?? '', status: 'resolved' as const, payload }];
      const { newMessages } = await agent.runAgent({ resume });

      expect(question).toBeDefined();
      expect(agent.pendingInterrupts).toEqual([]);
      expect(JSON.stringify(newMessages)).toContain('vpc.yaml');
      expect(place.door.log.filter(({ event }) => event === 'session-started')).toHaveLength(2);
    });
  },
);

describe('the life of a session', () => {
  it('is held by our server’s /ping while a run goes on, and by nothing afterwards', async () => {
    const lifecycle = { idleRuntimeSessionTimeout: 1.5, maxLifetime: 60 };
    const place = await open('sigv4', { AGUI_KERNEL_COMMAND: kernel }, { lifecycle });
    const [busy, quiet] = ['b'.repeat(40), 'q'.repeat(40)] as const;
    const clientOf = (sessionId: string) => new AgentCoreClient({ ...options(place, 'sse'), sessionId });
    const work = inputOf('/work');

    const running = collect(clientOf(busy).run(work));
    await place.door.seen('session-started', busy);
    await collect(clientOf(quiet).run(inputOf('hello')));
    const ended = await place.door.seen('session-ended', quiet);
    const held = place.door.sessions();
    await clientOf(busy).cancel('thread-1', work.runId);

    expect(ended).toMatchObject({ reason: 'idle' });
    expect(held).toMatchObject([{ sessionId: busy, state: 'active', status: 'HealthyBusy', reports: [] }]);
    expect((await running).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'CANCELLED' });
    expect(await place.door.seen('session-ended', busy)).toMatchObject({ reason: 'idle' });
  });
});

describe('a page', () => {
  it('talks over an address that its backend has signed', async () => {
    const place = await open('sigv4', { AGUI_KERNEL_COMMAND: kernel });
    const { target, credentials } = {
      ...options(place, 'ws'),
      credentials: { type: 'sigv4', credentials: aws },
    } as const;
    const url = (sessionId: string) => presignWebSocketUrl({ target, credentials, sessionId });
    const client = new AgentCoreClient({ ...options(place, 'ws'), credentials: { type: 'presigned', url } });

    expect(wordsOf(await collect(client.run(inputOf('hello'))))).toBe('hello');
  });
});

describe('AWS’s own client', () => {
  const sdk = (endpoint: string, secretAccessKey = aws.secretAccessKey) => {
    const client = new BedrockAgentCoreClient({
      region: 'us-west-2',
      endpoint,
      credentials: { accessKeyId: aws.accessKeyId, secretAccessKey },
      maxAttempts: 1,
    });
    onTestFinished(() => client.destroy());
    return client;
  };
  const runtimeSessionId = 'a'.repeat(36);
  const invoke = () =>
    new InvokeAgentRuntimeCommand({
      agentRuntimeArn: arn,
      runtimeSessionId,
      qualifier: 'DEFAULT',
      contentType: 'application/json',
      accept: 'text/event-stream',
      payload: Buffer.from(JSON.stringify(inputOf('hello'))),
    });

  it('invokes, streams and stops with an endpoint override and nothing else', async () => {
    const { door } = await open('sigv4', { AGUI_KERNEL_COMMAND: kernel });
    const client = sdk(door.url);

    const answer = await client.send(invoke());
    const text = (await answer.response?.transformToString()) ?? '';
    const stopped = await client.send(
      new StopRuntimeSessionCommand({ agentRuntimeArn: arn, runtimeSessionId }),
    );

    expect(answer).toMatchObject({ statusCode: 200, contentType: 'text/event-stream', runtimeSessionId });
    expect(eventsOf(text).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(stopped).toMatchObject({ runtimeSessionId, statusCode: 200 });
    expect(door.sessions()).toEqual([]);
  });

  it('names what a runtime of the HTTP protocol refuses, and what is refused beside invocations', async () => {
    const door = await startDoor([runtimeInput({ protocol: 'HTTP' })]);
    const client = sdk(door.url);
    const named = (promise: Promise<unknown>) => promise.then(String, (thrown: Error) => thrown.name);

    const names = [await named(sdk(door.url, 'wrong').send(invoke()))];
    for (const exception of [
      'ThrottlingException',
      'RetryableConflictException',
      'RuntimeClientError',
    ] as const) {
      door.setFaults([{ fault: { kind: 'exception', exception } }]);
      names.push(await named(client.send(invoke())));
    }
    door.setFaults([]);
    names.push(
      await named(client.send(new StopRuntimeSessionCommand({ agentRuntimeArn: arn, runtimeSessionId }))),
    );

    expect(names).toEqual([
      'AccessDeniedException',
      'ThrottlingException',
      'RetryableConflictException',
      'RuntimeClientError',
      'ResourceNotFoundException',
    ]);
  });

  it('takes the refusal of an AG-UI runtime for broken JSON, which ours does not', async () => {
    const { door, credentials } = await open('sigv4');
    door.setFaults([{ fault: { kind: 'exception', exception: 'ConflictException' } }]);

    const theirs = await sdk(door.url)
      .send(invoke())
      .catch((thrown: Error) => thrown);
    const own = new AgentCoreClient({ ...options({ door, credentials }, 'sse') }).run(inputOf('hello'));

    expect(theirs).toMatchObject({ name: 'SyntaxError', $response: { statusCode: 409 } });
    await expect(collect(own)).rejects.toMatchObject({ code: 'SESSION_BUSY', status: 409 });
  });
});
