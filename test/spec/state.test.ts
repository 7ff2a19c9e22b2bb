/** What is kept of a thread, on every door: where, in which form, when it is read, and what is never in it. */
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allow, Conversation, everyDoor, resolved, sessionOf } from '../support/conversation.ts';
import {
  extensionOf,
  permissionOf,
  type Script,
  ScriptedKernel,
  stateOf,
  submitted,
  textOf,
} from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { verifies } from './verifies.ts';

/** Works in a session and a pipeline, then asks. */
const asksInPipeline: Script = async function* ({ message }, names) {
  if (message.taskId !== undefined) {
    yield [stateOf(names, 'TASK_STATE_WORKING'), stateOf(names, 'TASK_STATE_COMPLETED')];
    return;
  }
  const step = { eventType: 'step_started', step: { id: 'plan' }, sequence: 3, eventId: 'e3', data: {} };
  const artifact = { artifactId: 'a', parts: [{ text: 'artifact-canary' }] };
  yield [
    submitted(names),
    extensionOf(names, { iacCodeSessionId: 'session-1', pipeline: step }),
    textOf(names, 'answer-canary'),
    { artifactUpdate: { taskId: names.taskId, contextId: names.contextId, artifact } },
    permissionOf(names, 'permission-1'),
  ];
};

describe.each(everyDoor)('the state of a thread by the door %s', (door) => {
  const begin = async () => {
    const kernel = new ScriptedKernel(asksInPipeline);
    return { kernel, talk: new Conversation(await startServer({ replace: { kernel } }), door) };
  };

  it('is one small private file at <config-dir>/agui/threads/<thread-key>.json with all that recovery needs', async () => {
    verifies('state.path', 'state.binding', 'state.identities', 'state.cursor', 'state.interrupts');
    verifies('state.idempotency');
    const { talk, kernel } = await begin();

    const asked = await talk.sayWith({ userId: 'user-1' });

    const stored = JSON.parse(await readFile(talk.stateFile, 'utf8'));
    const { taskId, executionId } = sessionOf(asked);
    expect(stored).toMatchObject({
      schemaVersion: 1,
      threadId: talk.threadId,
      contextId: kernel.sends[0]?.message.contextId,
      cwd: talk.folder,
      userId: 'user-1',
      iacCodeSessionId: 'session-1',
      execution: {
        executionId,
        taskId,
        rosInvocationId: 'invocation-1',
        activeRunId: null,
        pipelineSequence: 3,
        pipelineOpenSteps: ['step:plan'],
        pending: {
          'permission-1': {
            value: { inputId: 'permission-1', kind: 'permission' },
            expiresAt: expect.stringMatching(/Z$/),
          },
        },
      },
      runDigests: { [String(asked.events[0]?.['runId'])]: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    const facts = await stat(talk.stateFile);
    expect(facts.mode & 0o777).toBe(0o600);
    expect(facts.size).toBeLessThan(8_192);
  });

  it('holds the digest of an applied answer and not the answer', async () => {
    verifies('state.idempotency');
    const { talk } = await begin();
    await talk.say();

    await talk.resume(resolved('permission-1', allow));

    const text = await readFile(talk.stateFile, 'utf8');
    expect(JSON.parse(text).appliedResumeDigests).toMatchObject([
      { interruptId: 'permission-1', digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(text).not.toContain('"decision"');
  });

  it('holds no secret, no conversation and no artifact, and nothing else below the folder does', async () => {
    verifies('state.no-secrets', 'state.no-conversation');
    const { talk } = await begin();
    const content = 'question-canary';

    await talk.sayWith(
      {
        llmApiKey: 'llm-canary',
        alibabaCloud: {
          accessKeyId: 'id-canary',
          accessKeySecret: 'secret-canary',
          securityToken: 'sts-canary',
        },
      },
      { messages: [{ id: 'm', role: 'user', content }], state: { canary: 'state-canary' } },
    );
    await talk.resume(resolved('permission-1', allow));
    await talk.server.stop();

    const names = await readdir(join(talk.server.folder, 'agui'), { recursive: true });
    const files = names.filter((name) => name.endsWith('.json'));
    expect(files).toEqual([`threads/${talk.threadId}.json`]);
    expect(await readFile(talk.stateFile, 'utf8')).not.toContain('canary');
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('is read when its thread is asked for, and no other is', async () => {
    verifies('state.lazy');
    const { talk } = await begin();
    const other = new Conversation(talk.server, door);
    await talk.say();
    await other.say();
    await talk.server.stop();
    const kernel = new ScriptedKernel(asksInPipeline);
    const server = await startServer({ replace: { kernel }, folder: talk.server.folder });
    const loads: string[] = [];
    const load = server.parts.store.load.bind(server.parts.store);
    server.parts.store.load = async (address) => {
      loads.push(address.threadId);
      return load(address);
    };

    const again = new Conversation(server, door, { threadId: talk.threadId });
    const before = [...loads];
    await again.resume(resolved('permission-1', allow));

    expect(before).toEqual([]);
    expect(loads).toEqual([talk.threadId]);
  });

  it('is replaced as a whole by another file, and no other thread’s file is touched', async () => {
    verifies('state.atomic');
    const { talk } = await begin();
    const other = new Conversation(talk.server, door);
    await other.say();
    await talk.say();
    const theirs = await readFile(other.stateFile, 'utf8');
    const asked = await readFile(talk.stateFile, 'utf8');
    // Whoever has the old file open keeps the old content, whole.
    const mine = await open(talk.stateFile);
    const theirFile = await open(other.stateFile);

    await talk.resume(resolved('permission-1', allow));

    expect(await mine.readFile('utf8')).toBe(asked);
    expect(await readFile(talk.stateFile, 'utf8')).not.toBe(asked);
    expect(await readFile(other.stateFile, 'utf8')).toBe(theirs);
    expect((await stat(other.stateFile)).ino).toBe((await theirFile.stat()).ino);
    await mine.close();
    await theirFile.close();
  });
});
