/** Calls that may be made twice without harm (controls), made again as the retry policy says. */
import { abortError, isClientError } from './client-error.ts';
import { pause } from './pause.ts';
import { type RetryRules, retryDelay } from './retry-policy.ts';
import type { RetryNotice } from './run-stream.ts';

export interface RetryingCall<Result> {
  readonly rules: RetryRules;
  readonly signal: AbortSignal;
  readonly onRetry: ((notice: RetryNotice) => void) | undefined;
  send(): Promise<Result>;
}

export async function retrying<Result>(call: RetryingCall<Result>): Promise<Result> {
  for (let made = 0; ; made += 1) {
    try {
      return await call.send();
    } catch (thrown) {
      if (call.signal.aborted) throw abortError(call.signal);
      if (!isClientError(thrown)) throw thrown;
      const delayMs = retryDelay(thrown, { made, isIdempotent: true }, call.rules, Math.random());
      if (delayMs === undefined) throw thrown;
      call.onRetry?.({ what: 'retry', attempt: made + 1, delayMs, problem: thrown });
      await pause(delayMs, call.signal);
    }
  }
}
