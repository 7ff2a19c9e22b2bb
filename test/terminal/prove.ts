/**
 * `agentcore-agui chat` and `invoke` in a real terminal: what a person sees and may press. Needs tmux. Prints a line for
 * each proof; exit code 1 when one fails.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SpawnedServer, spawnServer } from '../support/spawn-server.ts';
import { Terminal } from './terminal.ts';

const root = join(import.meta.dirname, '../..');
const node = `"${process.execPath}"`;
const cli = `${node} "${join(root, 'src/cli/main.ts')}"`;
const folder = await mkdtemp(join(tmpdir(), 'agentcore-agui-terminal-'));
/** Escape sequences that set a colour or a style. */
const styled = new RegExp(`${String.fromCharCode(27)}\\[(?!0?m|39m|49m)[0-9;]*m`);
let serial = 0;

const proofs: readonly (readonly [string, (server: SpawnedServer) => Promise<void>])[] = [
  [
    'a turn is shown as it is said, and the prompt comes back',
    ({ url }) =>
      inTerminal(`${cli} chat --url ${url}`, {}, async (terminal) => {
        await terminal.shows(/you/);
        terminal.type('hello to you', 'Enter');
        await terminal.shows(/hello to you\n(.*\n)*.*\? you/);
        assert.match(terminal.screen(true), styled);
      }),
  ],
  [
    'a question is answered with the arrow keys, and the run goes on',
    ({ url }) =>
      inTerminal(`${cli} chat --url ${url}`, {}, async (terminal) => {
        await terminal.shows(/you/);
        terminal.type('/ask', 'Enter');
        await terminal.shows(/❯/);
        terminal.type('', 'Enter');
        await terminal.shows(/Answered\n(.*\n)*.*\? you/);
      }),
  ],
  [
    'Ctrl-C at a question walks away from it: what it asked for is denied',
    ({ url }) =>
      inTerminal(`${cli} chat --url ${url}`, {}, async (terminal) => {
        await terminal.shows(/you/);
        terminal.type('/ask', 'Enter');
        await terminal.shows(/❯/);
        terminal.type('', 'C-c');
        await terminal.shows(/Denied\n(.*\n)*.*\? you/);
      }),
  ],
  [
    'Ctrl-C ends the run at the server and gives the prompt back, where a second one leaves',
    ({ url }) =>
      inTerminal(`${cli} chat --url ${url}`, {}, async (terminal) => {
        await terminal.shows(/you/);
        terminal.type('/work', 'Enter');
        await terminal.shows(/Working/);
        terminal.type('', 'C-c');
        await terminal.shows(/cancelled(.*\n)+.*\? you/i);
        const ping = await (await fetch(`${url}/ping`)).text();
        assert.match(ping, /"Healthy"/);
        terminal.type('', 'C-c');
        await terminal.shows(/exit code \d+/);
      }),
  ],
  [
    'a second Ctrl-C during a run leaves at once',
    ({ url }) =>
      inTerminal(`${cli} invoke /work --url ${url}`, {}, async (terminal) => {
        await terminal.shows(/Working/);
        terminal.type('', 'C-c', 'C-c');
        await terminal.shows(/exit code 130/);
      }),
  ],
  [
    'NO_COLOR and --no-color leave no colour on the screen',
    async ({ url }) => {
      await inTerminal(`${cli} invoke "no colour" --url ${url} --verbose`, { NO_COLOR: '1' }, isPlain);
      await inTerminal(`${cli} invoke "no colour" --url ${url} --verbose --no-color`, {}, isPlain);
    },
  ],
  [
    'a usage error is one line with exit code 2',
    ({ url }) =>
      inTerminal(`${cli} invoke hello --url ${url} --transport pigeon`, {}, async (terminal) => {
        const screen = await terminal.shows(/exit code 2/);
        assert.match(screen, /--transport/);
      }),
  ],
];

async function isPlain(terminal: Terminal): Promise<void> {
  await terminal.shows(/colour(.*\n)+exit code 0/);
  assert.doesNotMatch(terminal.screen(true), styled);
}

async function inTerminal(
  command: string,
  environment: Readonly<Record<string, string>>,
  prove: (terminal: Terminal) => Promise<void>,
): Promise<void> {
  serial += 1;
  const terminal = new Terminal(`proof-${process.pid}-${serial}`, command, environment);
  try {
    await prove(terminal);
  } catch (thrown) {
    process.stderr.write(`${terminal.screen().trimEnd()}\n`);
    throw thrown;
  } finally {
    terminal.close();
  }
}

const kernel = `${node} "${join(root, 'test/fake-kernel/main.ts')}" --port {port}`;
const server = await spawnServer({ AGUI_CONFIG_DIR: folder, AGUI_KERNEL_COMMAND: kernel });
let failed = 0;
for (const [title, prove] of proofs) {
  try {
    await prove(server);
    process.stdout.write(`ok: ${title}\n`);
  } catch (thrown) {
    failed += 1;
    process.stdout.write(`NOT OK: ${title}\n${thrown instanceof Error ? thrown.message : thrown}\n`);
  }
}
await server.stop();
await rm(folder, { recursive: true, force: true });
process.exitCode = failed === 0 ? 0 : 1;
