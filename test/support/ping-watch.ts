/** Asks `/ping` without a pause from a thread of its own, and remembers how long the longest answer took. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const program = `
  const { parentPort, workerData } = require('node:worker_threads');
  let isOver = false;
  parentPort.once('message', () => { isOver = true; });
  (async () => {
    let longest = 0;
    let count = 0;
    await (await fetch(workerData)).text();
    parentPort.postMessage('ready');
    while (!isOver) {
      const started = performance.now();
      const answer = await fetch(workerData);
      await answer.text();
      if (answer.status !== 200) throw new Error('status ' + answer.status);
      longest = Math.max(longest, performance.now() - started);
      count += 1;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    parentPort.postMessage({ longest, count });
  })();
`;

/** Longest `/ping` in milliseconds while `work` is under way. */
export async function longestPing(url: string, work: () => Promise<void>): Promise<number> {
  const worker = new Worker(program, { eval: true, workerData: `${url}/ping` });
  try {
    await once(worker, 'message');
    await work();
    worker.postMessage('over');
    const [{ longest, count }] = (await once(worker, 'message')) as [{ longest: number; count: number }];
    if (count === 0) throw new Error('/ping was never answered meanwhile');
    return longest;
  } finally {
    await worker.terminate();
  }
}
