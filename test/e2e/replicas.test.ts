/** Two servers that share a table: whichever is asked, the answer is right. */
import { describe, expect, it } from 'vitest';
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
  saidIn,
} from '../support/conversation.ts';
import { startReplicas } from '../support/replicas.ts';
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

const works: Script = async function* (_send, names, signal) {
  yield [submitted(names), textOf(names, 'thinking')];
  await aborted(signal);
};
/** The first message is worked on until it is cancelled, what follows is played by `next`. */
const worksFirst = (next: Script): Script => {
  let sends = 0;
  return (...given) => {
    sends += 1;
    return sends === 1 ? works(...given) : next(...given);
  };
};
const isThinking = (events: readonly { readonly type: string }[]) =>
  events.some(({ type }) => type === 'TEXT_MESSAGE_CONTENT');

describe.each(everyDoor)('a thread of two replicas, by the door %s', (door) => {
  const begin = async (script: Script, times = {}) => {
    const kernel = new ScriptedKernel(script);
    const replicas = await startReplicas(kernel, times);
    const [one, two] = replicas.servers;
    const here = new Conversation(one, door);
    const there = new Conversation(two, door, { threadId: here.threadId });
    return { kernel, replicas, here, there };
  };

  it('is busy on each of them while one drives it, and goes on at the other afterwards', async () => {
    const { here, there } = await begin(worksFirst(turn('Hello from the other side')));
    const body = here.body();
    const opened = await here.open(body);
    const [session] = customsOf(await opened.until(isThinking), 'iac-code.session.v1');

    const meanwhile = await there.say();
    await here.cancel(body['runId'], session?.['executionId']);
    await opened.ended;
    const after = await there.say();

    expect(faultOf(meanwhile)).toBe('THREAD_BUSY');
    expect(lastOf(after)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(saidIn(after.events)).toBe('Hello from the other side');
  });

  it('runs a run id once, whichever is asked again', async () => {
    const { here, there, kernel } = await begin(turn('Once'));
    const body = here.body();
    await here.send(body);

    const again = await there.send(body);
    const other = await there.send({ ...body, messages: [{ id: 'm', role: 'user', content: 'Other' }] });

    expect(faultOf(again)).toBe('DUPLICATE_RUN_ID');
    expect(faultOf(other)).toBe('RUN_ID_CONFLICT');
    expect(kernel.sends).toHaveLength(1);
  });

  it('runs one of two runs that are sent to both at once', async () => {
    const { here, there, kernel } = await begin(turn('Once'));
    const body = here.body();

    const replies = await Promise.all([here.send(body), there.send(body)]);

    const faults = replies.map(faultOf);
    expect(faults.filter((each) => each === undefined)).toHaveLength(1);
    expect(['THREAD_BUSY', 'DUPLICATE_RUN_ID']).toContain(faults.find((each) => each !== undefined));
    expect(kernel.sends).toHaveLength(1);
  });

  it('has its questions answered at the other, once', async () => {
    const { here, there } = await begin(asksOnce);
    const [asked] = interruptsOf(await here.say());
    const answer = resolved(String(asked?.['id']), allow);

    const blocked = await there.say();
    const answered = await there.resume(answer);
    const late = await here.resume(answer);

    expect(faultOf(blocked)).toBe('RESUME_REQUIRED');
    expect(lastOf(answered)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(faultOf(late)).toBe('RESUME_ALREADY_APPLIED');
  });

  it('is cancelled from the other within two seconds, with its own terminal event', async () => {
    const { here, there, kernel } = await begin(works);
    const body = here.body();
    const opened = await here.open(body);
    const [session] = customsOf(await opened.until(isThinking), 'iac-code.session.v1');
    const askedAt = performance.now();

    const reply = await there.cancel(body['runId'], session?.['executionId']);

    expect(performance.now() - askedAt).toBeLessThan(2_000);
    expect(JSON.parse(reply.text)).toMatchObject({ status: 'cancelled' });
    expect((await opened.ended).at(-1)).toMatchObject(cancelledEnd(door));
    expect(kernel.cancels).toEqual(['task-1']);
    const again = await there.cancel(body['runId'], session?.['executionId']);
    expect(JSON.parse(again.text)).toMatchObject({ status: 'already_terminal' });
  });

  it('ends a run as failed, when its replica can not reach the table for a lease long', async () => {
    const times = { leaseMs: 900, skewMs: 300, pollMs: 30 };
    const { here, there, kernel, replicas } = await begin(worksFirst(turn('Taken over')), times);
    const opened = await here.open();
    await opened.until(isThinking);

    replicas.cutOffFirst();
    const events = await opened.ended;
    // A socket would be closed for asking that often.
    const asking = new Conversation(there.server, 'agentcore', { threadId: here.threadId });
    let next = await asking.say();
    while (faultOf(next) === 'THREAD_BUSY') next = await asking.say();

    const end = door === 'iac-code' ? 'STATE_PERSISTENCE_FAILED' : 'AGENT_ERROR';
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: end });
    expect(saidIn(next.events)).toBe('Taken over');
    expect(kernel.cancels).toEqual(['task-1']);
  });
});

it('an attach that reaches the wrong replica is told to come again, and finds the questions once they wait', async () => {
  const kernel = new ScriptedKernel(worksFirst(asksOnce));
  const [one, two] = (await startReplicas(kernel)).servers;
  const here = new Conversation(one, 'agentcore');
  const body = here.body();
  const opened = await here.open(body);
  await opened.until(isThinking);
  const attach = { control: 'attach', threadId: here.threadId, runId: body['runId'] };

  const meanwhile = await run(`${two.url}/invocations`, attach);
  await here.cancel(body['runId'], '');
  await opened.ended;
  const asking = here.body();
  await here.send(asking);
  const afterwards = await run(`${two.url}/invocations`, { ...attach, runId: asking['runId'] });

  expect(meanwhile.status).toBe(409);
  expect(meanwhile.text).toContain('Session operation in progress, please retry');
  expect(afterwards.text).toContain('"type":"interrupt"');
});
