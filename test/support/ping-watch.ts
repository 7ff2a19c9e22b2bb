/**
 * Asks `/ping` without a pause from a thread of its own, and remembers the longest piece of work in between: the time for
 * which the server, on this thread, could not have answered. Counted as work and not as waiting, because other programs
 * may have the machine's cores.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { cpuMs } from './cpu-time.ts';

const program = `
  const { parentPort, workerData } = require('node:worker_threads');
  let isOver = false;
  parentPort.once('message', () => { isOver = true; });
  (async () => {
    let count = 0;
    await (await fetch(workerData)).text();
    parentPort.postMessage('ready');
    while (!isOver) {
      const answer = await fetch(workerData);
      await answer.text();
      if (answer.status !== 200) throw new Error('status ' + answer.status);
      count += 1;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    parentPort.postMessage(count);
  })();
`;

/** Longest stall of `/ping` in milliseconds of work while `work` is under way. */
export async function longestPing(url: string, work: () => Promise<void>): Promise<number> {
  const worker = new Worker(program, { eval: true, workerData: `${url}/ping` });
  const turns = watchTurns();
  try {
    await once(worker, 'message');
    await work();
    worker.postMessage('over');
    const [count] = (await once(worker, 'message')) as [number];
    if (count === 0) throw new Error('/ping was never answered meanwhile');
    return turns.longest();
  } finally {
    turns.stop();
    await worker.terminate();
  }
}

/** How long this thread has worked at most from one look of its event loop to the next. */
function watchTurns(): { longest(): number; stop(): void } {
  let longest = 0;
  let before = cpuMs();
  const timer = setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1);
  return { longest: () => longest, stop: () => clearInterval(timer) };
}
