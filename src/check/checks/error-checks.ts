/** How errors are told: malformed inputs before a run, a failure within one. */
import { failed, passed, type Severity, skipped, source, type Verdict, type WireCheck } from '../check.ts';
import {
  describe,
  type Exchange,
  eventsOf,
  mediaTypeOfExchange,
  type TypedEvent,
  textOf,
} from '../exchange.ts';
import { isGood, type Lab } from '../lab.ts';
import { unlike } from './invocation-checks.ts';

const section = source.contract('Error handling');

interface Refused {
  readonly name: string;
  readonly exchange: Exchange;
}

export const errorChecks: readonly WireCheck[] = [
  onRefusals(
    'input.answered',
    'error',
    'Every malformed body is answered',
    source.agui('RunAgentInput'),
    (all) =>
      first(
        all,
        'got no whole answer',
        ({ exchange }) => exchange.status === undefined || exchange.ending !== 'complete',
      ),
  ),
  onRefusals(
    'input.refused',
    'warning',
    'A malformed known field is refused before any event of a run',
    source.agui('RunAgentInput'),
    (all) =>
      first(all, 'was taken as a run', ({ exchange }) =>
        eventsOf(exchange).some(({ type }) => type === 'RUN_STARTED'),
      ),
  ),
  {
    id: 'input.survived',
    sentence: 'After malformed bodies the agent still works',
    source: source.platform('one container serves the whole session'),
    severity: 'error',
    on: 'http',
    prove: proveSurvived,
  },
  // The contract leaves to the container how its validation errors are handled, so these are no errors.
  onRefusals(
    'errors.always-sse',
    'warning',
    'Every error is one RUN_ERROR event with Content-Type text/event-stream, before and during streaming alike',
    section,
    (all) => first(all, 'is not answered with one RUN_ERROR as SSE', (each) => !isRunError(each.exchange)),
  ),
  onRefusals(
    'errors.connection-level-status',
    'warning',
    'An error before the agent runs carries the true HTTP status of the error',
    section,
    (all) =>
      first(
        all,
        'is the caller’s fault, and the status says something else',
        ({ exchange }) => !isClientFault(exchange),
      ),
  ),
  onRefusals(
    'errors.validation',
    'warning',
    'VALIDATION_ERROR is 400: Invalid request data or parameters',
    section,
    (all) => {
      const told = all.filter(
        ({ exchange }) =>
          isRunError(exchange) && isClientFault(exchange) && typeof codeOf(exchange) === 'string',
      );
      if (told.length === 0) return skipped('no malformed body was answered with a RUN_ERROR and a status');
      return first(
        told,
        'is not told as VALIDATION_ERROR with 400',
        ({ exchange }) => codeOf(exchange) !== 'VALIDATION_ERROR' || exchange.status !== 400,
      );
    },
  ),
  onRefusals('errors.run-error-members', 'warning', 'RUN_ERROR has a code and a message', section, (all) => {
    const told = all.filter(({ exchange }) => runErrorOf(exchange) !== undefined);
    if (told.length === 0) return skipped('no RUN_ERROR was seen');
    return first(told, 'has a RUN_ERROR that lacks a code or a message', ({ exchange }) => {
      const event = runErrorOf(exchange);
      const [code, message] = [event?.['code'], event?.['message']];
      return typeof code !== 'string' || typeof message !== 'string' || message === '';
    });
  }),
  onRefusals(
    'errors.no-internals',
    'warning',
    'An error never shows the raw text of an exception',
    section,
    (all) =>
      first(all, 'is answered with the inside of the program', ({ exchange }) =>
        internals.test(textOf(exchange)),
      ),
  ),
  // The platform adds one of its own.
  onRefusals('errors.request-id', 'info', 'An error response carries x-amzn-requestid', section, (all) =>
    first(
      all,
      'is answered without it',
      ({ exchange }) => exchange.status !== undefined && !exchange.headers.has('x-amzn-requestid'),
    ),
  ),
  {
    id: 'errors.runtime-status',
    sentence: 'An error while the agent runs is told in the stream, with HTTP status 200',
    source: section,
    severity: 'error',
    on: 'http',
    prove: proveRuntimeError,
  },
];

/** Lines of a stack, and what frameworks write around them. */
const internals =
  /Traceback \(most recent|\n\s+at .+[:(]\d+:\d+|File \\?"[^"]+\\?", line \d+|node_modules|site-packages|goroutine \d+/;

function onRefusals(
  id: string,
  severity: Severity,
  sentence: string,
  from: string,
  judge: (all: readonly Refused[]) => Verdict,
): WireCheck {
  const prove = async (lab: Lab): Promise<Verdict> => {
    const { exchange } = await lab.example();
    if (exchange.status === undefined || [404, 405].includes(exchange.status))
      return skipped('there is no POST /invocations');
    const all = await lab.refusals();
    if (id === 'input.answered') return judge(all);
    const answered = all.filter((each) => each.exchange.ending === 'complete');
    // What was taken for a run is another check's matter.
    const refused = answered.filter(
      (each) => !eventsOf(each.exchange).some(({ type }) => type === 'RUN_STARTED'),
    );
    const shown = id === 'input.refused' ? answered : refused;
    return shown.length === 0 ? skipped('no malformed body was refused') : judge(shown);
  };
  return { id, severity, sentence, source: from, on: 'http', prove };
}

function first(all: readonly Refused[], what: string, isWrong: (each: Refused) => boolean): Verdict {
  const wrong = all.filter(isWrong);
  const [shown] = wrong;
  if (shown === undefined) return passed;
  const { exchange, name } = shown;
  const others =
    wrong.length > 1
      ? `, and so ${wrong.length === 2 ? 'is' : 'are'} ${wrong.length - 1} more of ${all.length}`
      : '';
  return failed(`${name} ${what}${others}`, { sent: exchange.sent, seen: describe(exchange) });
}

function runErrorOf(exchange: Exchange): TypedEvent | undefined {
  return eventsOf(exchange).find(({ type }) => type === 'RUN_ERROR');
}

function isRunError(exchange: Exchange): boolean {
  const events = eventsOf(exchange);
  return (
    mediaTypeOfExchange(exchange) === 'text/event-stream' &&
    events.length === 1 &&
    events[0]?.type === 'RUN_ERROR'
  );
}

function isClientFault({ status = 0 }: Exchange): boolean {
  return status >= 400 && status < 500;
}

function codeOf(exchange: Exchange): unknown {
  return runErrorOf(exchange)?.['code'];
}

async function proveSurvived(lab: Lab): Promise<Verdict> {
  if (!isGood(await lab.example())) return skipped('the example did not run before either');
  await lab.refusals();
  const again = await lab.run();
  return isGood(again) ? passed : unlike('the example ran before them, and does not now', again);
}

async function proveRuntimeError(lab: Lab): Promise<Verdict> {
  const { failing } = lab.settings.prompts;
  if (failing === undefined) return skipped('--failing-prompt names words that make the agent fail');
  const run = await lab.run({ prompt: failing });
  const last = eventsOf(run.exchange).at(-1);
  if (last?.type === 'RUN_FINISHED')
    return skipped('the words of --failing-prompt did not make the agent fail');
  if (run.exchange.status !== 200)
    return unlike(`the failure came with status ${run.exchange.status ?? 'none'}`, run);
  return last?.type === 'RUN_ERROR' ? passed : unlike('the stream ends without telling the failure', run);
}
