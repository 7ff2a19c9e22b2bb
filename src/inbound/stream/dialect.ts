/**
 * How a run's end, and every fault, is told to one client: in the words of its door, its language and its protocol
 * version. Pure.
 *
 * A client that sends no `protocolVersion` predates AG-UI 1.0 and is given nothing that would end it: no outcome
 * `cancelled`, no `pendingToolCallIds`. What lies between start and end needs no dialect, because the engine emits only what every client takes.
 */
import type { Door, RunEnding } from '../../application/run-service.ts';
import type { Fault } from '../../errors/fault.ts';
import { agentCoreSentence } from '../../language/agentcore-sentence.ts';
import type { Language } from '../../language/choose-language.ts';
import { sentence } from '../../language/sentence.ts';
import type { RunError, RunFinished } from '../../protocol/events.ts';
import type { JsonObject } from '../../protocol/json.ts';

export interface Audience {
  readonly door: Door;
  readonly language: Language;
  readonly requestId: string;
  readonly threadId: string | undefined;
  readonly runId: string | undefined;
  /** The client declared an AG-UI protocol version. */
  readonly isModern: boolean;
}

/** The event's vendor metadata: the fine reason behind a platform code, and whether trying again can help. */
export function faultMetadata(problem: Fault, audience: Audience): JsonObject {
  return {
    'agentcore-agui': {
      fault: problem.code,
      retryable: problem.row.retry === 'later',
      requestId: audience.requestId,
      ...(audience.threadId === undefined ? {} : { threadId: audience.threadId }),
      ...(audience.runId === undefined ? {} : { runId: audience.runId }),
    },
  };
}

/** The one way in which a fault becomes an event, on either door. */
export function toRunError(problem: Fault, audience: Audience, usage: RunEnding['usage'] = []): RunError {
  const isAgentCore = audience.door === 'agentcore';
  return {
    type: 'RUN_ERROR',
    message: isAgentCore
      ? agentCoreSentence(problem, audience.language)
      : sentence(problem, audience.language),
    code: isAgentCore ? problem.row.agentCore.code : problem.code,
    ...(usage.length > 0 ? { usage } : {}),
    metadata: faultMetadata(problem, audience),
  };
}

/** A client before 1.0 ends at this member, and finds the unanswered calls by itself. */
function pendingCalls(
  { pendingToolCallIds }: Extract<RunEnding, { kind: 'finished' }>,
  { isModern }: Audience,
): { readonly pendingToolCallIds?: readonly string[] } {
  return isModern && pendingToolCallIds !== undefined ? { pendingToolCallIds } : {};
}

export function toTerminal(ending: RunEnding, audience: Audience): RunFinished | RunError {
  const usage = ending.usage.length > 0 ? { usage: ending.usage } : {};
  const ids = { threadId: audience.threadId ?? '', runId: audience.runId ?? '' };
  switch (ending.kind) {
    case 'finished':
      return {
        type: 'RUN_FINISHED',
        ...ids,
        ...(ending.result === undefined || ending.result === null ? {} : { result: ending.result }),
        outcome: { type: 'success', ...pendingCalls(ending, audience) },
        ...usage,
      };
    case 'interrupted':
      return {
        type: 'RUN_FINISHED',
        ...ids,
        outcome: { type: 'interrupt', interrupts: ending.interrupts },
        ...usage,
      };
    case 'cancelled':
      if (audience.door === 'agentcore' && audience.isModern) {
        return { type: 'RUN_FINISHED', ...ids, outcome: { type: 'cancelled' }, ...usage };
      }
      return toRunError(ending.fault, audience, ending.usage);
    case 'failed':
      return toRunError(ending.fault, audience, ending.usage);
  }
}
