/**
 * Three server processes with one table behind a proxy that deals requests out in turn, clocks wrong by up to ±5 s, and
 * one of the three killed without goodbye every few seconds. A thousand threads each want one turn with a question and
 * its answer. Proven at the end: the kernel was given each run once, every question was answered and its thread went
 * on, and none was stuck for longer than a lease and the clocks allow. Bounded; exit code 1 when anything is not so.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeKernel } from '../fake-kernel/fake-kernel.ts';
import { says } from '../fake-kernel/turn.ts';
import { startDynamo, tableName } from '../support/dynamo-table.ts';
import { ReplicaProcess, startProxy } from '../support/replica-processes.ts';
import { call, eventsOf, type WireEvent } from '../support/requests.ts';

const threads = Number(process.argv[2] ?? 1_000);
const clients = 24;
const killEveryMs = 6_000;
/** Lease 15 s, clocks 10 s for others, ±5 s of clocks on both sides, and what a request takes. */
const maxStuckMs = 40_000;
/** An answer that takes longer has been forgotten by somebody. */
const silentMs = 60_000;
const deadline = performance.now() + 300_000;

const kernel = await FakeKernel.start({
  script: async (turn) => {
    turn.emit(turn.frames.working());
    await turn.ask(turn.frames.permission(`permission-${turn.names.taskId}`));
    await says('Done')(turn);
  },
});
kernel.on('POST /iac-code/session/ensure-restored', (exchange) => exchange.json({ status: 'restored' }));
const dynamo = await startDynamo();
const folder = await mkdtemp(join(tmpdir(), 'agentcore-agui-replicas-'));
const replicas = [-5_000, 0, 5_000].map(
  (skewMs) =>
    new ReplicaProcess({
      kernelUrl: kernel.url,
      endpoint: dynamo.endpoint,
      table: tableName,
      folder,
      skewMs,
    }),
);
await Promise.all(replicas.map((replica) => replica.start()));
const proxy = await startProxy(replicas);

const count = { kills: 0, lost: 0, busy: 0, questions: 0, notAnnounced: 0, done: 0 };
let worstStuckMs = 0;
const problems: string[] = [];

async function ask(body: object): Promise<readonly WireEvent[]> {
  try {
    const answer = await Promise.race([
      call(`${proxy.url}/invocations`, { body: JSON.stringify(body) }),
      pause(silentMs),
    ]);
    if (answer === undefined) {
      problems.push(`no end of the answer to ${JSON.stringify(body).slice(0, 80)}`);
      return [];
    }
    const { text } = answer;
    return eventsOf(text.slice(0, text.lastIndexOf('\n\n') + 2));
  } catch {
    return [];
  }
}

const faultOf = (event: WireEvent | undefined): unknown =>
  Object(Object(event?.['metadata'])['agentcore-agui'])['fault'];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends turns and answers until one turn is through; a run id is used again only for the very same request. */
async function converse(index: number): Promise<void> {
  const threadId = `thread-${index}`;
  let serial = 0;
  let newest = '';
  let answer: object | undefined;
  let body = turnOf(threadId, `run-${index}-0`, answer);
  let busySince: number | undefined;
  while (performance.now() < deadline) {
    const events = await ask(body);
    const last = events.at(-1);
    const fault = faultOf(last);
    // Not refused, or not known to be: then it is the thread's newest run.
    if (events.length !== 1 || fault === 'DUPLICATE_RUN_ID') newest = `run-${index}-${serial}`;
    if (fault === 'THREAD_BUSY') {
      count.busy += 1;
      busySince ??= performance.now();
      worstStuckMs = Math.max(worstStuckMs, performance.now() - busySince);
      await pause(200);
      continue;
    }
    busySince = undefined;
    const interrupts: { id: string }[] = Object(last?.['outcome'])['interrupts'] ?? [];
    if (last?.type === 'RUN_FINISHED' && interrupts.length === 0) {
      count.done += 1;
      return;
    }
    if (last === undefined || (last.type !== 'RUN_FINISHED' && last.type !== 'RUN_ERROR')) {
      // The replica died, before or behind the reservation: the same request is sent again and is a duplicate then.
      count.lost += 1;
      await pause(100);
      continue;
    }
    serial += 1;
    const [interrupt] = interrupts;
    if (interrupt !== undefined) {
      count.questions += 1;
      answer = { interruptId: interrupt.id, status: 'resolved', payload: { decision: 'allow_once' } };
    } else if (fault === 'RESUME_REQUIRED') {
      // The question was saved and its announcement lost: it is announced again to who attaches to the newest run.
      const [again] = Object((await ask({ control: 'attach', threadId, runId: newest })).at(-1)?.['outcome'])[
        'interrupts'
      ] ?? [undefined];
      if (again === undefined) answer = undefined;
      else answer = { interruptId: again.id, status: 'resolved', payload: { decision: 'allow_once' } };
      if (again === undefined) count.notAnnounced += 1;
    } else {
      answer = undefined;
    }
    body = turnOf(threadId, `run-${index}-${serial}`, answer);
  }
  problems.push(`${threadId}: not through in time`);
}

function turnOf(threadId: string, runId: string, answer: object | undefined): object {
  const messages = [{ id: `message-${runId}`, role: 'user', content: runId }];
  const said = answer === undefined ? { messages } : { messages: [], resume: [answer] };
  return { threadId, runId, state: {}, tools: [], context: [], forwardedProps: {}, ...said };
}

let isOver = false;
const killer = (async () => {
  while (!isOver) {
    for (let waited = 0; waited < killEveryMs && !isOver; waited += 100) await pause(100);
    const victim = replicas[Math.floor(Math.random() * replicas.length)];
    if (isOver || victim === undefined) break;
    await victim.kill();
    count.kills += 1;
    await victim.start();
  }
})();

const begunAt = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: clients }, async () => {
    while (next < threads) await converse(next++);
  }),
);
isOver = true;
await killer;

/** A turn's text is its run id: the kernel's log says how often each was executed. */
const executions = Map.groupBy(
  kernel
    .callsOf('SendStreamingMessage')
    .filter(({ params }) => JSON.stringify(params).includes('message-run-')),
  ({ params }) => /"text":"(run-\d+-\d+)"/.exec(JSON.stringify(params))?.[1] ?? '?',
);
for (const [runId, calls] of executions)
  if (calls.length > 1) problems.push(`${runId} was executed ${calls.length} times`);
if (executions.size < threads) problems.push(`only ${executions.size} runs are in the kernel's log`);
if (worstStuckMs > maxStuckMs) problems.push(`a thread was busy for ${Math.round(worstStuckMs)} ms`);

const seconds = Math.round((performance.now() - begunAt) / 1_000);
console.log(
  `${threads} threads, ${executions.size} runs in the kernel's log, ${count.kills} kills, ${count.lost} answers lost, ${count.busy} times busy (longest ${Math.round(worstStuckMs)} ms), ${count.notAnnounced} attaches to ask again, ${count.done} threads through, ${seconds} s`,
);
for (const problem of problems.slice(0, 20)) console.error(`PROBLEM ${problem}`);
await Promise.all(replicas.map((replica) => replica.kill()));
proxy.close();
proxy.closeAllConnections();
await dynamo.close();
await kernel.stop();
await rm(folder, { recursive: true, force: true });
process.exit(problems.length === 0 ? 0 : 1);
