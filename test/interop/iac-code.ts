/**
 * The real `iac-code a2a` as our supervised child, with a scripted model behind it: what its users do, by both doors.
 * `node test/interop/iac-code.ts <path of the iac-code command>`; prints a line for each proof, exit code 1 when one fails.
 */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventsOf, openRun, run, type WireEvent } from '../support/requests.ts';
import { type SpawnedServer, spawnServer } from '../support/spawn-server.ts';
import { startScriptedModel } from './scripted-model.ts';

const [command = 'iac-code'] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'agentcore-agui-iac-code-'));
const cwd = join(folder, 'workspace', 'mine');
await mkdir(cwd, { recursive: true });
const model = await startScriptedModel();
const environment = {
  HOME: folder,
  AGUI_CONFIG_DIR: folder,
  AGUI_WORKSPACE_DIR: join(folder, 'workspace'),
  AGUI_KERNEL_COMMAND: `"${command}" a2a --host 127.0.0.1 --port {port}`,
  IAC_CODE_CONFIG_DIR: join(folder, 'iac-code'),
  IAC_CODE_PROVIDER: 'openai_compatible',
  IAC_CODE_BASE_URL: model.url,
  IAC_CODE_MODEL: 'scripted',
  IAC_CODE_API_KEY: 'none',
};
let server: SpawnedServer = await spawnServer(environment);
let failed = 0;

const doors = { 'POST /': '/', 'POST /invocations': '/invocations' } as const;

function body(threadId: string, content: string | undefined, more: object = {}): object {
  const iacCode = { schemaVersion: 1, rosInvocationId: 'invocation-1', cwd };
  const messages = content === undefined ? [] : [{ id: crypto.randomUUID(), role: 'user', content }];
  const rest = { state: {}, tools: [], context: [], forwardedProps: { iacCode }, ...more };
  return { threadId, runId: crypto.randomUUID(), protocolVersion: '1.0', messages, ...rest };
}

async function say(
  path: string,
  threadId: string,
  content?: string,
  more?: object,
): Promise<readonly WireEvent[]> {
  return eventsOf((await run(`${server.url}${path}`, body(threadId, content, more))).text);
}

function answer(events: readonly WireEvent[], decision: string): object {
  const outcome = Object(events.at(-1)?.['outcome']);
  assert.equal(outcome.type, 'interrupt', JSON.stringify(events.at(-1)));
  const [{ id }] = outcome.interrupts;
  return { resume: [{ interruptId: id, status: 'resolved', payload: { decision } }] };
}

const said = (events: readonly WireEvent[]): string => events.map(({ delta }) => delta ?? '').join('');
const endedWell = (events: readonly WireEvent[]): void =>
  assert.equal(Object(events.at(-1)?.['outcome']).type, 'success', JSON.stringify(events.at(-1)));

async function prove(title: string, proof: () => Promise<void>): Promise<void> {
  try {
    await proof();
    process.stdout.write(`ok: ${title}\n`);
  } catch (thrown) {
    failed += 1;
    process.stdout.write(`NOT OK: ${title}\n${thrown instanceof Error ? thrown.stack : thrown}\n`);
  }
}

for (const [door, path] of Object.entries(doors)) {
  const thread = (name: string): string => `${name}-${path.slice(1)}`;
  await prove(
    `${door}: a turn says what the model says, and the next one goes on with the conversation`,
    async () => {
      for (const words of ['hello there', 'and again']) {
        const events = await say(path, thread('turn'), words);
        assert.match(said(events), new RegExp(`You said: .*${words}`));
        endedWell(events);
      }
    },
  );

  await prove(`${door}: a command asks first; allowed, it runs once and its result is shown`, async () => {
    const file = join(cwd, `${thread('allowed')}.txt`);
    const asked = await say(path, thread('allowed'), `run echo once >> ${file} && cat ${file}`);
    const events = await say(path, thread('allowed'), undefined, answer(asked, 'allow_once'));
    assert.match(String(events.find(({ type }) => type === 'TOOL_CALL_RESULT')?.['content']), /once/);
    endedWell(events);
    assert.equal(await readFile(file, 'utf8'), 'once\n');
  });

  await prove(`${door}: denied, it does not run`, async () => {
    const file = join(cwd, `${thread('denied')}.txt`);
    const asked = await say(path, thread('denied'), `run touch ${file}`);
    const events = await say(path, thread('denied'), undefined, answer(asked, 'deny'));
    assert.match(String(events.at(-1)?.type), /^RUN_(FINISHED|ERROR)$/);
    await assert.rejects(readFile(file), { code: 'ENOENT' });
  });
}

await prove('a run is cancelled while the model works, and the thread is free', async () => {
  const waiting = Object(body('cancelled', 'wait'));
  const opened = await openRun(`${server.url}/invocations`, waiting);
  await opened.until((text) => text.includes('TEXT_MESSAGE_CONTENT'));
  const { threadId, runId } = waiting;
  const told = await run(`${server.url}/invocations`, { control: 'cancel', threadId, runId });
  assert.match(told.text, /"cancelled"/);
  assert.equal(Object(eventsOf(await opened.ended).at(-1)?.['outcome']).type, 'cancelled');
  endedWell(await say('/invocations', 'cancelled', 'hello'));
});

await prove(
  'a question outlives server and kernel: its answer runs the command once, or is told to be lost',
  async () => {
    const file = join(cwd, 'restarted.txt');
    const asked = await say('/invocations', 'restarted', `run echo once >> ${file}`);
    await server.stop();
    server = await spawnServer(environment);
    const events = await say('/invocations', 'restarted', undefined, answer(asked, 'allow_once'));
    const last = events.at(-1);
    const content = await readFile(file, 'utf8').catch(() => '');
    if (last?.type === 'RUN_FINISHED') assert.equal(content, 'once\n');
    else assert.equal(content, '', JSON.stringify(last));
    process.stdout.write(`    (${last?.type === 'RUN_FINISHED' ? 'it ran once' : JSON.stringify(last)})\n`);
    endedWell(await say('/invocations', 'restarted', 'hello'));
  },
);

await server.stop();
await model.stop();
await rm(folder, { recursive: true, force: true });
process.exitCode = failed === 0 ? 0 : 1;
