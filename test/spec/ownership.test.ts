/** Sessions and threads belong to who used them first; a stranger learns nothing of them. */
import { describe, expect, it } from 'vitest';
import { apiAudience, newKey, startIssuer } from '../support/oidc.ts';
import { type Answer, eventsOf, input, run } from '../support/requests.ts';
import { startServer, type TestServer } from '../support/servers.ts';
import { openSocket } from '../support/sockets.ts';
import { lawfulClaims, signed } from '../support/tokens.ts';

const key = newKey();
const sessionHeader = 'x-amzn-bedrock-agentcore-runtime-session-id';
const session = 'session-of-ann-0123456789-0123456789';
const otherSession = 'session-of-none-0123456789-0123456789';

interface Stage {
  readonly server: TestServer;
  as(user: string, inSession?: string): Record<string, string>;
  restart(): Promise<TestServer>;
}

async function stage(): Promise<Stage> {
  const issuer = await startIssuer(key);
  const environment = {
    AGUI_AUTH: 'jwt',
    AGUI_JWT_DISCOVERY_URL: issuer.discoveryUrl,
    AGUI_JWT_ALLOWED_AUDIENCE: apiAudience,
  };
  const server = await startServer({ environment });
  return {
    server,
    as: (user, inSession) => ({
      authorization: `Bearer ${signed(key, lawfulClaims(issuer.issuer, { sub: user }))}`,
      ...(inSession === undefined ? {} : { [sessionHeader]: inSession }),
    }),
    async restart() {
      await server.stop();
      return startServer({ environment, folder: server.folder });
    },
  };
}

/** An answer without what differs between any two requests. */
function essence({ status, text, headers }: Answer): unknown {
  const body = text
    .replaceAll(String(headers['x-amzn-requestid']), 'REQUEST')
    .replace(/(thread|run)-[\w-]+/g, '$1');
  return { status, body, type: headers['content-type'], length: headers['content-length'] };
}

/** An id that nobody uses, which takes the same room in an answer. */
const sameLength = (id: unknown): string => String(id).replace(/\d/g, 'x');

const deletion = (more: object) =>
  input({ messages: [{ id: 'm', role: 'user', content: 'Delete the file vpc.yaml' }], ...more });

describe('a thread', () => {
  it('is closed to every other subject: run, resume, attach and cancel', async () => {
    const { server, as } = await stage();
    const url = `${server.url}/invocations`;
    const first = input();
    await run(url, first, as('ann'));
    const question = deletion({ threadId: first['threadId'] });
    const asked = eventsOf((await run(url, question, as('ann'))).text).at(-1);
    const resume = [{ interruptId: 'any', status: 'resolved', payload: { decision: 'allow_once' } }];
    const names = { threadId: first['threadId'], runId: question['runId'] };
    const unknown = { threadId: sameLength(names.threadId), runId: sameLength(names.runId) };

    const taken = await run(url, input({ threadId: first['threadId'] }), as('eve'));
    const pairs = await Promise.all(
      [{ ...input(), messages: [], resume }, { control: 'attach' }, { control: 'cancel' }].map(
        async (body) => [
          essence(
            await run(url, { ...body, ...names, ...('resume' in body ? { runId: 'run-x' } : {}) }, as('eve')),
          ),
          essence(
            await run(
              url,
              { ...body, ...unknown, ...('resume' in body ? { runId: 'run-x' } : {}) },
              as('eve'),
            ),
          ),
        ],
      ),
    );
    const own = await run(url, { control: 'attach', ...names }, as('ann'));

    expect(asked).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'interrupt' } });
    expect(taken.status).toBe(403);
    expect(eventsOf(taken.text)).toMatchObject([{ type: 'RUN_ERROR', code: 'ACCESS_DENIED' }]);
    for (const [foreign, none] of pairs) expect(foreign).toEqual(none);
    expect(own.status).toBe(200);
  });

  it('is closed on a socket too', async () => {
    const { server, as } = await stage();
    const mine = input();
    await run(`${server.url}/invocations`, mine, as('ann'));
    const socket = await openSocket(`${server.url}/ws`, as('eve'));

    socket.send(input({ threadId: mine['threadId'] }));
    socket.send({ control: 'attach', threadId: mine['threadId'], runId: mine['runId'] });
    socket.send({ control: 'cancel', threadId: mine['threadId'], runId: mine['runId'] });
    const events = await socket.until((seen) => seen.length >= 3);

    expect(events.map(({ code, status }) => code ?? status).sort()).toEqual([
      'ACCESS_DENIED',
      'VALIDATION_ERROR',
      'not_found',
    ]);
  });
});

describe('a session', () => {
  it('belongs to its first subject, over a restart and for threads that do not exist yet', async () => {
    const { server, as, restart } = await stage();
    await run(`${server.url}/invocations`, input(), as('ann', session));

    const before = await run(`${server.url}/invocations`, input(), as('eve', session));
    const again = await restart();
    const after = await run(`${again.url}/invocations`, input(), as('eve', session));
    const owner = await run(`${again.url}/invocations`, input(), as('ann', session));

    expect([before.status, after.status, owner.status]).toEqual([403, 403, 200]);
  });

  it('of somebody else answers attach, cancel and resume like one that does not exist', async () => {
    const { server, as } = await stage();
    const url = `${server.url}/invocations`;
    const mine = input();
    await run(url, mine, as('ann', session));
    const names = { threadId: mine['threadId'], runId: mine['runId'] };
    const resume = [{ interruptId: 'any', status: 'resolved', payload: {} }];

    for (const body of [
      { control: 'attach', ...names },
      { control: 'cancel', ...names },
      { ...input(), ...names, runId: 'run-new', messages: [], resume },
    ]) {
      const foreign = await run(url, body, as('eve', session));
      const none = await run(url, body, as('eve', otherSession));

      expect(essence(foreign)).toEqual(essence(none));
    }
  });

  it('is taken by exactly one of two who come at once', async () => {
    const { server, as } = await stage();
    const users = ['ann', 'eve', 'bob', 'joe'];

    const answers = await Promise.all(
      users.map((user) => run(`${server.url}/invocations`, input(), as(user, session))),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
  });

  it('is not opened by a user id that nobody verified', async () => {
    const { server, as } = await stage();
    await run(`${server.url}/invocations`, input(), as('ann', session));

    const answer = await run(`${server.url}/invocations`, input(), {
      ...as('eve', session),
      'x-amzn-bedrock-agentcore-runtime-user-id': 'ann',
    });

    expect(answer.status).toBe(403);
  });
});
