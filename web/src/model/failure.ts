/** Why a turn did not succeed, in the words of whoever said so, and what the person can do about it. */
import { isClientError } from '../../../src/client/client-error.ts';
import { type JsonObject, objectAt, stringAt } from '../../../src/protocol/json.ts';

/** What is safe to offer: the same run again (nothing can happen twice), the same words as a new run, or nothing. */
export type Remedy = 'same-run' | 'new-run' | 'none';

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly fault?: string;
  readonly requestId?: string;
  readonly remedy: Remedy;
}

/** A `RUN_ERROR` of a run that had begun: the run is over, whatever is tried next is a new one. */
export function failureOfEvent(event: JsonObject): Failure {
  const vendor = objectAt(objectAt(event, 'metadata'), 'agentcore-agui');
  return withoutAbsent({
    code: stringAt(event, 'code') ?? 'AGENT_ERROR',
    message: stringAt(event, 'message') ?? '',
    fault: stringAt(vendor, 'fault'),
    requestId: stringAt(vendor, 'requestId'),
    remedy: remedyOf(stringAt(event, 'code') ?? '', stringAt(vendor, 'fault'), true),
  });
}

/**
 * What the client threw. A request that may have reached the agent is only repeated under its own run id, by which the
 * server knows it; a run that had begun and is lost can only be asked for anew.
 */
export function failureOfThrown(thrown: unknown, hasBegun: boolean): Failure {
  if (!isClientError(thrown)) return { code: 'PAGE_ERROR', message: messageOf(thrown), remedy: 'none' };
  const { code, message, fault, requestId } = thrown;
  return withoutAbsent({ code, message, fault, requestId, remedy: remedyOf(code, fault, hasBegun) });
}

const hopeless: ReadonlySet<string> = new Set(['INVALID_ARGUMENT', 'RUN_ID_CONFLICT']);
const answersRefused: ReadonlySet<string> = new Set(['RESUME_ALREADY_APPLIED', 'UNKNOWN_INTERRUPT']);
const answersWrong: ReadonlySet<string> = new Set(['RESUME_PAYLOAD_INVALID', 'INCOMPLETE_RESUME']);

/** The answers were not taken, and the questions still wait. */
export function asksAgain({ code, fault }: Failure): boolean {
  return answersWrong.has(fault ?? code);
}

function remedyOf(code: string, fault: string | undefined, hasBegun: boolean): Remedy {
  if (answersWrong.has(fault ?? code)) return 'none';
  if (hopeless.has(code) || hopeless.has(fault ?? '') || answersRefused.has(fault ?? '')) return 'none';
  return hasBegun ? 'new-run' : 'same-run';
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function withoutAbsent(
  failure: {
    readonly [Name in keyof Failure]: Failure[Name] | undefined;
  },
): Failure {
  const kept = Object.entries(failure).filter(([, value]) => value !== undefined);
  // Only optional members can be undefined here.
  return Object.fromEntries(kept) as unknown as Failure;
}
