/**
 * One run as its reader sees it: from the request to its terminal event, over whatever connections that takes. Before
 * the first event a failed attempt is made again as the retry policy says; after it the run is never sent again, but
 * attached to where the server has shown that this can be done.
 */
import { type JsonObject, objectAt, stringAt } from '../protocol/json.ts';
import { abortError, type ClientError, isClientError } from './client-error.ts';
import type { Headers } from './headers.ts';
import { OpenSpans } from './open-spans.ts';
import { pause } from './pause.ts';
import { readRunError } from './read-refusal.ts';
import { type RetryRules, retryDelay } from './retry-policy.ts';
import type { Cursor, Received, ReceivedEvent, Transport } from './transport.ts';

export interface RunStreamParts {
  readonly transport: Transport;
  readonly rules: RetryRules;
  /** What has been learned of the server, shared by all runs of a client. */
  readonly peer: Peer;
  readonly onRetry: ((notice: RetryNotice) => void) | undefined;
}

export interface Peer {
  /** Runs are known by their ids: sending one twice does not do it twice, and it can be attached to. */
  isOurs: boolean;
}

export interface RetryNotice {
  readonly what: 'retry' | 'attach';
  readonly attempt: number;
  readonly delayMs: number;
  readonly problem: ClientError;
}

export interface RunRequest {
  readonly threadId: string;
  readonly runId: string;
  /** What is sent first: the input, or an `attach`. */
  readonly message: JsonObject;
  readonly sessionId: string | undefined;
  readonly headers: Headers | undefined;
  readonly signal: AbortSignal;
}

/** Reconnections in a row without a new event. */
const maxAttaches = 3;

export class RunStream {
  readonly #request: RunRequest;
  readonly #parts: RunStreamParts;
  readonly #spans = new OpenSpans();
  #cursor: Cursor | undefined;
  #hasEvents = false;
  #loss: ClientError | undefined;

  constructor(request: RunRequest, parts: RunStreamParts) {
    this.#request = request;
    this.#parts = parts;
  }

  /** Ends behind the terminal event. Throws `ClientError` only. */
  async *events(): AsyncGenerator<ReceivedEvent> {
    let { message } = this.#request;
    let failures = 0;
    for (;;) {
      const seenBefore = this.#hasEvents;
      try {
        for await (const received of this.#parts.transport.stream({ ...this.#request, message })) {
          failures = 0;
          if (this.#isToldToReturn(received.event)) {
            message = this.#attach();
            await pause(this.#parts.rules.baseMs, this.#request.signal);
            break;
          }
          yield* this.#take(received, seenBefore);
          if (isTerminal(received.event)) return;
        }
      } catch (thrown) {
        if (!isClientError(thrown)) throw thrown;
        message = await this.#next(thrown, message, failures);
        failures += 1;
      }
    }
  }

  *#take({ event, cursor, requestId }: Received, isContinued: boolean): Generator<ReceivedEvent> {
    if (!this.#hasEvents && isRefusal(event)) throw readRunError(event, requestId);
    this.#hasEvents = true;
    this.#loss = undefined;
    if (cursor !== undefined) {
      this.#cursor = cursor;
      this.#parts.peer.isOurs = true;
    }
    if (isContinued && event.type === 'RUN_STARTED') {
      // Too much was missed: a summary follows, in the same run for our reader.
      yield* this.#spans.closeAll();
      return;
    }
    this.#spans.see(event);
    yield event;
  }

  /** What to send next, after its wait. Throws when the run can't be had. */
  async #next(problem: ClientError, sent: JsonObject, failures: number): Promise<JsonObject> {
    const { signal } = this.#request;
    if (signal.aborted) throw abortError(signal);
    const { rules, peer } = this.#parts;
    if (!this.#hasEvents) {
      // Our own earlier attempt has started the run, and its answer was lost.
      if (failures > 0 && problem.fault === 'DUPLICATE_RUN_ID') return this.#attach();
      const attempts = { made: failures, isIdempotent: peer.isOurs || 'control' in sent };
      const delayMs = retryDelay(problem, attempts, rules, Math.random());
      if (delayMs === undefined) throw problem;
      await this.#wait('retry', problem, failures, delayMs);
      return sent;
    }
    // What is told in the end is that the run was lost, and not how coming back was refused.
    this.#loss ??= problem;
    const isOver = failures >= Math.min(maxAttaches, rules.maxRetries);
    if (this.#cursor === undefined || !isLost(problem) || isOver) throw this.#loss;
    const delayMs = rules.baseMs * 2 ** failures * (0.5 + Math.random() / 2);
    await this.#wait('attach', problem, failures, delayMs);
    return this.#attach();
  }

  /** The stream's time was over, and not the run. Its last event is not the run's, and no place in it. */
  #isToldToReturn(event: ReceivedEvent): boolean {
    const ours = objectAt(objectAt(event, 'metadata'), 'agentcore-agui');
    const isDeadline = event.type === 'RUN_ERROR' && stringAt(ours, 'fault') === 'STREAM_DEADLINE';
    return isDeadline && this.#cursor !== undefined;
  }

  #attach(): JsonObject {
    const { threadId, runId } = this.#request;
    return attachMessage(threadId, runId, this.#cursor);
  }

  async #wait(
    what: RetryNotice['what'],
    problem: ClientError,
    failures: number,
    delayMs: number,
  ): Promise<void> {
    this.#parts.onRetry?.({ what, attempt: failures + 1, delayMs, problem });
    await pause(delayMs, this.#request.signal);
  }
}

/** `protocolVersion` tells the server that an ending of AG-UI 1.0 is understood. */
export function attachMessage(threadId: string, runId: string, cursor: Cursor | undefined): JsonObject {
  const { after = 0, offset } = cursor ?? {};
  return {
    control: 'attach',
    threadId,
    runId,
    after,
    ...(offset === undefined ? {} : { offset }),
    protocolVersion: '1.0',
  };
}

export function isTerminal({ type }: ReceivedEvent): boolean {
  return type === 'RUN_FINISHED' || type === 'RUN_ERROR';
}

/**
 * A socket has no statuses, and some containers answer 200 to everything: a run that is refused by one of the platform's
 * codes before it began is the same failure as one that is refused by a status.
 */
function isRefusal(event: ReceivedEvent): boolean {
  return event.type === 'RUN_ERROR' && refusalCodes.has(stringAt(event, 'code') ?? '');
}

const refusalCodes: ReadonlySet<string> = new Set([
  'UNAUTHORIZED',
  'ACCESS_DENIED',
  'VALIDATION_ERROR',
  'RATE_LIMIT_EXCEEDED',
  'SESSION_BUSY',
  'SERVICE_QUOTA_EXCEEDED',
  'INTERNAL_ERROR',
]);

/** The connection was lost, or the next one could not be had; a refusal of the server is none of these. */
function isLost({ code, status }: ClientError): boolean {
  return code === 'TRUNCATED' || code === 'CONNECTION_FAILED' || (status !== undefined && status >= 500);
}
