/** A conversation with the embedded agent as a user has it: over HTTP, with real files, over a restart. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventsOf, input, run } from '../support/requests.ts';
import { startServer, type TestServer } from '../support/servers.ts';

async function say(
  server: TestServer,
  threadId: string,
  content: string,
  more: object = {},
): Promise<ReturnType<typeof eventsOf>> {
  const messages = content === '' ? [] : [{ id: `m-${content.length}`, role: 'user', content }];
  const answer = await run(
    `${server.url}/invocations`,
    input({ threadId, messages, protocolVersion: '1.0', ...more }),
  );
  expect(answer.status).toBe(200);
  return eventsOf(answer.text);
}

const wordsOf = (events: ReturnType<typeof eventsOf>): string =>
  events.map(({ type, delta }) => (type === 'TEXT_MESSAGE_CONTENT' ? delta : '')).join('');

async function filesOf(server: TestServer): Promise<readonly string[]> {
  const entries = await readdir(join(server.folder, 'workspace'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('the embedded agent', () => {
  it('writes the template that is asked for, validates it, shows it, and goes on with it after a restart', async () => {
    const first = await startServer();

    const created = await say(first, 't', 'Créer un modèle VPC avec 2 sous-réseaux');
    await first.stop();
    const second = await startServer({ folder: first.folder });
    const changed = await say(second, 't', 'maintenant avec 3 sous-réseaux');

    expect(wordsOf(created)).toContain('Je vais écrire un modèle');
    expect(wordsOf(created)).toContain('conforme aux schémas');
    expect(
      created.filter(({ type }) => type === 'TOOL_CALL_START').map(({ toolCallName }) => toolCallName),
    ).toEqual(['write_file', 'validate_template']);
    expect(created.find(({ name }) => name === 'iac-code.artifact.v1')).toMatchObject({
      value: { name: 'vpc.yaml' },
    });
    const files = await filesOf(second);
    expect(files).toHaveLength(1);
    expect(await readFile(files[0] ?? '', 'utf8')).toContain('AWS::EC2::VPC');
    expect(wordsOf(changed)).toContain('vpc.yaml');
  });

  it('asks back when it does not understand, and takes the next message for the answer', async () => {
    const server = await startServer();

    const asked = await say(server, 't', 'Ciao, vorrei un modello');
    const answered = await say(server, 't', 'la seconda');

    expect(wordsOf(asked)).toContain('Quale desideri?');
    expect(wordsOf(answered)).toContain('bucket.yaml');
  });

  it('says what it can not do, and how to connect who can', async () => {
    const server = await startServer();

    expect(wordsOf(await say(server, 't', 'Please deploy it'))).toContain("I can't deploy anything");
    expect(wordsOf(await say(server, 't', 'Tell me a joke about clouds'))).toContain('AGUI_KERNEL_URL');
  });

  it('deletes a file only when it is allowed to, also when the answer comes after a restart', async () => {
    const first = await startServer();
    await say(first, 't', 'I need a bucket');
    const asking = await say(first, 't', 'Delete the file bucket.yaml');
    await first.stop();
    const second = await startServer({ folder: first.folder });
    const [interrupt] = Object(asking.at(-1)?.['outcome'])['interrupts'];

    expect(interrupt).toMatchObject({
      reason: 'tool_call',
      message: 'Delete bucket.yaml from the workspace?',
    });
    expect(await filesOf(second)).toHaveLength(1);
    const done = await say(second, 't', '', {
      resume: [{ interruptId: interrupt.id, status: 'resolved', payload: { decision: 'allow_once' } }],
    });

    expect(wordsOf(done)).toContain('bucket.yaml is deleted');
    expect(done.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
    expect(await filesOf(second)).toEqual([]);
  });
});
