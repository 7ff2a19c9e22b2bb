/**
 * One HTTP request and its answer, with what every route needs of it: ids, language, the peer's departure, the way a
 * fault is told. Routes are functions of an exchange.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Door } from '../../application/run-service.ts';
import { type Fault, toFault } from '../../errors/fault.ts';
import { chooseLanguage, type Language } from '../../language/choose-language.ts';
import type { Log } from '../../ports/runtime.ts';
import type { RequestId } from '../../protocol/ids.ts';
import type { Knock } from '../caller.ts';
import type { Audience } from '../stream/dialect.ts';
import { sendFault } from './fault-response.ts';

export interface ExchangeSetting {
  readonly door: Door;
  readonly requestId: RequestId;
  readonly fallbackLanguage: Language;
  readonly challenge: () => string | undefined;
  readonly log: Log;
}

export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly log: Log;
  readonly gone: AbortSignal;
  readonly requestId: RequestId;
  readonly fallbackLanguage: Language;
  readonly #setting: ExchangeSetting;
  #audience: Audience;

  constructor(request: IncomingMessage, response: ServerResponse, setting: ExchangeSetting) {
    this.request = request;
    this.response = response;
    this.log = setting.log;
    this.requestId = setting.requestId;
    this.fallbackLanguage = setting.fallbackLanguage;
    this.#setting = setting;
    this.gone = departure(response);
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
    logFault(this.log, problem);
    sendFault(this.request, this.response, problem, this.#audience, this.#setting.challenge());
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

function logFault(log: Log, problem: Fault): void {
  const fields = { fault: problem.fault, code: problem.code, cause: problem.cause };
  if (problem.fault === 'internal') log.error('request failed', fields);
  else if (problem.cause === undefined) log.debug('request refused', fields);
  else log.info('request refused', fields);
}
