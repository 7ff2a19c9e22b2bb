/** `GET /ping`, at rest and beside a run. */
import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { failed, passed, type Severity, skipped, source, type Verdict, type WireCheck } from '../check.ts';
import { describe, type Exchange, isTerminal, mediaTypeOfExchange, recordsOf, textOf } from '../exchange.ts';
import type { Lab, PingBeside, WatchedRun } from '../lab.ts';

const section = source.contract('Path requirements, /ping');
const statuses: readonly unknown[] = ['Healthy', 'HealthyBusy'];
/** Clocks of two machines may differ. */
const skewSeconds = 5;
const slowPingMs = 2_000;

export const pingChecks: readonly WireCheck[] = [
  ping('ping.get', 'error', 'GET /ping says whether the agent works and can take requests', ([first]) => {
    const isThere = first.status !== undefined && ![404, 405, 501].includes(first.status);
    return isThere ? passed : unlike('there is no GET /ping', first);
  }),
  ping(
    'ping.status-code',
    'error',
    'The status code is 200 when healthy and a fitting error code when not',
    ([first]) => (first.status === 200 ? passed : unlike('an agent at rest does not answer 200', first)),
  ),
  ping('ping.json', 'error', 'The answer has Content-Type application/json', ([first]) =>
    mediaTypeOfExchange(first) === 'application/json'
      ? passed
      : unlike(`the Content-Type is ${first.headers.get('content-type') ?? 'not given'}`, first),
  ),
  ping('ping.status', 'error', 'status is there and is Healthy or HealthyBusy', ([first]) => {
    const { status } = bodyOf(first) ?? {};
    if (statuses.includes(status)) return passed;
    return unlike(
      status === undefined ? 'the body has no status' : `status is ${JSON.stringify(status)}`,
      first,
    );
  }),
  ping(
    'ping.last-update',
    'error',
    'time_of_last_update is optional and is the Unix second of the last change of status',
    ([first]) => {
      const stamp = stampOf(first);
      if (stamp === undefined) return passed;
      const why = wrongStamp(stamp, Date.now() / 1_000);
      return why === undefined ? passed : unlike(why, first);
    },
  ),
  ping(
    'ping.last-update-still',
    'error',
    'time_of_last_update does not move from ping to ping while nothing changes',
    proveStill,
  ),
  besideRun(
    'ping.busy',
    'warning',
    'While work goes on status is HealthyBusy, which keeps the session alive',
    (beside) => (beside.some(({ exchange }) => isBusy(exchange)) ? passed : notBusy(beside[0])),
  ),
  besideRun(
    'ping.while-running',
    'error',
    'GET /ping is answered while the agent works',
    (beside) => {
      const slow = beside.find(
        ({ from, to, exchange }) => exchange.status === undefined || to - from > slowPingMs,
      );
      if (slow === undefined) return passed;
      const took = ((slow.to - slow.from) / 1_000).toFixed(1);
      return unlike(`beside a run the ping took ${took} s`, slow.exchange);
    },
    source.platform('sessions'),
  ),
  {
    id: 'ping.last-update-moves',
    sentence: 'time_of_last_update moves when status changes',
    source: section,
    severity: 'warning',
    on: 'http',
    prove: proveMoves,
  },
];

type Pings = readonly [Exchange, ...Exchange[]];

function ping(id: string, severity: Severity, sentence: string, judge: (pings: Pings) => Verdict): WireCheck {
  const prove = async (lab: Lab): Promise<Verdict> => {
    if (lab.site.isBehindPlatform) return skipped('the platform does not hand /ping on to callers');
    const [first, ...rest] = await lab.pingsAtRest();
    if (first === undefined) return skipped('no ping was sent');
    const isMissing = id !== 'ping.get' && (first.status === undefined || [404, 405].includes(first.status));
    return isMissing ? skipped('there is no GET /ping') : judge([first, ...rest]);
  };
  return { id, sentence, source: section, severity, on: 'http', prove };
}

function besideRun(
  id: string,
  severity: Severity,
  sentence: string,
  judge: (beside: readonly PingBeside[]) => Verdict,
  from: string = section,
): WireCheck {
  const prove = async (lab: Lab): Promise<Verdict> => {
    if (lab.site.isBehindPlatform) return skipped('the platform does not hand /ping on to callers');
    const [rest] = await lab.pingsAtRest();
    if (rest?.status !== 200) return skipped('there is no GET /ping that answers 200 at rest');
    const beside = pingsInside(await lab.example());
    return beside.length === 0
      ? skipped('the run was over before a ping could be answered beside it')
      : judge(beside);
  };
  return { id, sentence, source: from, severity, on: 'http', prove };
}

/** Pings asked and answered while events still came, and those asked then that took too long. */
function pingsInside({ exchange, pings }: WatchedRun): readonly PingBeside[] {
  const records = recordsOf(exchange);
  const begun = records[0]?.at;
  const ended = records.find(({ event }) => event !== undefined && isTerminal(event))?.at;
  if (begun === undefined || ended === undefined) return [];
  const isTelling = ({ from, to }: PingBeside): boolean => to < ended || to - from > slowPingMs;
  return pings.filter((each) => each.from >= begun && each.from < ended && isTelling(each));
}

function proveStill(pings: Pings): Verdict {
  const bodies = pings.map(bodyOf);
  if (bodies.some((body) => body?.['status'] !== 'Healthy')) return skipped('the agent was not at rest');
  const stamps = pings.map(stampOf);
  if (stamps.every((stamp) => stamp === stamps[0])) return passed;
  return failed('the stamp moves though nothing changes, so that the session never becomes idle', {
    sent: `${pings[0].sent}, ${pings.length} times, a while apart`,
    seen: pings.map((each) => textOf(each).trim()).join('\n'),
  });
}

async function proveMoves(lab: Lab): Promise<Verdict> {
  if (lab.site.isBehindPlatform) return skipped('the platform does not hand /ping on to callers');
  const run = await lab.example();
  const wasBusy = pingsInside(run).some(({ exchange }) => isBusy(exchange));
  if (!wasBusy) return skipped('no change of status was seen');
  const after = await lab.pingAfterRun();
  const stamp = stampOf(after);
  if (stamp === undefined) return passed;
  if (typeof stamp !== 'number' || wrongStamp(stamp, Date.now() / 1_000) !== undefined) {
    return skipped('the stamp is no Unix second');
  }
  if (stamp >= run.askedAt - skewSeconds) return passed;
  return unlike(`status changed at ${run.askedAt} or later, and the stamp is older`, after);
}

function notBusy(beside: PingBeside | undefined): Verdict {
  if (beside === undefined) return skipped('no ping was answered');
  return unlike(
    'a run that is longer than the idle limit is lost, as the agent says that it does nothing',
    beside.exchange,
  );
}

function wrongStamp(stamp: unknown, now: number): string | undefined {
  if (typeof stamp !== 'number') return `the stamp is no number: ${JSON.stringify(stamp)}`;
  if (stamp > now * 100) return `the stamp ${stamp} looks like milliseconds, not seconds`;
  if (!Number.isInteger(stamp)) return `the stamp ${stamp} is no whole number of seconds`;
  if (stamp < 0) return `the stamp ${stamp} lies before 1970`;
  return stamp > now + skewSeconds ? `the stamp ${stamp} lies in the future` : undefined;
}

/** How the word is spelled is another check's matter. */
function isBusy(exchange: Exchange): boolean {
  return /^healthy_?busy$/i.test(String(bodyOf(exchange)?.['status']));
}

function stampOf(exchange: Exchange): unknown {
  return bodyOf(exchange)?.['time_of_last_update'];
}

function bodyOf(exchange: Exchange): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(textOf(exchange));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function unlike(why: string, exchange: Exchange): Verdict {
  return failed(why, { sent: exchange.sent, seen: describe(exchange) });
}
