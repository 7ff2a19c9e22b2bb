/** `POST /invocations` and `POST /`: a run's input in, its events out. One function for both doors. */
import type { Caller, Door, RunService, StartedRun } from '../../application/run-service.ts';
import { fault } from '../../errors/fault.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { accepts } from '../../wire/media-type.ts';
import { eventStreamMediaType } from '../../wire/sse-frame.ts';
import { type CallerRules, identifyCaller } from '../caller.ts';
import { answerControl, isControl, parseControl } from '../control.ts';
import { readRunRequest } from '../run-request.ts';
import { DeadlineReader } from '../stream/deadline.ts';
import type { Heartbeats } from '../stream/heartbeats.ts';
import { pump } from '../stream/pump.ts';
import type { Exchange } from './exchange.ts';
import { type BodyLimits, readJsonObject } from './json-body.ts';
import { SseWriter } from './sse-writer.ts';

export interface RunRouteParts {
  readonly service: RunService;
  readonly callers: CallerRules;
  readonly body: BodyLimits;
  readonly heartbeats: Heartbeats;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly streamDeadlineMs: number;
}

export async function runRoute(exchange: Exchange, door: Door, parts: RunRouteParts): Promise<void> {
  const caller = exchange.identified(await identifyCaller(exchange.knock, parts.callers));
  const body = await readJsonObject(exchange.request, parts.body, parts.clock);
  const run =
    door === 'agentcore' && isControl(body)
      ? await obey(body, caller, exchange, parts)
      : await start(body, door, caller, exchange, parts);
  if (run === undefined) return;
  const { telemetry } = parts;
  const writer = new SseWriter(exchange.response, {
    gone: exchange.gone,
    isNumbered: door === 'agentcore',
    beforeEnd: () => {
      exchange.endSpan();
      return telemetry.flush();
    },
    onHeartbeat: () => telemetry.meter.heartbeat(),
  });
  // Only this door can be attached to.
  const ms = door === 'agentcore' ? parts.streamDeadlineMs : 0;
  const limited = ms === 0 ? undefined : new DeadlineReader(run.reader, ms, parts.clock);
  const outcome = await pump(limited ?? run.reader, writer, exchange.audience, parts.heartbeats);
  if (limited?.isOver === true) run.readerLost('told-to-return');
  else if (outcome === 'gone') run.readerLost('cancel');
}

function start(
  body: JsonObject,
  door: Door,
  caller: Caller,
  exchange: Exchange,
  { service }: RunRouteParts,
): Promise<StartedRun> {
  const { fallbackLanguage, log } = exchange;
  const learn = exchange.learn.bind(exchange);
  const request = readRunRequest(body, { door, caller, fallbackLanguage, log, learn });
  checkAccept(exchange);
  return service.start(request);
}

/** A control message: answered as JSON, or by the stream that it asks for. */
async function obey(
  body: JsonObject,
  caller: Caller,
  exchange: Exchange,
  { service }: RunRouteParts,
): Promise<StartedRun | undefined> {
  const control = parseControl(body);
  if (control.control === 'attach') {
    checkAccept(exchange);
    exchange.learn({
      threadId: control.threadId,
      runId: control.runId,
      isModern: typeof body.protocolVersion === 'string',
    });
    return service.attach({ ...control, caller, language: exchange.audience.language });
  }
  exchange.sendJson(200, await answerControl(control, caller, service));
  return undefined;
}

function checkAccept({ request }: Exchange): void {
  if (!accepts(request.headers.accept, eventStreamMediaType)) throw fault('accept-unsupported');
}
