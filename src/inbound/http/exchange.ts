/**
 * One HTTP request and its answer, with what every route needs of it: ids, language, the peer's departure, the way a
 * fault is told. Routes are functions of an exchange.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, Door } from '../../application/run-service.ts';
import { toFault } from '../../errors/fault.ts';
import { chooseLanguage, type Language } from '../../language/choose-language.ts';
import type { Clock, Log } from '../../ports/runtime.ts';
import type { Span } from '../../ports/telemetry.ts';
import type { RequestId } from '../../protocol/ids.ts';
import type { Knock } from '../caller.ts';
import { logFault, requestFields } from '../request-log.ts';
import type { Audience } from '../stream/dialect.ts';
import { sendFault } from './fault-response.ts';

export interface ExchangeSetting {
  readonly door: Door;
  readonly requestId: RequestId;
  readonly fallbackLanguage: Language;
  readonly challenge: () => string | undefined;
  readonly log: Log;
  readonly clock: Clock;
  readonly span: Span;
}

export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly gone: AbortSignal;
  readonly requestId: RequestId;
  readonly fallbackLanguage: Language;
  readonly #setting: ExchangeSetting;
  #audience: Audience;
  #sessionId: Caller['sessionId'];

  constructor(request: IncomingMessage, response: ServerResponse, setting: ExchangeSetting) {
    this.request = request;
    this.response = response;
    this.requestId = setting.requestId;
    this.fallbackLanguage = setting.fallbackLanguage;
    this.#setting = setting;
    this.gone = departure(response);
    this.#watchEnd();
    response.setHeader('x-amzn-requestid', setting.requestId);
    this.#audience = {
      door: setting.door,
      language: chooseLanguage({
        preferred: undefined,
        acceptLanguage: request.headers['accept-language'],
        fallback: setting.fallbackLanguage,
      }),
      requestId: setting.requestId,
      threadId: undefined,
      runId: undefined,
      isModern: true,
    };
  }

  /** Writes lines with what is known of the request by now. */
  get log(): Log {
    return this.#setting.log.child({ ...this.#fields() });
  }

  get audience(): Audience {
    return this.#audience;
  }

  get knock(): Knock {
    const { headers, socket } = this.request;
    return { headers, remoteAddress: socket.remoteAddress, requestId: this.requestId };
  }

  /** What is learnt of the request as it is read: from here on its faults are told in this way. */
  learn(known: Partial<Omit<Audience, 'door' | 'requestId'>>): void {
    this.#audience = { ...this.#audience, ...known };
  }

  /** Answers with the fault, unless a stream has begun; logs what only the operator may know. */
  fail(thrown: unknown): void {
    const problem = toFault(thrown);
    logFault(this.#setting.log, problem, this.#fields());
    sendFault(this.request, this.response, problem, this.#audience, this.#setting.challenge());
  }

  /** Who asks; its runs belong to this request. */
  identified(caller: Caller): Caller {
    const { span } = this.#setting;
    this.#sessionId = caller.sessionId;
    span.set({ 'session.id': caller.sessionId });
    return { ...caller, trace: { span, isSocket: false } };
  }

  /** All that the answer takes is done: what was traced of it can be sent before its connection is given up. */
  endSpan(): void {
    const { statusCode } = this.response;
    this.#setting.span.set({ 'http.response.status_code': statusCode });
    this.#setting.span.end(statusCode >= 500 ? String(statusCode) : undefined);
  }

  #fields(): object {
    return requestFields(this.#audience, this.#sessionId, this.#setting.span);
  }

  #watchEnd(): void {
    const { socket, method } = this.request;
    const startedAt = this.#setting.clock.now();
    const bytesBefore = socket.bytesWritten;
    this.response.once('close', () => {
      this.endSpan();
      this.#setting.log.debug('request ended', {
        ...this.#fields(),
        door: this.#setting.door,
        method,
        status: this.response.statusCode,
        durationMs: this.#setting.clock.now() - startedAt,
        bytes: socket.bytesWritten - bytesBefore,
      });
    });
  }

  sendJson(status: number, body: unknown): void {
    if (this.response.destroyed) return;
    const text = JSON.stringify(body);
    this.response.writeHead(status, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'Content-Length': Buffer.byteLength(text),
    });
    this.response.end(text);
  }
}

/** Aborted when the connection closes before the answer was written to its end. */
function departure(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
