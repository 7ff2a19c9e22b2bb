/**
 * A disk that fails, at every save of interrupt → resume → end: nothing is announced that is not kept, nothing runs
 * twice, what can't be recovered is cancelled, and nothing stays busy.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import {
  allow,
  Conversation,
  everyDoor,
  faultOf,
  interruptsOf,
  lastOf,
  type Reply,
  resolved,
  typesOf,
} from '../support/conversation.ts';
import { asksOnce, ScriptedKernel, turn } from '../support/scripted-kernel.ts';
import { startServer, temporaryFolder } from '../support/servers.ts';
import { diskFaults, FailingSaves } from './failing-saves.ts';

const success = { type: 'RUN_FINISHED', outcome: { type: 'success' } };
const answer = resolved('permission-1', allow);

/** Every door with every fault of a disk. */
const cases = everyDoor.flatMap((door) => diskFaults.map((fault) => ({ door, fault, ...fault })));

describe.each(cases)('by the door $door, when $call fails with $code', ({ door, fault }) => {
  const begin = async (kernel = new ScriptedKernel(asksOnce)) => {
    const folder = await temporaryFolder();
    const store = new FailingSaves(join(folder, 'agui'));
    const server = await startServer({ replace: { kernel, store }, folder });
    return { kernel, store, server, talk: new Conversation(server, door) };
  };
  const leftovers = async (talk: Conversation) => {
    const names = await readdir(join(talk.server.folder, 'agui'), { recursive: true }).catch(() => []);
    return names.filter((name) => name.endsWith('.tmp'));
  };
  const only = (number: number) => (save: number) => save === number;

  it('at the admission of a run: refused, nothing sent, and the same run id may come again', async () => {
    verifies('error.write-fails-safe');
    const { kernel, store, talk } = await begin();
    const body = talk.body();
    store.failWhere(only(1), fault);

    const refused = await talk.send(body);
    const again = await talk.send(body);

    expect(faultOf(refused)).toBe('STATE_UNAVAILABLE');
    if (door !== 'ws') expect(refused.status).toBe(door === 'iac-code' ? 503 : 500);
    expect(interruptsOf(again)).toHaveLength(1);
    expect(kernel.sends).toHaveLength(1);
    expect(await leftovers(talk)).toEqual([]);
  });

  it('at the names of the task: none of them is announced, the task is cancelled, the thread free', async () => {
    verifies('error.write-fails-safe', 'error.write-fails-cancel', 'error.state-persistence');
    const { kernel, store, talk } = await begin();
    store.failWhere(only(2), fault);

    const broken = await talk.say();
    const next = await talk.say();

    expectLost(broken);
    expect(broken.text).not.toContain('"taskId":"task-1"');
    expect(kernel.cancels).toEqual(['task-1']);
    expect(interruptsOf(next)).toHaveLength(1);
  });

  it('at the interrupt: it is not announced, the task is cancelled, the thread free', async () => {
    verifies('error.write-fails-safe', 'error.write-fails-cancel', 'error.state-persistence');
    verifies('interrupt.on-disk-first');
    const { kernel, store, talk } = await begin();
    store.failWhere(only(3), fault);

    const broken = await talk.say();
    const late = await talk.resume(answer);
    const next = await talk.say();

    expectLost(broken);
    expect(broken.text).not.toContain('"interrupts"');
    expect(faultOf(late)).toBe('EXECUTION_LOST');
    expect(kernel.cancels).toEqual(['task-1']);
    expect(interruptsOf(next)).toHaveLength(1);
  });

  it('at the admission of a resume: refused, nothing sent, the same request may come again', async () => {
    verifies('error.write-fails-safe', 'resume.kept-until-accepted');
    const { kernel, store, talk } = await begin();
    await talk.say();
    const body = talk.body({ resume: [answer], messages: [] });
    store.failWhere(only(1), fault);

    const refused = await talk.send(body);
    const again = await talk.send(body);

    expect(faultOf(refused)).toBe('STATE_UNAVAILABLE');
    expect(lastOf(again)).toMatchObject(success);
    expect(kernel.sends).toHaveLength(2);
    expect(kernel.cancels).toEqual([]);
  });

  it('at the answer that the kernel took: told, its task cancelled, and it is never given twice', async () => {
    verifies('error.state-persistence', 'error.write-fails-cancel', 'resume.no-second-execution');
    const { kernel, store, talk } = await begin();
    await talk.say();
    store.failWhere(only(2), fault);

    const broken = await talk.resume(answer);
    const again = await talk.resume(answer);
    const next = await talk.say();

    expectLost(broken);
    expect(faultOf(again)).toBe('EXECUTION_LOST');
    expect(kernel.cancels).toEqual(['task-1']);
    expect(kernel.sends.filter(({ message }) => message.taskId === 'task-1')).toHaveLength(1);
    expect(interruptsOf(next)).toHaveLength(1);
  });

  it('at the end of a run: the run has ended as it did, and the thread is not busy', async () => {
    const { kernel, store, talk } = await begin(new ScriptedKernel(turn('hello')));
    store.failWhere(only(3), fault);

    const ended = await talk.say();
    const next = await talk.say();

    expect(lastOf(ended)).toMatchObject(success);
    expect(lastOf(next)).toMatchObject(success);
    expect(kernel.sends).toHaveLength(2);
  });

  it('from any save on and for good: no interrupt is shown that a restart does not know, nothing stays busy', async () => {
    for (let from = 1; from <= 7; from += 1) await failFrom(from);
  });

  /** The whole way with a disk that fails from this save on, then heals; then the same files in a new process. */
  async function failFrom(from: number): Promise<void> {
    const { kernel, store, talk } = await begin();
    store.failWhere((save) => save >= from, fault);
    const asked = await talk.say();
    const resumed = await talk.resume(answer);
    store.heal();
    const healed = await talk.say();
    const fresh = new ScriptedKernel(asksOnce);
    await talk.server.stop();
    const server = await startServer({ replace: { kernel: fresh }, folder: talk.server.folder });
    const after = new Conversation(server, door, { threadId: talk.threadId });
    const resumedAfter = await after.resume(answer);
    const next = await after.say();

    const what = `from save ${from}`;
    const executions = kernel.sends.filter(({ message }) => message.taskId === 'task-1');
    expect(executions.length, what).toBeLessThanOrEqual(1);
    expect([undefined, 'RESUME_REQUIRED'], what).toContain(faultOf(healed));
    expect([resumed, healed, resumedAfter, next].map(faultOf), what).not.toContain('THREAD_BUSY');
    if (faultOf(asked) === undefined) expect(interruptsOf(asked), what).toHaveLength(1);
    // What is announced last is what the new process knows.
    const isWaiting = faultOf(healed) === 'RESUME_REQUIRED' || faultOf(healed) === undefined;
    expect(isWaiting && faultOf(resumedAfter) === undefined, what).toBe(true);
    expect(await leftovers(talk), what).toEqual([]);
  }

  function expectLost(reply: Reply): void {
    expect(faultOf(reply)).toBe('STATE_PERSISTENCE_FAILED');
    expect(typesOf(reply).at(0)).toBe('RUN_STARTED');
    expect(typesOf(reply).at(-1)).toBe('RUN_ERROR');
  }
});
