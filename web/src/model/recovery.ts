/** What to do when a run's stream was refused or lost. Pure; the waiting and calling is `runtime/runner`. */
import { isClientError } from '../../../src/client/client-error.ts';
import { type Failure, failureOfThrown } from './failure.ts';

export interface Situation {
  /** An event of the run has been seen, by this page or before it was reloaded. */
  readonly hasBegun: boolean;
  /** Attempts in a row that brought no event. */
  readonly attempts: number;
}

export type Recovery =
  | { readonly kind: 'stop' }
  | { readonly kind: 'attach'; readonly afterMs: number }
  | { readonly kind: 'fail'; readonly failure: Failure };

/** About five minutes: as long as a deployment of a new version may take. */
const maxAttempts = 34;
const maxWaitMs = 10_000;

export function recover(thrown: unknown, { hasBegun, attempts }: Situation): Recovery {
  if (isClientError(thrown)) {
    if (thrown.code === 'ABORTED') return { kind: 'stop' };
    // The same request has arrived before, and its answer was lost.
    if (thrown.fault === 'DUPLICATE_RUN_ID' && attempts === 0) return { kind: 'attach', afterMs: 0 };
    const isLost =
      thrown.code === 'TRUNCATED' || thrown.code === 'CONNECTION_FAILED' || (thrown.status ?? 0) >= 500;
    if (isLost && hasBegun && attempts < maxAttempts) {
      return { kind: 'attach', afterMs: Math.min(maxWaitMs, 500 * 2 ** attempts) };
    }
  }
  return { kind: 'fail', failure: failureOfThrown(thrown, hasBegun) };
}
