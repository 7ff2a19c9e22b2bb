/** Control messages: the same JSON on `/ws` and as a body of `POST /invocations` (AgentCore routes nothing else). */
import type { Caller, RunService } from '../application/run-service.ts';
import { fault } from '../errors/fault.ts';
import { type JsonObject, stringAt } from '../protocol/json.ts';

export type Control =
  | { readonly control: 'ping' }
  | { readonly control: 'cancel'; readonly threadId: string; readonly runId: string }
  /** `after` is the number of the last event seen, 0 for none. */
  | { readonly control: 'attach'; readonly threadId: string; readonly runId: string; readonly after: number };

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
        after: cursorOf(body),
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

function cursorOf({ after }: JsonObject): number {
  const cursor = typeof after === 'string' && /^\d{1,15}$/.test(after) ? Number(after) : (after ?? 0);
  if (typeof cursor === 'number' && Number.isSafeInteger(cursor) && cursor >= 0) return cursor;
  throw fault('envelope-invalid', { where: 'after', problem: 'expected the number of the last event seen' });
}

function memberOf(body: JsonObject, name: string): string {
  const value = stringAt(body, name);
  if (value === undefined || value === '')
    throw fault('envelope-invalid', { where: name, problem: 'expected a non-empty string' });
  return value;
}
