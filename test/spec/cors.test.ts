/** Pages of other sites: exactly those that are named, and nothing for anybody else. */
import { describe, expect, it } from 'vitest';
import { call, input, run } from '../support/requests.ts';
import { startServer } from '../support/servers.ts';

const friend = 'https://friend.example';
const stranger = 'https://friend.example.evil.example';
const allowed = { AGUI_CORS_ORIGINS: `${friend}, http://localhost:5173`, AGUI_AUTH_TOKEN: 'token' };

const preflight = (origin: string, headers: string) => ({
  method: 'OPTIONS',
  headers: {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': headers,
  },
});

describe('a page of another site', () => {
  it('may send this server’s headers, and no others, when its origin is named', async () => {
    const server = await startServer({ environment: allowed });
    const wanted =
      'authorization,content-type,x-amzn-bedrock-agentcore-runtime-session-id,x-amzn-bedrock-agentcore-runtime-custom-a,x-evil';

    const answer = await call(`${server.url}/invocations`, preflight(friend, wanted));

    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': friend,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': wanted.replace(',x-evil', '').replaceAll(',', ', '),
      vary: 'Origin',
    });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('reads streams, errors and their headers', async () => {
    const server = await startServer({ environment: allowed });
    const headers = { origin: friend, authorization: 'Bearer token' };

    const answers = [
      await run(`${server.url}/invocations`, input(), headers),
      await run(`${server.url}/invocations`, 'no JSON', headers),
      await run(`${server.url}/invocations`, input(), { origin: friend }),
      await run(`${server.url}/`, {}, headers),
      await call(`${server.url}/ping`, { method: 'GET', headers }),
      await call(`${server.url}/nowhere`, { method: 'GET', headers }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 400, 200, 404]);
    for (const answer of answers) {
      expect(answer.headers['access-control-allow-origin']).toBe(friend);
      expect(answer.headers['access-control-expose-headers']).toContain('x-amzn-requestid');
    }
  });

  it.each([stranger, 'null', `${friend}:8443`, 'http://friend.example', 'https://FRIEND.example'])(
    'gets nothing as %s, which is not named',
    async (origin) => {
      const server = await startServer({ environment: allowed });

      const asked = await call(`${server.url}/invocations`, preflight(origin, 'authorization'));
      const got = await run(`${server.url}/invocations`, input(), { origin, authorization: 'Bearer token' });

      for (const { headers } of [asked, got]) {
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
      expect(asked.status).toBe(405);
    },
  );

  it('gets nothing from a server that names none', async () => {
    const server = await startServer();

    const asked = await call(`${server.url}/invocations`, preflight(friend, 'authorization'));
    const got = await run(`${server.url}/invocations`, input(), { origin: friend });

    for (const { headers } of [asked, got]) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(headers.vary).toBeUndefined();
    }
  });

  it('can not have a run begun by a form, which needs no leave', async () => {
    const server = await startServer();

    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const answer = await run(`${server.url}/invocations`, input(), {
        origin: friend,
        'content-type': type,
      });

      expect(answer.status).toBe(400);
    }
  });
});
