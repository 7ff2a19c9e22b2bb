/** What is of the iac-code door alone: its JSON envelope and the order of its checks, health, credentials, Accept. */
import { describe, expect, it } from 'vitest';
import { Conversation, lastOf } from '../support/conversation.ts';
import { call, eventsOf, run } from '../support/requests.ts';
import { ScriptedKernel, turn } from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { verifiesOn } from './verifies.ts';

const begin = async (environment = {}) => {
  const kernel = new ScriptedKernel(turn('hello'));
  const server = await startServer({ replace: { kernel }, environment });
  return { kernel, server, talk: new Conversation(server, 'iac-code') };
};

describe('POST /', () => {
  it('checks in a fixed order: token, media type, size, JSON, object, envelope, extension, workspace, thread', async () => {
    verifiesOn('iac-code', 'error.envelope', 'http.json-body', 'error.invalid-input', 'http.bearer');
    verifiesOn('iac-code', 'input.body-size', 'error.duplicate-run-id');
    const { server, talk, kernel } = await begin({ AGUI_AUTH_TOKEN: 'token', AGUI_MAX_BODY_BYTES: '4096' });
    const headers = { authorization: 'Bearer token' };
    const good = talk.body();
    await run(`${server.url}/`, good, headers);
    const text = { 'content-type': 'text/plain' };
    const bad = { ...good, threadId: '', forwardedProps: { iacCode: { bogus: 1 } } };
    const steps = [
      [{ body: 'x'.repeat(5_000), headers: text }, 401, 'UNAUTHORIZED'],
      [{ body: 'x'.repeat(5_000), headers: { ...headers, ...text } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [{ body: 'x'.repeat(5_000), headers }, 413, 'REQUEST_TOO_LARGE'],
      [{ body: '', headers }, 400, 'INVALID_JSON'],
      [{ body: 'x', headers }, 400, 'INVALID_JSON'],
      [{ body: '[1]', headers }, 400, 'INVALID_INPUT'],
      [{ body: JSON.stringify(bad), headers }, 400, 'INVALID_INPUT'],
      [{ body: JSON.stringify({ ...bad, threadId: good['threadId'] }), headers }, 400, 'INVALID_INPUT'],
      [
        {
          body: JSON.stringify({ ...good, forwardedProps: { iacCode: talk.props({ cwd: '/etc' }) } }),
          headers,
        },
        400,
        'INVALID_INPUT',
      ],
      [{ body: JSON.stringify(good), headers }, 409, 'DUPLICATE_RUN_ID'],
    ] as const;

    const answers = [];
    for (const [request] of steps) answers.push(await call(`${server.url}/`, request));

    expect(answers.map(({ status }) => status)).toEqual(steps.map(([, status]) => status));
    for (const [index, answer] of answers.entries()) {
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.headers['x-amzn-requestid']).toMatch(/./);
      expect(JSON.parse(answer.text)).toEqual({
        error: { code: steps[index]?.[2], message: expect.stringMatching(/^\S.{10,}/) },
      });
    }
    const sentences = answers.slice(5, 9).map(({ text: body }) => JSON.parse(body).error.message);
    expect(sentences[0]).toMatch(/object/);
    expect(sentences[1]).toMatch(/threadId/);
    expect(sentences[2]).toMatch(/iacCode/);
    expect(sentences[3]).toMatch(/workspace|folder|root/i);
    expect(kernel.sends).toHaveLength(1);
  });

  it('asks for no credentials where no token is configured', async () => {
    verifiesOn('iac-code', 'http.no-auth-by-default', 'http.run');
    const { talk } = await begin();

    const answer = await talk.say();

    expect(answer.status).toBe(200);
    expect(answer.contentType).toBe('text/event-stream');
    expect(lastOf(answer)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  it('takes the configured token and no other, also for a cancel', async () => {
    verifiesOn('iac-code', 'http.bearer');
    const { server, talk } = await begin({ AGUI_AUTH_TOKEN: 'token' });
    const cancel = `${server.url}/extensions/iac-code/v1/executions/e/cancel`;
    const names = { threadId: 't', rosInvocationId: 'i' };

    const statuses = [];
    for (const headers of [{}, { authorization: 'Bearer other' }, { authorization: 'Basic token' }]) {
      statuses.push((await run(`${server.url}/`, talk.body(), headers)).status);
      statuses.push((await run(cancel, names, headers)).status);
    }
    const right = { authorization: 'Bearer token' };
    const taken = await run(`${server.url}/`, talk.body(), right);
    const unknown = await run(cancel, names, right);

    expect(statuses).toEqual([401, 401, 401, 401, 401, 401]);
    expect(taken.status).toBe(200);
    expect(unknown.status).toBe(404);
  });

  it.each([
    ['text/event-stream', 200],
    ['text/*', 200],
    ['*/*', 200],
    ['application/json, text/event-stream;q=0.5', 200],
    ['application/json', 400],
    ['text/event-stream;q=0, */*', 400],
  ])('asked with Accept: %s answers %d', async (accept, status) => {
    verifiesOn('iac-code', 'http.accept');
    const { server, talk, kernel } = await begin();

    const answer = await run(`${server.url}/`, talk.body(), { accept });

    expect(answer.status).toBe(status);
    if (status === 400) expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'INVALID_INPUT' } });
    expect(kernel.sends).toHaveLength(status === 200 ? 1 : 0);
  });

  it('says 503 while the server drains', async () => {
    const { server, talk } = await begin();
    server.parts.health.enter('draining');

    const answer = await talk.say();

    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'NOT_READY' } });
  });

  it('answers a state file that can not be read with 503, for that thread alone', async () => {
    const { server, talk } = await begin();
    await talk.say();
    await server.stop();
    const { writeFile } = await import('node:fs/promises');
    await writeFile(talk.stateFile, '{"schemaVersion":1,"half');
    const kernel = new ScriptedKernel(turn('hello'));
    const again = await startServer({ replace: { kernel }, folder: server.folder });

    const broken = await new Conversation(again, 'iac-code', { threadId: talk.threadId }).say();
    const other = await new Conversation(again, 'iac-code').say();

    expect(broken.status).toBe(503);
    expect(JSON.parse(broken.text)).toMatchObject({ error: { code: 'STATE_UNAVAILABLE' } });
    expect(other.status).toBe(200);
    expect(kernel.sends).toHaveLength(1);
  });
});

describe('GET /health', () => {
  it('tells the state and the protocol versions, without credentials', async () => {
    verifiesOn('iac-code', 'http.health');
    const { server } = await begin({ AGUI_AUTH_TOKEN: 'token' });

    const answer = await call(`${server.url}/health`, { method: 'GET' });
    server.parts.health.enter('draining');
    const draining = await call(`${server.url}/health`, { method: 'GET' });

    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(JSON.parse(answer.text)).toEqual({
      status: 'ok',
      protocol: 'ag-ui',
      protocolPackageVersion: '1.0',
      executionKernel: 'a2a-1.0',
      serverVersion: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    expect(draining.status).toBe(503);
    expect(eventsOf(draining.text)).toEqual([]);
  });
});
