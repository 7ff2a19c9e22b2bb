/**
 * Which failure is worth another attempt, how often and after how long. Pure: the dice are given. Only for what happened
 * before the first event; later a run is attached to, never sent again.
 *
 * Follows the client decision table of the project's AgentCore notes: conflict in progress, throttling, cold starts,
 * faults of the service, closed sockets.
 */
import type { ClientError } from './client-error.ts';

export interface RetryRules {
  /** Attempts after the first one, of any kind. Default 6; 0 switches retrying off. */
  readonly maxRetries: number;
  /** Wait before the first retry, in milliseconds; doubles each time. Default 200. */
  readonly baseMs: number;
  /** No wait is longer, unless the server asks for it. Default 10,000. */
  readonly maxMs: number;
  /** A server that asks for a longer wait than this is not waited for. Default 60,000. */
  readonly maxRetryAfterMs: number;
}

export const defaultRetryRules: RetryRules = {
  maxRetries: 6,
  baseMs: 200,
  maxMs: 10_000,
  maxRetryAfterMs: 60_000,
};

export interface Attempts {
  /** Retries already made. */
  readonly made: number;
  /** The server knows a run that is sent twice by its id, so that a lost answer may be asked for again. */
  readonly isIdempotent: boolean;
}

/** Milliseconds to wait before trying again, or undefined: give up. `chance` is 0 to 1. */
export function retryDelay(
  problem: ClientError,
  { made, isIdempotent }: Attempts,
  rules: RetryRules,
  chance: number,
): number | undefined {
  const limit = Math.min(retriesFor(problem, isIdempotent), rules.maxRetries);
  if (made >= limit) return undefined;
  const asked = problem.retryAfterMs;
  if (asked !== undefined) return asked <= rules.maxRetryAfterMs ? asked : undefined;
  const whole = Math.min(rules.baseMs * 2 ** made, rules.maxMs);
  // Half fixed, half by chance: callers that failed together do not come back together.
  return whole / 2 + (whole / 2) * chance;
}

const conflicts = 6;
const throttles = 6;
const faults = 3;
const coldStarts = 1;

function retriesFor(problem: ClientError, isIdempotent: boolean): number {
  switch (problem.code) {
    case 'SESSION_BUSY':
      return problem.retryable ? conflicts : 0;
    case 'RATE_LIMIT_EXCEEDED':
      return throttles;
    case 'CONNECTION_FAILED':
      return problem.isUnsent || isIdempotent ? faults : 0;
    case 'TRUNCATED':
      return closeRetries(problem, isIdempotent);
    case 'AGENT_ERROR':
    case 'INTERNAL_ERROR':
      return statusRetries(problem, isIdempotent);
    default:
      return 0;
  }
}

/** A socket or a stream that ended before it said anything. */
function closeRetries({ closeCode }: ClientError, isIdempotent: boolean): number {
  switch (closeCode) {
    // Going away, internal error, restart, try again later.
    case 1001:
    case 1011:
    case 1012:
    case 1013:
      return faults;
    // Wrong data, policy, too large: it would be refused again.
    case 1002:
    case 1003:
    case 1007:
    case 1008:
    case 1009:
    case 1010:
      return 0;
    default:
      return isIdempotent ? faults : 0;
  }
}

function statusRetries({ code, status, retryable, fault }: ClientError, isIdempotent: boolean): number {
  // A container that is still starting.
  if (status === 424 || status === 504) return coldStarts;
  // A socket has no status.
  const isServerFault = status === undefined ? code === 'INTERNAL_ERROR' : status >= 500;
  // Our server names its fault: it means what it says.
  return isServerFault && (isIdempotent || (retryable && fault !== undefined)) ? faults : 0;
}
