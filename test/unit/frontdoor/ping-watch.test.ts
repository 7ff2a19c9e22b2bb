/** What `/ping` answers mean for a session, and what is reported about them. */
import { describe, expect, it } from 'vitest';
import type { PingReport } from '../../../src/frontdoor/door-log.ts';
import { PingWatch } from '../../../src/frontdoor/ping-watch.ts';

function watch(rule: 'documented' | 'observed' = 'documented') {
  const reports: PingReport['kind'][] = [];
  const pings = new PingWatch(rule, ({ kind }) => reports.push(kind));
  const take = (body: unknown, at = 1_000, isQuiet = true, contentType = 'application/json') =>
    pings.take(
      { status: 200, contentType, body: typeof body === 'string' ? body : JSON.stringify(body) },
      at,
      isQuiet,
    );
  return { reports, pings, take };
}

describe('a /ping', () => {
  it('that says Healthy holds nothing; a change of status, and busyness, do', () => {
    const { take, reports } = watch();

    const activity = ['Healthy', 'Healthy', 'HealthyBusy', 'HealthyBusy', 'Healthy', 'Healthy'].map(
      (status, index) => take({ status, time_of_last_update: [1, 1, 2, 2, 3, 3][index] }).isActivity,
    );

    expect(activity).toEqual([false, false, true, true, true, false]);
    expect(reports).toEqual([]);
  });

  it('whose stamp moved though the status is the same counts as activity: there was a short phase in between', () => {
    const { take, reports } = watch();

    take({ status: 'Healthy', time_of_last_update: 1 });
    const moved = take({ status: 'Healthy', time_of_last_update: 2 }, 1_002, false);

    expect(moved.isActivity).toBe(true);
    expect(reports).toEqual([]);
  });

  it('is reported once when its stamp follows the clock, whatever that clock shows', () => {
    const { take, reports } = watch();

    for (let second = 0; second < 20; second += 2)
      take({ status: 'Healthy', time_of_last_update: second }, 1_000 + second);

    expect(reports).toEqual(['stamp-always-advances']);
  });

  it('is not reported when its stamp moves now and then, or with calls', () => {
    const { take, reports } = watch();

    for (let at = 0; at < 1_000; at += 100) take({ status: 'Healthy', time_of_last_update: at }, at);
    for (let at = 2_000; at < 2_020; at += 2) take({ status: 'Healthy', time_of_last_update: at }, at, false);

    expect(reports).toEqual([]);
  });

  it('that says busy without a stamp is reported, and holds by the documented rule only', () => {
    const documented = watch('documented');
    const observed = watch('observed');

    for (const { take } of [documented, observed]) take({ status: 'HealthyBusy' });

    expect(documented.take({ status: 'HealthyBusy' }).isActivity).toBe(true);
    expect(observed.take({ status: 'HealthyBusy' }).isActivity).toBe(false);
    expect(observed.reports).toEqual(['busy-without-stamp']);
  });

  it.each([
    [{ status: 'healthy' }, 'status-unknown'],
    [{ status: 'HEALTHY' }, 'status-unknown'],
    [{}, 'status-unknown'],
    [{ status: 'Healthy', time_of_last_update: '2026-01-01T00:00:00Z' }, 'stamp-not-integer'],
    [{ status: 'Healthy', time_of_last_update: 1.5 }, 'stamp-not-integer'],
    [{ status: 'Healthy', time_of_last_update: null }, 'stamp-not-integer'],
    [{ status: 'Healthy', time_of_last_update: 1_700_000_000_000 }, 'stamp-in-milliseconds'],
    [{ status: 'Healthy', time_of_last_update: 2_000 }, 'stamp-in-the-future'],
  ])('with the body %j is healthy all the same, and reported as %s', (body, kind) => {
    const { take, reports } = watch();

    expect(take(body)).toEqual({ isHealthy: true, isActivity: false });
    expect(reports).toEqual([kind]);
  });

  it('of another form than JSON is reported', () => {
    const { take, reports } = watch();

    take('Healthy', 1_000, true, 'text/plain');

    expect(reports).toEqual(['media-type', 'body-not-json', 'status-unknown']);
  });

  it('that is not 200 is unhealthy', () => {
    const { pings } = watch();

    expect(pings.take({ status: 503, contentType: undefined, body: '' }, 1, true)).toEqual({
      isHealthy: false,
      isActivity: false,
    });
  });
});
