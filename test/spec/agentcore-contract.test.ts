/** What the AgentCore AG-UI contract says of a run's events, by POST /invocations and on /ws alike. */
import { writeFile } from 'node:fs/promises';
import { EventSchemas } from '@ag-ui/core/schemas';
import { describe, expect, it } from 'vitest';
import { Conversation, faultOf, lastOf, saidIn, sentenceOf } from '../support/conversation.ts';
import { call, run } from '../support/requests.ts';
import {
  aborted,
  extensionOf,
  ScriptedKernel,
  stateOf,
  submitted,
  textOf,
  turn,
} from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { refusedUpgrade } from '../support/sockets.ts';
import { verifies, verifiesOn } from './verifies.ts';

const doors = ['agentcore', 'ws'] as const;
const inSession = (letter: string) => ({ 'X-Amzn-Bedrock-AgentCore-Runtime-Session-Id': letter.repeat(40) });
const bare = { forwardedProps: {} };

/** Thinks aloud, uses a tool, answers. */
const worksVisibly = new ScriptedKernel(async function* (_send, names) {
  yield [
    submitted(names),
    extensionOf(names, { thinking: { type: 'raw_thinking', text: 'A network, then.' } }),
    textOf(names, 'Let me look.'),
    extensionOf(names, { tool: { status: 'started', toolUseId: 'call-1', name: 'list_files' } }),
    extensionOf(names, {
      tool: { status: 'input_complete', toolUseId: 'call-1', name: 'list_files', toolInput: { path: '.' } },
    }),
    extensionOf(names, {
      tool: { status: 'completed', toolUseId: 'call-1', name: 'list_files', result: 'a.yaml' },
    }),
    textOf(names, 'There is one.'),
    stateOf(names, 'TASK_STATE_COMPLETED'),
  ];
});

/** Says one thing, and the rest only when it is let. */
function speaksInTwo(): { readonly kernel: ScriptedKernel; readonly goOn: () => void } {
  const gate = Promise.withResolvers<void>();
  const kernel = new ScriptedKernel(async function* (_send, names) {
    yield [submitted(names), textOf(names, 'first')];
    await gate.promise;
    yield [textOf(names, 'second'), stateOf(names, 'TASK_STATE_COMPLETED')];
  });
  return { kernel, goOn: gate.resolve };
}

function neverEnds(): ScriptedKernel {
  return new ScriptedKernel(async function* (_send, names, signal) {
    yield [submitted(names), textOf(names, 'thinking')];
    await aborted(signal);
  });
}

describe.each(doors)('a run by the door %s', (door) => {
  const begin = async (kernel: ScriptedKernel, environment = {}, headers = {}) =>
    new Conversation(await startServer({ replace: { kernel }, environment }), door, { headers });

  it('needs nothing in forwardedProps, begins with RUN_STARTED and ends with RUN_FINISHED of the same ids', async () => {
    verifies('invocations.forwarded-props-empty', 'invocations.run-started-first');
    verifies('invocations.run-finished-last');
    const talk = await begin(new ScriptedKernel(turn('hello')));
    const body = talk.body(bare);

    const { events } = await talk.send(body);

    const ids = { threadId: body['threadId'], runId: body['runId'] };
    expect(events.at(0)).toMatchObject({ type: 'RUN_STARTED', ...ids });
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', ...ids });
    expect(events.filter(({ type }) => /^RUN_/.test(type))).toHaveLength(2);
    for (const event of events) expect(EventSchemas.safeParse(event)).toMatchObject({ success: true });
  });

  it('streams text as start, deltas and end of one message of the assistant', async () => {
    verifies('invocations.text-messages');
    const talk = await begin(new ScriptedKernel(turn('Hel', 'lo')));

    const { events } = await talk.say(bare);

    const text = events.filter(({ type }) => type.startsWith('TEXT_MESSAGE'));
    expect(text.at(0)).toMatchObject({ type: 'TEXT_MESSAGE_START', role: 'assistant' });
    expect(text.at(-1)).toMatchObject({ type: 'TEXT_MESSAGE_END' });
    expect(new Set(text.map(({ messageId }) => messageId)).size).toBe(1);
    expect(saidIn(events)).toBe('Hello');
  });

  it('shows what is there while the rest is still being made', async () => {
    verifies('invocations.streaming');
    const { kernel, goOn } = speaksInTwo();
    const talk = await begin(kernel);
    const opened = await talk.open(talk.body(bare));

    const early = await opened.until((events) => saidIn(events) === 'first');
    goOn();

    expect(early.some(({ type }) => type === 'RUN_FINISHED')).toBe(false);
    expect(saidIn(await opened.ended)).toBe('firstsecond');
  });

  it('shows thinking, the call of a tool with its name and message, and its result', async () => {
    verifies('invocations.thinking', 'invocations.tool-calls', 'invocations.tool-results');
    const talk = await begin(worksVisibly);

    const { events } = await talk.say(bare);

    expect(events.map(({ type }) => type)).toContain('REASONING_MESSAGE_CONTENT');
    const asking = events.find(({ type }) => type === 'TEXT_MESSAGE_START');
    expect(events.find(({ type }) => type === 'TOOL_CALL_START')).toMatchObject({
      toolCallId: 'call-1',
      toolCallName: 'list_files',
      parentMessageId: asking?.['messageId'],
    });
    expect(events.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({
      toolCallId: 'call-1',
      content: 'a.yaml',
    });
  });

  it('belongs to its session: what another one holds under the same names is out of its reach', async () => {
    verifies('session.header-isolates');
    const kernel = neverEnds();
    const talk = await begin(kernel, {}, inSession('a'));
    const other = new Conversation(talk.server, door, {
      threadId: talk.threadId,
      headers: inSession('b'),
    });
    const body = talk.body(bare);
    const opened = await talk.open(body);
    await opened.until((events) => saidIn(events) === 'thinking');

    const attached = await other.send({
      control: 'attach',
      threadId: body['threadId'],
      runId: body['runId'],
    });
    const cancelled = await other.cancel(body['runId'], undefined);
    const second = await other.open(body);
    await second.until((events) => saidIn(events) === 'thinking');

    expect(faultOf(attached)).toBe('EXECUTION_NOT_FOUND');
    expect(JSON.parse(cancelled.text)).toMatchObject({ status: 'not_found' });
    expect(new Set(kernel.sends.map(({ message }) => message.contextId)).size).toBe(2);
    expect(kernel.cancels).toEqual([]);
  });

  it('keeps the session alive while it goes on: /ping says HealthyBusy', async () => {
    verifies('ping.busy');
    const { kernel, goOn } = speaksInTwo();
    const talk = await begin(kernel);
    const opened = await talk.open(talk.body(bare));
    await opened.until((events) => saidIn(events) === 'first');

    const during = await call(`${talk.server.url}/ping`, { method: 'GET' });
    goOn();
    await opened.ended;

    expect(JSON.parse(during.text)).toMatchObject({ status: 'HealthyBusy' });
  });

  it('is refused with VALIDATION_ERROR, a code and a message, when its input is wrong', async () => {
    verifies('errors.validation', 'errors.run-error-members');
    const talk = await begin(new ScriptedKernel(turn('hello')));

    const refused = await talk.say({ messages: 7 });

    expect(lastOf(refused)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/^Invalid request data or parameters: ./),
    });
    if (door === 'agentcore') expect(refused.status).toBe(400);
  });

  it('is refused with one SESSION_BUSY when its thread is busy and another when its id is taken', async () => {
    verifies('errors.conflict', 'errors.session-busy', 'errors.session-busy-told-apart');
    const talk = await begin(neverEnds());
    const first = talk.body(bare);
    const opened = await talk.open(first);
    await opened.until((events) => saidIn(events) === 'thinking');
    const beside = new Conversation(talk.server, door, { threadId: talk.threadId });

    const busy = await beside.say(bare);
    const taken = await beside.send(first);

    for (const reply of [busy, taken]) {
      expect(lastOf(reply)).toMatchObject({ type: 'RUN_ERROR', code: 'SESSION_BUSY' });
      if (door === 'agentcore') expect(reply.status).toBe(409);
    }
    expect(sentenceOf(busy)).toBe('Session operation in progress, please retry');
    expect(sentenceOf(taken)).toBe('Resource conflict - Resource already exists');
  });

  it('over the number of runs at once is refused with SERVICE_QUOTA_EXCEEDED', async () => {
    verifies('errors.service-quota');
    const talk = await begin(neverEnds(), { AGUI_MAX_RUNS: '1' });
    const opened = await talk.open(talk.body(bare));
    await opened.until((events) => saidIn(events) === 'thinking');

    const refused = await new Conversation(talk.server, door).say(bare);

    expect(lastOf(refused)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'SERVICE_QUOTA_EXCEEDED',
      message: expect.stringMatching(/^Service quota exceeded/),
    });
    if (door === 'agentcore') expect(refused.status).toBe(429);
  });

  it('whose agent fails ends with AGENT_ERROR in its stream, which began with 200', async () => {
    verifies('errors.agent');
    const talk = await begin(
      new ScriptedKernel(async function* (_send, names) {
        yield [submitted(names), textOf(names, 'so far'), stateOf(names, 'TASK_STATE_FAILED')];
      }),
    );

    const failed = await talk.say(bare);

    expect(failed.status).toBe(200);
    expect(saidIn(failed.events)).toBe('so far');
    expect(lastOf(failed)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'AGENT_ERROR',
      message: expect.stringMatching(/^Agent code failed during execution/),
    });
  });

  it('that meets an unreadable state is INTERNAL_ERROR, and says nothing of what is inside', async () => {
    verifies('errors.internal', 'errors.no-internals');
    const talk = await begin(new ScriptedKernel(turn('hello')));
    await talk.say(bare);
    await talk.server.stop();
    await writeFile(talk.stateFile, '{"schemaVersion":');
    const anew = await startServer({
      replace: { kernel: new ScriptedKernel(turn('hello')) },
      folder: talk.server.folder,
    });

    const refused = await new Conversation(anew, door, { threadId: talk.threadId }).say(bare);

    expect(lastOf(refused)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'INTERNAL_ERROR',
      message: expect.stringMatching(/^An internal error occurred while processing the request/),
    });
    if (door === 'agentcore') expect(refused.status).toBeGreaterThanOrEqual(500);
    expect(refused.text).not.toMatch(/JSON at|SyntaxError|node:|\.json|\/src\//);
  });
});

describe('the runtime session header', () => {
  it.each([
    ['32 characters', 'a'.repeat(32)],
    ['257 characters', 'a'.repeat(257)],
    ['a slash', `${'a'.repeat(40)}/b`],
    ['a leading hyphen', `-${'a'.repeat(40)}`],
  ])('of %s is refused by POST and before the upgrade', async (_what, session) => {
    verifiesOn('agentcore', 'session.header-malformed');
    verifiesOn('ws', 'session.header-malformed');
    const server = await startServer({ replace: { kernel: new ScriptedKernel(turn('hello')) } });
    const headers = { 'X-Amzn-Bedrock-AgentCore-Runtime-Session-Id': session };

    const posted = await run(
      `${server.url}/invocations`,
      new Conversation(server, 'agentcore').body(bare),
      headers,
    );
    const upgraded = await refusedUpgrade(`${server.url}/ws`, headers);

    expect(posted.status).toBe(400);
    expect(posted.text).toContain('"code":"VALIDATION_ERROR"');
    expect(upgraded.status).toBe(400);
    expect(upgraded.text).toContain('"code":"VALIDATION_ERROR"');
  });
});
