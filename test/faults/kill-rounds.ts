/**
 * kill -9 at any moment of run → interrupt → resume → answer, round after round: a kernel that lives on, servers that
 * die, clients that do not give up. What must hold is counted, so that a round says what it found.
 *
 *     node test/faults/kill-rounds.ts 100 [seed]
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FakeKernel } from '../fake-kernel/fake-kernel.ts';
import type { Script } from '../fake-kernel/turn.ts';
import { spawnServer } from '../support/spawn-server.ts';
import { StubbornClient } from './stubborn-client.ts';

export interface RoundsReport {
  readonly rounds: number;
  readonly threads: number;
  /** Threads whose interrupt was announced before the kill, whose answer was under way, that had ended. */
  readonly killed: {
    readonly asking: number;
    readonly asked: number;
    readonly answering: number;
    readonly done: number;
  };
  /** Every breach of what is promised, in a sentence. */
  readonly breaches: readonly string[];
}

const threadsPerRound = 5;
/** Longest time from the first request to the kill; a whole turn takes about half of it. */
const latestKillMs = 120;

export async function killRounds(rounds: number, seed: number): Promise<RoundsReport> {
  const random = randomFrom(seed);
  const executions = new Map<string, number>();
  const kernel = await FakeKernel.start({ script: executes(executions, random) });
  const folder = await mkdtemp(join(tmpdir(), 'agentcore-agui-kill-'));
  const environment = { AGUI_CONFIG_DIR: folder, AGUI_KERNEL_URL: kernel.url };
  const killed = { asking: 0, asked: 0, answering: 0, done: 0 };
  const breaches: string[] = [];
  try {
    let server = await spawnServer(environment);
    for (let round = 1; round <= rounds; round += 1) {
      const clients = Array.from(
        { length: threadsPerRound },
        (_, index) => new StubbornClient(`t-${round}-${index}`, () => pause(random() * 40)),
      );
      const turns = clients.map(async (client) => {
        await pause(random() * latestKillMs);
        await client.goOn(server.url);
      });
      await pause(random() * latestKillMs * 1.5);
      for (const { told } of clients) killed[phaseOf(told)] += 1;
      await server.kill();
      await Promise.all(turns);
      breaches.push(...(await unreadable(folder)));
      server = await spawnServer(environment);
      const { url } = server;
      await Promise.all(clients.map((client) => client.goOn(url)));
      breaches.push(...clients.flatMap((client) => judge(client, kernel, executions)));
    }
    await server.kill();
  } finally {
    await kernel.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return { rounds, threads: rounds * threadsPerRound, killed, breaches };
}

/** Asks before it does something that must be done once. */
function executes(executions: Map<string, number>, random: () => number): Script {
  return async (turn) => {
    const { taskId } = turn.names;
    turn.emit(turn.frames.working());
    await pause(random() * 10);
    await turn.ask(turn.frames.permission(`permission-of-${taskId}`));
    executions.set(taskId, (executions.get(taskId) ?? 0) + 1);
    turn.say('Executed');
    await pause(random() * 10);
    turn.emit(turn.frames.finalText('Executed'), turn.frames.endOfTurn());
  };
}

function phaseOf(told: StubbornClient['told']): 'asking' | 'asked' | 'answering' | 'done' {
  if (told.isDone) return 'done';
  if (told.hasAnswered) return 'answering';
  return told.interruptId === undefined ? 'asking' : 'asked';
}

/** What the kernel's log and the client's notes say against what is promised. */
function judge(
  { threadId, told }: StubbornClient,
  kernel: FakeKernel,
  executions: Map<string, number>,
): string[] {
  const breaches: string[] = [];
  const said = `${threadId} (${JSON.stringify(told)})`;
  if (!told.isDone) breaches.push(`${said} did not come to its end`);
  if (told.faults.includes('THREAD_BUSY')) breaches.push(`${said} found its thread busy after a restart`);
  const { interruptId } = told;
  const taskId = interruptId?.replace('permission-of-', '');
  const count = taskId === undefined ? undefined : executions.get(taskId);
  if (interruptId !== undefined && count !== 1) breaches.push(`${said} was executed ${count ?? 0} times`);
  const asks = kernel
    .callsOf('SendStreamingMessage')
    .filter(({ params }) => JSON.stringify(params).includes(`"${threadId}-`));
  if (asks.length > 1 && told.faults.length === 0)
    breaches.push(`${said} had its message sent ${asks.length} times`);
  return breaches;
}

/** State files that hold no whole JSON document. */
async function unreadable(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json'));
  const found: string[] = [];
  for (const name of names) {
    try {
      JSON.parse(await readFile(join(folder, name), 'utf8'));
    } catch {
      found.push(`${name} can't be read after a kill`);
    }
  }
  return found;
}

/** Mulberry32: the same rounds for the same seed, as far as timing lets them. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

if (import.meta.filename === process.argv[1]) {
  const [rounds = '100', seed = '1'] = process.argv.slice(2);
  const report = await killRounds(Number(rounds), Number(seed));
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  process.exitCode = report.breaches.length === 0 ? 0 : 1;
}
