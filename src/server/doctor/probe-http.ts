/** A look at an address: whether anybody answers, and what time it is there. */
import { systemClock } from '../../outbound/system/system-runtime.ts';

export interface Probe {
  readonly status: number;
  readonly ms: number;
  /** The other clock minus ours, in seconds, as far as the answer says it: whole seconds. */
  readonly skewS: number | undefined;
  readonly body: string;
}

const limitMs = 5_000;
const maxBody = 200_000;

/** Rejects when nobody answers within five seconds. Redirects are not followed: they are an answer too. */
export async function probeHttp(url: string, method: 'GET' | 'HEAD' = 'GET'): Promise<Probe> {
  const startedAt = systemClock.now();
  const answer = await fetch(url, { method, redirect: 'manual', signal: AbortSignal.timeout(limitMs) });
  const endedAt = systemClock.now();
  const date = Date.parse(answer.headers.get('date') ?? '');
  const middle = (startedAt + endedAt) / 2;
  // The header is cut to the second: on average the other clock is half of one ahead of it.
  const skewS = Number.isNaN(date) ? undefined : Math.round((date + 500 - middle) / 1_000);
  const body = (await answer.text()).slice(0, maxBody);
  return { status: answer.status, ms: endedAt - startedAt, skewS, body };
}
