/** How the bytes of a stream come: when, in which form, and what keeps the connection alive in between. */
import { passed, type Severity, skipped, source, type Verdict, type WireCheck } from '../check.ts';
import { type Exchange, isTerminal, recordsOf, textOf } from '../exchange.ts';
import type { Lab, Run } from '../lab.ts';
import { isStreamed, unlike } from './invocation-checks.ts';

/** Shorter runs don't tell streaming from buffering. */
const tellingMs = 1_500;
const endMs = 2_000;
const heartbeatMs = 15_000;
/** A timer may come late. */
const heartbeatSlackMs = 3_000;
const slowRunMs = 50_000;

export const streamChecks: readonly WireCheck[] = [
  onStream(
    'invocations.streaming',
    'warning',
    'Chat answers are streamed while they are made, not sent when all is done',
    source.contract('Path requirements, /invocations'),
    proveStreaming,
  ),
  onStream(
    'stream.ends',
    'error',
    'The answer ends behind the terminal event',
    source.agui('HttpAgent'),
    (run) => {
      const end = recordsOf(run.exchange).find(({ event }) => event !== undefined && isTerminal(event));
      const isOpen = run.exchange.ending !== 'complete' || run.exchange.took - (end?.at ?? 0) > endMs;
      return isOpen ? unlike('the connection stays open, so that clients wait on', run) : passed;
    },
  ),
  onStream(
    'stream.line-ends',
    'error',
    'Records end with line feeds alone',
    source.agui('encoding'),
    (run) =>
      textOf(run.exchange).includes('\r')
        ? unlike('the stream has carriage returns, which the official client can’t read', run)
        : passed,
  ),
  onStream('stream.utf8', 'error', 'The stream is UTF-8', source.agui('encoding'), (run) =>
    isUtf8(run.exchange) ? passed : unlike('the body has bytes that are not UTF-8', run),
  ),
  onStream(
    'stream.compression',
    'warning',
    'A stream of events is not compressed, as compression holds events back',
    source.agui('encoding'),
    (run) =>
      (run.exchange.headers.get('content-encoding') ?? 'identity') === 'identity'
        ? passed
        : unlike(`the stream is compressed: ${run.exchange.headers.get('content-encoding')}`, run),
  ),
  {
    id: 'stream.heartbeat',
    sentence: 'A silent stream carries an SSE comment about every 15 s',
    source: source.agui('keep-alive'),
    severity: 'warning',
    on: 'http',
    prove: proveHeartbeat,
  },
];

function onStream(
  id: string,
  severity: Severity,
  sentence: string,
  from: string,
  judge: (run: Run) => Verdict,
): WireCheck {
  const prove = async (lab: Lab): Promise<Verdict> => {
    const run = await lab.example();
    return isStreamed(run) ? judge(run) : skipped('the example gave no whole stream of events');
  };
  return { id, severity, sentence, source: from, on: 'http', prove };
}

function proveStreaming(run: Run): Verdict {
  const records = recordsOf(run.exchange);
  const first = records[0]?.at ?? 0;
  const last = records.at(-1)?.at ?? 0;
  if (last < tellingMs) return skipped(`the run took ${Math.round(last)} ms, too short to tell`);
  if (first < last * 0.9) return passed;
  return unlike(
    `the first event came after ${Math.round(first)} ms of ${Math.round(last)}, with all others`,
    run,
  );
}

async function proveHeartbeat(lab: Lab): Promise<Verdict> {
  const { slow } = lab.settings.prompts;
  const runs: Run[] = [await lab.example()];
  if (slow !== undefined) runs.push(await lab.run({ prompt: slow, timeoutMs: slowRunMs }));
  for (const run of runs) {
    const silence = longestSilence(run.exchange);
    if (silence > heartbeatMs + heartbeatSlackMs) {
      return unlike(`the stream was silent for ${(silence / 1_000).toFixed(1)} s`, run);
    }
    if (longestWithoutEvent(run.exchange) > heartbeatMs) return passed;
  }
  const hint = slow === undefined ? '; --slow-prompt names words that make it so' : '';
  return skipped(`the agent was never silent for 15 s${hint}`);
}

function longestSilence({ arrivals, took }: Exchange): number {
  return longestGap([0, ...arrivals.map(({ at }) => at), took]);
}

function longestWithoutEvent(exchange: Exchange): number {
  return longestGap([0, ...recordsOf(exchange).map(({ at }) => at), exchange.took]);
}

function longestGap(moments: readonly number[]): number {
  return Math.max(0, ...moments.slice(1).map((at, index) => at - (moments[index] ?? at)));
}

function isUtf8({ arrivals }: Exchange): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (const { bytes } of arrivals) decoder.decode(bytes, { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}
