/** Cancelling: by the extension of the iac-code door, by the control message on the others; told once, told truly. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { KernelError } from '../../src/errors/kernel-error.ts';
import {
  allow,
  Conversation,
  cancelledEnd,
  customsOf,
  everyDoor,
  faultOf,
  interruptsOf,
  lastOf,
  resolved,
  sessionOf,
} from '../support/conversation.ts';
import { run } from '../support/requests.ts';
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
import { verifies, verifiesOn } from './verifies.ts';

const works: Script = async function* (_send, names, signal) {
  yield [submitted(names), textOf(names, 'thinking')];
  await aborted(signal);
};

const isThinking = (events: readonly { readonly type: string }[]) =>
  events.some(({ type }) => type === 'TEXT_MESSAGE_CONTENT');

/** What the extension answers for these names. */
const cancelAt = (talk: Conversation, executionId: unknown, body: object) =>
  run(`${talk.server.url}/extensions/iac-code/v1/executions/${String(executionId)}/cancel`, body);

describe.each(everyDoor)('a cancel by the door %s', (door) => {
  const begin = async (script: Script) => {
    const kernel = new ScriptedKernel(script);
    return { kernel, talk: new Conversation(await startServer({ replace: { kernel } }), door) };
  };

  it('ends a run that streams with its own terminal event, everything closed, and nothing new in form', async () => {
    verifies('cancel.standard-events', 'error.cancelled');
    const { talk, kernel } = await begin(works);
    const body = talk.body();
    const opened = await talk.open(body);
    const soFar = await opened.until(isThinking);
    const [session] = customsOf(soFar, 'iac-code.session.v1');

    await talk.cancel(body['runId'], session?.['executionId']);

    const events = await opened.ended;
    expect(events.slice(-2)).toMatchObject([{ type: 'TEXT_MESSAGE_END' }, cancelledEnd(door)]);
    expect(events.filter(({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR')).toHaveLength(1);
    expect(kernel.cancels).toEqual(['task-1']);
  });

  it('takes waiting interrupts away: on disk, at the kernel, and for a late answer', async () => {
    verifies('cancel.removes-interrupts');
    const { talk, kernel } = await begin(asksOnce);
    const asked = await talk.say();
    interruptsOf(asked);

    await talk.cancel(asked.events[0]?.['runId'], sessionOf(asked)['executionId']);
    const stored = JSON.parse(await readFile(talk.stateFile, 'utf8'));
    const late = await talk.resume(resolved('permission-1', allow));
    const next = await talk.say();

    expect(stored.execution.pending).toEqual({});
    expect(faultOf(late)).toBe('EXECUTION_LOST');
    expect(interruptsOf(next)).toHaveLength(1);
    expect(kernel.cancels).toEqual(['task-1']);
    expect(kernel.sends).toHaveLength(2);
  });

  it('can be given by the extension too, with the executionId of the session event', async () => {
    verifies('custom.session-execution-id', 'custom.session');
    const { talk, kernel } = await begin(asksOnce);
    const asked = await talk.say();
    const session = sessionOf(asked);

    const answer = await cancelAt(talk, session['executionId'], {
      threadId: session['threadId'],
      rosInvocationId: session['rosInvocationId'],
    });

    expect(session).toMatchObject({
      threadId: talk.threadId,
      aguiRunId: asked.events[0]?.['runId'],
      executionId: expect.any(String),
      contextId: kernel.sends[0]?.message.contextId,
      taskId: 'task-1',
      rosInvocationId: 'invocation-1',
      sessionId: null,
    });
    expect(JSON.parse(answer.text)).toEqual({ executionId: session['executionId'], status: 'cancelled' });
  });

  it('that the kernel can not be told is told as a failure, and leaves what waits as it is', async () => {
    const { talk, kernel } = await begin(asksOnce);
    const asked = await talk.say();
    const cancel = kernel.cancel.bind(kernel);
    kernel.cancel = async () => {
      throw new KernelError('unavailable', 'connection refused');
    };

    const failed = await talk.cancel(asked.events[0]?.['runId'], sessionOf(asked)['executionId']);
    kernel.cancel = cancel;
    const answer = await talk.resume(resolved('permission-1', allow));

    expect(failed.text).toContain('A2A_UNAVAILABLE');
    expect(lastOf(answer)).toMatchObject({ outcome: { type: 'success' } });
  });

  it('racing the end of the run changes nothing any more: the first ending stands everywhere', async () => {
    const { talk, kernel } = await begin(turn('hello'));
    const ended = await talk.say();

    const answer = await talk.cancel(ended.events[0]?.['runId'], sessionOf(ended)['executionId']);

    expect(JSON.parse(answer.text)).toMatchObject({ status: 'already_terminal' });
    expect(lastOf(ended)).toMatchObject({ outcome: { type: 'success' } });
    expect(kernel.cancels).toEqual([]);
  });
});

describe('the cancel extension', () => {
  const interrupted = async () => {
    const kernel = new ScriptedKernel(asksOnce);
    const talk = new Conversation(await startServer({ replace: { kernel } }), 'iac-code');
    return { talk, kernel, executionId: sessionOf(await talk.say())['executionId'] };
  };

  it('answers cancelled, and already_terminal when it is asked again', async () => {
    verifies('http.cancel-path', 'cancel.cancelled', 'cancel.already-terminal');
    const { talk, kernel, executionId } = await interrupted();
    const body = { threadId: talk.threadId, rosInvocationId: 'invocation-1' };

    const first = await cancelAt(talk, executionId, body);
    const second = await cancelAt(talk, executionId, body);

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(JSON.parse(first.text)).toEqual({ executionId, status: 'cancelled' });
    expect(JSON.parse(second.text)).toEqual({ executionId, status: 'already_terminal' });
    expect(kernel.cancels).toEqual(['task-1']);
  });

  it('knows an execution that a later turn has followed as ended', async () => {
    verifies('cancel.already-terminal');
    const kernel = new ScriptedKernel(turn('hello'));
    const talk = new Conversation(await startServer({ replace: { kernel } }), 'iac-code');
    const first = sessionOf(await talk.say())['executionId'];
    const second = sessionOf(await talk.sayWith({ rosInvocationId: 'invocation-2' }))['executionId'];

    const answer = await talk.cancel('', first);

    expect(second).not.toBe(first);
    expect(JSON.parse(answer.text)).toEqual({ executionId: first, status: 'already_terminal' });
  });

  it.each([
    ['another execution', { executionId: 'other' }],
    ['another thread', { threadId: 'other' }],
    ['another invocation', { rosInvocationId: 'other' }],
  ])('does not know the execution under %s', async (_what, change: Record<string, string>) => {
    verifies('cancel.not-found', 'cancel.identity');
    const { talk, kernel, executionId } = await interrupted();
    const body = { threadId: talk.threadId, rosInvocationId: 'invocation-1', ...change };

    const answer = await cancelAt(talk, change['executionId'] ?? executionId, body);

    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text)).toEqual({
      error: { code: 'EXECUTION_NOT_FOUND', message: expect.any(String) },
    });
    expect(kernel.cancels).toEqual([]);
  });

  it.each([
    ['no thread', { rosInvocationId: 'i' }],
    ['no invocation', { threadId: 't' }],
    ['an empty thread', { threadId: '', rosInvocationId: 'i' }],
  ])('refuses a body with %s', async (_what, body) => {
    verifiesOn('iac-code', 'cancel.identity', 'error.invalid-input');
    const { talk, executionId } = await interrupted();

    const answer = await cancelAt(talk, executionId, body);

    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'INVALID_INPUT' } });
  });
});
