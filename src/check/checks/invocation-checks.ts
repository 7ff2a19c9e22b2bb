/** `POST /invocations` with the contract's example: is there an answer, in the right form, with the right frame around it. */
import { failed, passed, skipped, source, type Verdict, type WireCheck } from '../check.ts';
import {
  describe,
  eventsOf,
  isTerminal,
  mediaTypeOfExchange,
  recordsOf,
  type TypedEvent,
  textOf,
} from '../exchange.ts';
import type { Lab, Run } from '../lab.ts';

const section = source.contract('Path requirements, /invocations');

export const invocationChecks: readonly WireCheck[] = [
  onExample('invocations.post', 'POST /invocations takes a request and streams the answer as SSE', (run) => {
    const { status } = run.exchange;
    return status !== undefined && status !== 404 && status !== 405
      ? passed
      : unlike('there is no POST /invocations', run);
  }),
  onExample('invocations.minimal-example', 'The RunAgentInput of the example runs as it stands', (run) => {
    if (isMissing(run)) return skipped('there is no POST /invocations');
    if (run.exchange.status !== 200)
      return unlike(`a lawful input is answered with ${run.exchange.status}`, run);
    const wrong = eventsOf(run.exchange).find(({ type }) => type === 'RUN_ERROR');
    return wrong === undefined ? passed : unlike('a lawful input ends in RUN_ERROR', run);
  }),
  onExample('invocations.content-type', 'The answer has Content-Type text/event-stream', (run) => {
    if (run.exchange.status !== 200) return skipped('the example did not run');
    const type = run.exchange.headers.get('content-type') ?? 'not given';
    return mediaTypeOfExchange(run.exchange) === 'text/event-stream'
      ? passed
      : unlike(`the Content-Type is ${type}`, run);
  }),
  onExample(
    'invocations.data-records',
    'Each event is one data: record that holds one JSON object',
    (run) => {
      if (run.exchange.status !== 200) return skipped('the example did not run');
      const records = recordsOf(run.exchange);
      if (records.length === 0) return unlike('the body has no SSE record', run);
      const wrong = records.find(({ event }) => event === undefined);
      return wrong === undefined
        ? passed
        : failed('a record is no JSON object with a type', { sent: run.exchange.sent, seen: wrong.data });
    },
  ),
  onExample(
    'invocations.run-started-first',
    'RUN_STARTED comes first, with the threadId and runId of the request',
    (run) =>
      withEvents(run, (events) => {
        const [first] = events;
        if (first?.type === 'RUN_ERROR') return skipped('the run was refused');
        if (first?.type !== 'RUN_STARTED') return unlike(`${first?.type ?? 'nothing'} comes first`, run);
        return sameIds(first, run);
      }),
  ),
  onExample(
    'invocations.run-finished-last',
    'RUN_FINISHED comes last, with the same threadId and runId',
    (run) =>
      withEvents(run, (events) => {
        const last = events.at(-1);
        if (last?.type === 'RUN_ERROR') return skipped('the run ended in RUN_ERROR');
        const end = events.find(({ type }) => type === 'RUN_FINISHED');
        if (end === undefined) return unlike('the stream ends without RUN_FINISHED or RUN_ERROR', run);
        return sameIds(end, run);
      }),
  ),
  onExample(
    'invocations.text-messages',
    'The agent’s text comes as TEXT_MESSAGE_START with role assistant, TEXT_MESSAGE_CONTENT deltas and TEXT_MESSAGE_END',
    (run) =>
      withEvents(run, (events) => {
        const starts = events.filter(({ type }) => type === 'TEXT_MESSAGE_START');
        if (!events.some(({ type }) => type.startsWith('TEXT_MESSAGE_')))
          return skipped('the agent said nothing');
        const foreign = starts.find(({ role }) => role !== undefined && role !== 'assistant');
        if (foreign !== undefined)
          return unlike(`a text of the agent has the role ${String(foreign['role'])}`, run);
        const isWhole = events.some(({ type }) => type === 'TEXT_MESSAGE_CHUNK') || starts.length > 0;
        return isWhole ? passed : unlike('there is text without TEXT_MESSAGE_START', run);
      }),
  ),
  {
    id: 'invocations.any-accept',
    sentence: 'A caller that names no media type gets text/event-stream too',
    source: source.platform('headers of the caller are passed on'),
    severity: 'warning',
    on: 'http',
    prove: proveAnyAccept,
  },
];

/** What holds for the example, once it has run. */
function onExample(id: string, sentence: string, judge: (run: Run) => Verdict): WireCheck {
  return {
    id,
    sentence,
    source: section,
    severity: 'error',
    on: 'http',
    prove: async (lab) => judge(await lab.example()),
  };
}

function withEvents(run: Run, judge: (events: readonly TypedEvent[]) => Verdict): Verdict {
  const events = eventsOf(run.exchange);
  return events.length === 0 ? skipped('the example gave no events') : judge(events);
}

function sameIds(event: TypedEvent, run: Run): Verdict {
  for (const name of ['threadId', 'runId'] as const) {
    if (event[name] === run[name]) continue;
    return failed(`${event.type} has another ${name} than the request`, {
      sent: run.exchange.sent,
      seen: JSON.stringify(event),
    });
  }
  return passed;
}

async function proveAnyAccept(lab: Lab): Promise<Verdict> {
  const { exchange: example } = await lab.example();
  if (mediaTypeOfExchange(example) !== 'text/event-stream') return skipped('the example did not stream');
  const run = await lab.run({ headers: { accept: '*/*' } });
  if (run.exchange.status === 200 && mediaTypeOfExchange(run.exchange) === 'text/event-stream') return passed;
  return unlike('with Accept: */* the answer is another one', run);
}

function isMissing({ exchange: { status } }: Run): boolean {
  return status === undefined || status === 404 || status === 405;
}

export function unlike(why: string, { exchange }: Pick<Run, 'exchange'>): Verdict {
  return failed(why, { sent: exchange.sent, seen: describe(exchange) });
}

export function isStreamed({ exchange }: Run): boolean {
  return (
    mediaTypeOfExchange(exchange) === 'text/event-stream' &&
    textOf(exchange) !== '' &&
    eventsOf(exchange).some(isTerminal)
  );
}
