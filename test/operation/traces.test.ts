/** What a trace shows: who asked, the run, each call of the kernel, each tool, each turn at the model; all of it ended. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { KernelError } from '../../src/errors/kernel-error.ts';
import { startFakeKernel } from '../fake-kernel/start.ts';
import { call, input, openRun, run } from '../support/requests.ts';
import {
  aborted,
  asksOnce,
  type Script,
  ScriptedKernel,
  submitted,
  textOf,
  turn,
} from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { hasEnded, openSocket } from '../support/sockets.ts';
import { parentOf, recordSpans } from './recorded-spans.ts';

const spans = recordSpans();
beforeEach(() => spans.forget());

const sessionId = 'session-0123456789-0123456789-0123456789';
const callerTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';
const headers = {
  'x-amzn-bedrock-agentcore-runtime-session-id': sessionId,
  traceparent: `00-${callerTrace}-${callerSpan}-01`,
};

const works: Script = async function* (_send, names, signal) {
  yield [submitted(names), textOf(names, 'working')];
  await aborted(signal);
};

describe('the trace of a run', () => {
  it('goes on from the caller: request, run and kernel call, one below the other', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });

    await run(`${server.url}/invocations`, input(), headers);

    const [request] = spans.named('POST /invocations');
    const [agent] = spans.named('invoke_agent');
    const [sent] = spans.named('a2a SendStreamingMessage');
    expect(parentOf(request)).toBe(callerSpan);
    expect(parentOf(agent)).toBe(request?.spanContext().spanId);
    expect(parentOf(sent)).toBe(agent?.spanContext().spanId);
    expect(new Set(spans.ended().map((span) => span.spanContext().traceId))).toEqual(new Set([callerTrace]));
  });

  it('has the session on every span, and the names of GenAI on the run', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });
    const body = input();

    await run(`${server.url}/invocations`, body, headers);

    expect(spans.ended().map(({ attributes }) => attributes['session.id'])).toEqual(
      spans.ended().map(() => sessionId),
    );
    expect(spans.named('invoke_agent')[0]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.conversation.id': body['threadId'],
      'agentcore_agui.run.id': body['runId'],
      'agentcore_agui.run.outcome': 'finished',
    });
  });

  it('shows each tool call and each turn at the model of the embedded agent', async () => {
    const server = await startServer();

    await run(`${server.url}/invocations`, input(), headers);

    const tools = spans.ended().filter(({ name }) => name.startsWith('execute_tool '));
    const [agent] = spans.named('invoke_agent');
    expect(tools.length).toBeGreaterThan(0);
    for (const tool of tools) {
      expect(tool.attributes).toMatchObject({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool.name.slice('execute_tool '.length),
        'gen_ai.tool.call.id': expect.any(String),
      });
      expect(parentOf(tool)).toBe(agent?.spanContext().spanId);
    }
    expect(spans.named('chat').length).toBeGreaterThan(0);
    expect(spans.open()).toEqual([]);
  });

  it('links the run that answers to the run that asked, over a restart too', async () => {
    const replace = { kernel: new ScriptedKernel(asksOnce) };
    const first = await startServer({ replace });
    const body = input();
    const resume = [{ interruptId: 'permission-1', status: 'resolved', payload: { decision: 'allow_once' } }];

    await run(`${first.url}/invocations`, body, headers);
    await first.stop();
    const second = await startServer({ replace, folder: first.folder });
    await run(
      `${second.url}/invocations`,
      input({ threadId: body['threadId'], resume, messages: [] }),
      headers,
    );

    const [asked, answered] = spans.named('invoke_agent');
    expect(asked?.attributes['agentcore_agui.run.outcome']).toBe('interrupted');
    expect(answered?.links.map((link) => link.context.spanId)).toEqual([asked?.spanContext().spanId]);
  });

  it('is a root of its own on a socket, linked to the request that opened it', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });
    const socket = await openSocket(`${server.url}/ws`, headers);

    socket.send(input());
    socket.send(input());
    await socket.until(hasEnded(2));

    const [upgrade] = spans.named('GET /ws');
    const runs = spans.named('invoke_agent');
    expect(runs.map(parentOf)).toEqual([undefined, undefined]);
    expect(new Set(runs.map((span) => span.spanContext().traceId)).size).toBe(2);
    for (const each of runs) {
      expect(each.links.map((link) => link.context.spanId)).toEqual([upgrade?.spanContext().spanId]);
      expect(each.attributes['session.id']).toBe(sessionId);
    }
  });

  it('goes on in a kernel that is another process', async () => {
    const kernel = await startFakeKernel();
    const server = await startServer({ environment: { AGUI_KERNEL_URL: kernel.url } });

    await run(`${server.url}/invocations`, input(), headers);

    const [sent] = spans.named('a2a SendStreamingMessage');
    const call = kernel.calls.find(({ method }) => method === 'SendStreamingMessage');
    expect(call?.headers['traceparent']).toBe(`00-${callerTrace}-${sent?.spanContext().spanId}-01`);
    expect(call?.headers['baggage']).toBe(`session.id=${sessionId}`);
  });

  it('has nothing of what was said', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('xyzzy')) } });
    const messages = [{ id: 'm', role: 'user', content: 'plugh' }];

    await run(`${server.url}/invocations`, input({ messages }), headers);

    const told = spans.ended().map(({ name, attributes, events }) => [name, attributes, events]);
    expect(JSON.stringify(told)).not.toMatch(/xyzzy|plugh/);
  });
});

describe('every span ends', () => {
  it('when the kernel fails, and the run says so', async () => {
    const kernel = new ScriptedKernel(() => {
      throw new KernelError('unavailable', 'nobody there');
    });
    const server = await startServer({ replace: { kernel } });

    await run(`${server.url}/invocations`, input(), headers);

    expect(spans.open()).toEqual([]);
    expect(spans.named('invoke_agent')[0]?.attributes).toMatchObject({
      'error.type': 'A2A_UNAVAILABLE',
      'agentcore_agui.run.outcome': 'failed',
    });
    expect(spans.named('a2a SendStreamingMessage')[0]?.attributes).toMatchObject({
      'error.type': 'kernel-unavailable',
    });
  });

  it('when the caller goes away', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(works) } });
    const opened = await openRun(`${server.url}/invocations`, input(), headers);
    await opened.until((text) => text.includes('TEXT_MESSAGE_CONTENT'));

    await opened.leave();

    await vi.waitFor(() => expect(spans.named('POST /invocations')).toHaveLength(1));
    await vi.waitFor(() => expect(spans.open()).toEqual([]));
    expect(spans.named('invoke_agent')[0]?.attributes['agentcore_agui.run.outcome']).toBe('cancelled');
  });

  it('when the server stops', async () => {
    const server = await startServer({ replace: { kernel: new ScriptedKernel(works) } });
    const opened = await openRun(`${server.url}/invocations`, input(), headers);
    await opened.until((text) => text.includes('TEXT_MESSAGE_CONTENT'));

    await server.stop();

    expect(spans.open()).toEqual([]);
    expect(spans.named('invoke_agent')).toHaveLength(1);
  });

  it('when the request is refused, before any run', async () => {
    const server = await startServer();

    await run(`${server.url}/invocations`, 'no JSON', headers);
    await run(`${server.url}/invocations`, input({ messages: 7 }), headers);

    await vi.waitFor(() => expect(spans.named('POST /invocations')).toHaveLength(2));
    expect(spans.open()).toEqual([]);
    expect(spans.named('POST /invocations')[0]?.attributes['http.response.status_code']).toBe(400);
  });

  it('never has one for /ping', async () => {
    const server = await startServer();

    await call(`${server.url}/ping`, { method: 'GET' });

    expect(spans.ended()).toEqual([]);
    expect(spans.open()).toEqual([]);
  });
});
