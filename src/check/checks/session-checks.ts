/** Sessions and callers: what belongs to one must not reach another, and who may come in at all. */
import { passed, skipped, source, type Verdict, type WireCheck } from '../check.ts';
import { eventsOf, mediaTypeOfExchange, type TypedEvent, textOf } from '../exchange.ts';
import { exampleInput, makeSession } from '../inputs.ts';
import { hasEnded, isGood, type Lab, type Run } from '../lab.ts';
import { unlike } from './invocation-checks.ts';

const protocol = source.contract('Protocol implementation requirements');
const oauth = source.contract('OAuth authentication responses');

export const sessionChecks: readonly WireCheck[] = [
  {
    id: 'session.header-isolates',
    sentence:
      'The platform adds X-Amzn-Bedrock-AgentCore-Runtime-Session-Id, and what belongs to one session is kept from another',
    source: protocol,
    // On AgentCore each session has a machine of its own, which keeps them apart whatever the container does.
    severity: 'warning',
    on: 'http',
    prove: proveIsolation,
  },
  {
    id: 'session.parallel-runs',
    sentence: 'Runs at the same time do not mix',
    source: source.platform('several requests of a session may run at once'),
    severity: 'error',
    on: 'http',
    prove: proveParallel,
  },
  {
    id: 'session.header-malformed',
    sentence: 'A session id that the platform could not have sent is refused',
    source: protocol,
    severity: 'info',
    on: 'http',
    prove: async (lab) => {
      if (!isGood(await lab.example())) return skipped('the example did not run');
      const run = await lab.run({ sessionId: 'x y' });
      const isTaken = eventsOf(run.exchange).some(({ type }) => type === 'RUN_STARTED');
      return isTaken ? unlike('a session id of three characters is taken', run) : passed;
    },
  },
  whenRefused(
    'oauth.status',
    'An agent with OAuth answers an authentication error with the standard HTTP status',
    (run) =>
      run.exchange.status === 401 || run.exchange.status === 403
        ? passed
        : unlike('a caller without credentials gets another status', run),
  ),
  whenRefused(
    'oauth.event',
    'A 401 is text/event-stream with RUN_ERROR UNAUTHORIZED and x-amzn-requestid',
    (run) => {
      if (run.exchange.status !== 401) return skipped('the answer is no 401');
      const [event] = eventsOf(run.exchange);
      const isTold = event?.type === 'RUN_ERROR' && event['code'] === 'UNAUTHORIZED';
      const isStream = mediaTypeOfExchange(run.exchange) === 'text/event-stream';
      return isTold && isStream ? passed : unlike('the 401 has no RUN_ERROR UNAUTHORIZED as SSE', run);
    },
  ),
  whenRefused('oauth.www-authenticate', 'A 401 carries WWW-Authenticate', (run) => {
    if (run.exchange.status !== 401) return skipped('the answer is no 401');
    return run.exchange.headers.has('www-authenticate')
      ? passed
      : unlike('the 401 has no WWW-Authenticate', run);
  }),
];

/** A container may leave callers to the platform: then there is nothing to see. */
function whenRefused(
  id: string,
  sentence: string,
  judge: (run: Pick<Run, 'exchange'>) => Verdict,
): WireCheck {
  const prove = async (lab: Lab): Promise<Verdict> => {
    if (!lab.site.hasCredentials) return skipped('only with --auth: the container asks nobody who they are');
    const body = exampleInput(lab.settings);
    const exchange = await lab.site.request({ body, sessionId: makeSession(), isAnonymous: true });
    if (eventsOf(exchange).some(({ type }) => type === 'RUN_STARTED'))
      return skipped('the container leaves callers to the platform');
    return judge({ exchange });
  };
  return { id, sentence, source: oauth, severity: 'warning', on: 'http', prove };
}

async function proveIsolation(lab: Lab): Promise<Verdict> {
  if (!isGood(await lab.example())) return skipped('the example did not run');
  const { words, stranger } = await lab.sessions();
  if (!textOf(stranger.exchange).includes(words[0])) return passed;
  return unlike('another session, asking on the same threadId, was told the word of the first', stranger);
}

async function proveParallel(lab: Lab): Promise<Verdict> {
  if (!isGood(await lab.example())) return skipped('the example did not run');
  const { words, first, second } = await lab.sessions();
  const pairs = [
    { run: first, other: second, foreign: words[1] },
    { run: second, other: first, foreign: words[0] },
  ];
  for (const { run, other, foreign } of pairs) {
    if (!hasEnded(run)) return unlike('of two runs at the same time, one did not come to its end', run);
    if (textOf(run.exchange).includes(foreign)) return unlike('a run shows what was said in the other', run);
    if (eventsOf(run.exchange).some((event) => hasIdsOf(event, other))) {
      return unlike('a run has the ids of the other', run);
    }
  }
  return passed;
}

function hasIdsOf(event: TypedEvent, { threadId, runId }: Run): boolean {
  return event['threadId'] === threadId || event['runId'] === runId;
}
