/** Control messages: the same JSON on `/ws` and as a body of `POST /invocations` (AgentCore routes nothing else). */
import type { Caller, RunService } from '../application/run-service.ts';
import { fault } from '../errors/fault.ts';
import { type JsonObject, stringAt } from '../protocol/json.ts';

export type Control =
  | { readonly control: 'ping' }
  | { readonly control: 'cancel'; readonly threadId: string; readonly runId: string }
  /**
   * `after` is the number of the last event seen, 0 for none; `offset` how many UTF-16 units of the next event's delta
   * have been seen too.
   */
  | {
      readonly control: 'attach';
      readonly threadId: string;
      readonly runId: string;
      readonly after: number;
      readonly offset: number;
    };

export function isControl(body: JsonObject): boolean {
  return Object.hasOwn(body, 'control');
}

/** Throws `control-unknown`, or `envelope-invalid` when a member is missing. */
export function parseControl(body: JsonObject): Control {
  switch (body.control) {
    case 'ping':
      return { control: 'ping' };
    case 'cancel':
      return { control: 'cancel', threadId: memberOf(body, 'threadId'), runId: memberOf(body, 'runId') };
    case 'attach':
      return {
        control: 'attach',
        threadId: memberOf(body, 'threadId'),
        runId: memberOf(body, 'runId'),
        after: countAt(body, 'after'),
        offset: countAt(body, 'offset'),
      };
    default:
      throw fault('control-unknown', {
        given: typeof body.control === 'string' ? body.control.slice(0, 40) : '',
      });
  }
}

/** The answer to a control message that has one, as JSON. */
export async function answerControl(
  control: Exclude<Control, { control: 'attach' }>,
  caller: Caller,
  service: RunService,
): Promise<JsonObject> {
  if (control.control === 'ping') return { control: 'pong' };
  const { threadId, runId } = control;
  return { ...control, status: await service.cancelRun(caller, threadId, runId) };
}

/** A whole number, as JSON number or digits (an SSE id is text); 0 when absent. */
function countAt(body: JsonObject, where: string): number {
  const given = body[where] ?? 0;
  const count = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given;
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count;
  throw fault('envelope-invalid', { where, problem: 'expected a whole number, 0 or more' });
}

function memberOf(body: JsonObject, name: string): string {
  const value = stringAt(body, name);
  if (value === undefined || value === '')
    throw fault('envelope-invalid', { where: name, problem: 'expected a non-empty string' });
  return value;
}
