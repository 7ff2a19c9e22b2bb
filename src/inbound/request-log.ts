/** What log lines about requests say: the same names on HTTP and sockets. Faults are told once, by their public word. */
import type { Caller } from '../application/run-service.ts';
import type { Fault } from '../errors/fault.ts';
import type { Log } from '../ports/runtime.ts';
import type { Span } from '../ports/telemetry.ts';
import type { Audience } from './stream/dialect.ts';

/** The ids of a request as far as they are known. */
export function requestFields(audience: Audience, sessionId: Caller['sessionId'], span: Span): object {
  const { requestId, threadId, runId } = audience;
  return { requestId, sessionId, threadId, runId, ...span.ids };
}

/** What only the operator may know of a refusal. A caller's own mistakes are told only on request. */
export function logFault(log: Log, problem: Fault, fields: object): void {
  const told = { ...fields, fault: problem.code, reason: problem.fault, cause: problem.cause };
  if (problem.fault === 'internal') log.error('request failed', told);
  else if (problem.cause === undefined) log.debug('request refused', told);
  else log.info('request refused', told);
}
