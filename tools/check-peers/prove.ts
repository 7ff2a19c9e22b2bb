/**
 * Installs the public peers, checks them and ourselves, and compares the table with the one in docs/checker.md; `--write`
 * puts it there. Says so and ends well where a registry or Python is missing.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Report, wordOf } from '../../src/check/report.ts';
import { runChecks } from '../../src/check/run-checks.ts';
import { defaultSettings } from '../../src/check/settings.ts';
import { ourselves, type Peer, peers } from './peers.ts';

const page = join(import.meta.dirname, '../../docs/checker.md');
const markers = [
  '<!-- table of peers: written by tools/check-peers/prove.ts -->',
  '<!-- end of the table -->',
] as const;
/** Whether a run is long enough to be judged depends on the machine, and the port on the day. */
const machineBound = new Set([
  'container.port',
  'container.host',
  'invocations.streaming',
  'stream.heartbeat',
]);

async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'check-peers-'));
  try {
    const all = [...peers, ourselves].map((peer, index) => ({ peer, own: join(folder, String(index)) }));
    for (const { peer, own } of all) {
      mkdirSync(own);
      if (!isInstalled(peer, own)) return 0;
    }
    // On a busy machine a run may be over before a ping has been answered beside it: another look.
    return (await isAsWritten(all)) || (await isAsWritten(all)) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isInstalled(peer: Peer, folder: string): boolean {
  try {
    peer.install(folder);
    return true;
  } catch (cause) {
    say(`SKIPPED: ${peer.name} can't be installed here, so the table of peers is not proven`);
    say(String(cause).split('\n')[0] ?? '');
    return false;
  }
}

interface Installed {
  readonly peer: Peer;
  readonly own: string;
}

async function isAsWritten(all: readonly Installed[]): Promise<boolean> {
  const reports = new Map<string, Report>();
  for (const { peer, own } of all) reports.set(peer.name, await reportOf(peer, own));
  return settle(tableOf(reports));
}

async function reportOf(peer: Peer, folder: string): Promise<Report> {
  const port = await freePort();
  const [program, ...args] = peer.command(folder, port);
  const child = spawn(program, args, { stdio: 'ignore' });
  try {
    const url = `http://127.0.0.1:${port}`;
    await untilAnswers(url, child);
    const prompts = { ...defaultSettings.prompts, failing: 'Please fail' };
    const report = await runChecks({ settings: { ...defaultSettings, url, hasWebSocket: true, prompts } });
    const { passed, error, warning, info } = report.counts;
    say(`${peer.name}: ${passed} passed, ${error} errors, ${warning} warnings, ${info} info`);
    return report;
  } finally {
    child.kill('SIGKILL');
  }
}

function tableOf(reports: ReadonlyMap<string, Report>): string {
  const columns = [...reports.values()].map(
    ({ results }) => new Map(results.map((each) => [each.id, wordOf(each)])),
  );
  const ids = [...(columns[0]?.keys() ?? [])].filter((id) => !machineBound.has(id));
  const rows = ids.map((id) => [
    `\`${id}\``,
    ...columns.map((column) => cellOf(column.get(id) ?? 'skipped')),
  ]);
  const lines = [['check', ...reports.keys()], ['---', ...[...reports].map(() => '---')], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellOf(word: string): string {
  return { passed: '✓', skipped: '–' }[word] ?? `**${word}**`;
}

function settle(table: string): boolean {
  const [begin, end] = markers;
  const text = readFileSync(page, 'utf8');
  const [head = '', rest = ''] = text.split(begin);
  const [before = '', tail = ''] = rest.split(end);
  if (before.trim() === table) return true;
  if (process.argv.includes('--write')) {
    writeFileSync(page, `${head}${begin}\n\n${table}\n\n${end}${tail}`);
    return true;
  }
  say(
    'the table in docs/checker.md is another one; node tools/check-peers/prove.ts --write puts this there:',
  );
  say(table);
  return false;
}

async function untilAnswers(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300 && child.exitCode === null; tries += 1) {
    const response = await fetch(`${url}/ping`).catch(() => undefined);
    if (response?.ok === true) return;
    await pause(100);
  }
  throw new TypeError(`nothing answers at ${url}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

process.exitCode = await main();
