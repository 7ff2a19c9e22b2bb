/** What an operator reads: one line for each run that ended, with ids, times and counts, and nothing of what was said. */
import { describe, expect, it, vi } from 'vitest';
import { KernelError } from '../../src/errors/kernel-error.ts';
import { call, input, run } from '../support/requests.ts';
import { ScriptedKernel, turn } from '../support/scripted-kernel.ts';
import { type LogLine, startServer, type TestServer } from '../support/servers.ts';
import { hasEnded, openSocket } from '../support/sockets.ts';

const sessionId = 'session-0123456789-0123456789-0123456789';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const headers = {
  'x-amzn-bedrock-agentcore-runtime-session-id': sessionId,
  'x-amzn-bedrock-agentcore-runtime-request-id': 'request-7',
  traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
};

const endsIn = (server: TestServer): readonly LogLine[] =>
  server.log.filter(({ event }) => event === 'run ended');

describe('the log', () => {
  it('has one line for a run that ended, with its ids, times and counts', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('Grüß ', 'Gott')) } });
    const body = input();

    await run(`${server.url}/invocations`, body, headers);

    expect(endsIn(server)).toHaveLength(1);
    expect(endsIn(server)[0]).toMatchObject({
      level: 'info',
      fields: {
        requestId: 'request-7',
        sessionId,
        threadId: body['threadId'],
        runId: body['runId'],
        traceId,
        spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
        executionId: expect.any(String),
        outcome: 'finished',
        fault: undefined,
        firstEventMs: expect.any(Number),
        kernelMs: expect.any(Number),
        durationMs: expect.any(Number),
        messages: 1,
        toolCalls: 0,
        interrupts: 0,
        bytes: 11,
      },
    });
  });

  it('takes the trace of a caller that speaks X-Ray', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });
    const xray = 'Root=1-4bf92f35-77b34da6a3ce929d0e0e4736;Parent=00f067aa0ba902b7;Sampled=1';

    await run(`${server.url}/invocations`, input(), { 'x-amzn-trace-id': xray });

    expect(endsIn(server)[0]?.fields).toMatchObject({ traceId });
  });

  it('tells the fault of a run that failed, once by its public word', async () => {
    const kernel = new ScriptedKernel(() => {
      throw new KernelError('unavailable', 'nobody there');
    });
    const server = await startServer({ replace: { kernel } });

    await run(`${server.url}/invocations`, input(), headers);

    expect(server.log.filter(({ fields }) => fields['fault'] !== undefined)).toHaveLength(1);
    expect(endsIn(server)[0]?.fields).toMatchObject({
      outcome: 'failed',
      fault: 'A2A_UNAVAILABLE',
      reason: 'kernel-unavailable',
    });
  });

  it('has the same line for a run of a socket', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });
    const socket = await openSocket(`${server.url}/ws`, headers);
    const body = input();

    socket.send(body);
    await socket.until(hasEnded(1));

    expect(endsIn(server)[0]?.fields).toMatchObject({
      requestId: 'request-7',
      sessionId,
      threadId: body['threadId'],
      runId: body['runId'],
      traceId,
      outcome: 'finished',
    });
  });

  it('names the run of a request that was refused', async () => {
    const server = await startServer();
    const body = input({ messages: 7 });

    await run(`${server.url}/invocations`, body, headers);

    const refused = server.log.find(({ event }) => event === 'request refused');
    expect(refused).toMatchObject({
      level: 'debug',
      fields: {
        requestId: 'request-7',
        sessionId,
        threadId: body['threadId'],
        runId: body['runId'],
        traceId,
        fault: 'INVALID_INPUT',
        reason: 'envelope-invalid',
      },
    });
  });

  it('tells how each request ended, with the bytes of its answer, to those who ask for more lines', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });

    const answer = await run(`${server.url}/invocations`, input(), headers);

    const ended = await vi.waitFor(() => {
      const found = server.log.find(({ event }) => event === 'request ended');
      expect(found).toBeDefined();
      return found;
    });
    expect(ended).toMatchObject({
      level: 'debug',
      fields: { method: 'POST', status: 200, door: 'agentcore' },
    });
    expect(Number(ended?.fields['bytes'])).toBeGreaterThan(answer.text.length);
  });

  it('is silent about /ping and /health', async () => {
    const server = await startServer();
    const before = server.log.length;

    await call(`${server.url}/ping`, { method: 'GET' });
    await call(`${server.url}/health`, { method: 'GET' });

    expect(server.log).toHaveLength(before);
  });

  it('holds nothing of what user and agent said', async () => {
    const server = await startServer({
      replace: { kernel: new ScriptedKernel(turn('the agent whispers xyzzy')) },
    });
    const messages = [{ id: 'm', role: 'user', content: 'the user whispers plugh' }];

    await run(`${server.url}/invocations`, input({ messages }), headers);
    await run(`${server.url}/invocations`, input({ messages, unknownMember: 'plugh' }), headers);

    expect(JSON.stringify(server.log)).not.toMatch(/xyzzy|plugh/);
  });
});
