/** `POST /extensions/iac-code/v1/executions/{executionId}/cancel`, as the iac-code AG-UI reference has it. */
import type { RunService } from '../../application/run-service.ts';
import { fault } from '../../errors/fault.ts';
import type { Clock } from '../../ports/runtime.ts';
import { stringAt } from '../../protocol/json.ts';
import { type CallerRules, identifyCaller } from '../caller.ts';
import type { Exchange } from './exchange.ts';
import { type BodyLimits, readJsonObject } from './json-body.ts';

export interface CancelRouteParts {
  readonly service: RunService;
  readonly callers: CallerRules;
  readonly clock: Clock;
  readonly body: BodyLimits;
}

/** 200 with `cancelled` or `already_terminal`; `execution-not-found` for what this caller can't see. */
export async function cancelRoute(
  exchange: Exchange,
  executionId: string,
  parts: CancelRouteParts,
): Promise<void> {
  const caller = exchange.identified(await identifyCaller(exchange.knock, parts.callers));
  const body = await readJsonObject(exchange.request, parts.body, parts.clock);
  const threadId = stringAt(body, 'threadId');
  const rosInvocationId = stringAt(body, 'rosInvocationId');
  for (const [where, value] of Object.entries({ threadId, rosInvocationId })) {
    if (value === undefined || value === '')
      throw fault('envelope-invalid', { where, problem: 'expected a non-empty string' });
  }
  const name = { executionId, rosInvocationId: rosInvocationId ?? '' };
  const status = await parts.service.cancelExecution(caller, threadId ?? '', name);
  if (status === 'not_found') throw fault('execution-not-found');
  exchange.sendJson(200, { executionId, status });
}
