/**
 * Interrupt and resume with everything on disk, and how both grow with the history that the client sends along: from 1 to
 * 1,000 messages. Until the question is announced, and from its answer to the end of the run. Against a run without a
 * question on the same server.
 */
import { interleaved, type Measurement, type Sample } from '../measurement.ts';
import { nodeCommand, ours, type ServerProcess, startCommand } from '../processes.ts';

const question = 'Delete the file vpc.yaml';
const repeats = 20;

export async function measure(): Promise<Measurement> {
  const server = await startCommand(nodeCommand(...ours));
  try {
    return await interleaved('Interrupt and resume, embedded agent', 5, {
      'a history of 1 message': () => rounds(server, 1),
      'a history of 100': () => rounds(server, 100),
      'a history of 1,000': () => rounds(server, 1_000),
    });
  } finally {
    await server.stop();
  }
}

async function rounds(server: ServerProcess, history: number): Promise<Sample> {
  const cpuBefore = server.cpuSeconds();
  let asking = 0;
  let answering = 0;
  for (let index = 0; index < repeats; index += 1) {
    const threadId = crypto.randomUUID();
    const earlier = Array.from({ length: history - 1 }, (_none, at) => ({
      id: `m-${at}`,
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: 'A message of the conversation before, about as long as such messages are.',
    }));
    const started = performance.now();
    const asked = await run(server.url, threadId, [
      ...earlier,
      { id: crypto.randomUUID(), role: 'user', content: question },
    ]);
    const interruptId = /"interrupts":\[\{"id":"([^"]+)"/.exec(asked)?.[1];
    if (interruptId === undefined) throw new Error(`no question: ${asked.slice(-300)}`);
    const answered = performance.now();
    const resume = [{ interruptId, status: 'resolved', payload: { decision: 'deny' } }];
    const ended = await run(server.url, threadId, earlier, { resume });
    if (!ended.includes('"RUN_FINISHED"')) throw new Error(`no end: ${ended.slice(-300)}`);
    asking += answered - started;
    answering += performance.now() - answered;
  }
  return {
    'ms to the question': asking / repeats,
    'ms from the answer to the end': answering / repeats,
    'CPU ms for both': ((server.cpuSeconds() - cpuBefore) / repeats) * 1_000,
  };
}

async function run(
  url: string,
  threadId: string,
  messages: readonly object[],
  more: object = {},
): Promise<string> {
  const rest = { tools: [], context: [], state: {}, forwardedProps: {}, ...more };
  const body = JSON.stringify({
    threadId,
    runId: crypto.randomUUID(),
    protocolVersion: '1.0',
    messages,
    ...rest,
  });
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${url}/invocations`, { method: 'POST', headers, body })).text();
}
