/** Routes and their order. No listening, no composition. */
import express, { type Express, type Request, type Response } from 'express';
import type { Door, RunService } from '../../application/run-service.ts';
import { fault } from '../../errors/fault.ts';
import type { Language } from '../../language/choose-language.ts';
import type { Runtime } from '../../ports/runtime.ts';
import type { Span, Telemetry } from '../../ports/telemetry.ts';
import { type CallerRules, requestIdOf } from '../caller.ts';
import { metadataPath, resourceAddress } from '../resource-metadata.ts';
import type { Heartbeats } from '../stream/heartbeats.ts';
import { cancelRoute } from './cancel-route.ts';
import { capabilitiesRoute, type Limits } from './capabilities-route.ts';
import { addChatPage, type PageFiles } from './chat-page.ts';
import { answerOrigin } from './cors.ts';
import { Exchange } from './exchange.ts';
import { healthAnswer, pingAnswer } from './health-routes.ts';
import type { BodyLimits } from './json-body.ts';
import { metadataRoute } from './metadata-route.ts';
import { runRoute } from './run-route.ts';

export interface HttpParts {
  readonly service: RunService;
  readonly callers: CallerRules;
  readonly runtime: Runtime;
  readonly telemetry: Telemetry;
  readonly heartbeats: Heartbeats;
  readonly body: BodyLimits;
  readonly fallbackLanguage: Language;
  readonly serverVersion: string;
  /** Exact origins of other sites whose pages may call. */
  readonly allowedOrigins: readonly string[];
  /** As told to clients. */
  readonly limits: Limits;
  /** After so long a stream of the AgentCore door ends by itself; 0 for never. */
  readonly streamDeadlineMs: number;
  /** Absent: there is no chat page. */
  readonly page?: PageFiles | undefined;
}

/** Two ids. */
const maxCancelBytes = 65_536;

const cancelPath = '/extensions/iac-code/v1/executions/:executionId/cancel';

type Route = (exchange: Exchange, request: Request) => Promise<void> | void;

export function createExpressApp(parts: HttpParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  if (parts.allowedOrigins.length > 0) {
    app.use((request, response, next) => {
      if (!answerOrigin(request, response, parts.allowedOrigins)) next();
    });
  }

  const on = (door: Door, route: Route) => async (request: Request, response: Response) => {
    const exchange = openExchange(request, response, door, parts);
    try {
      await route(exchange, request);
    } catch (thrown) {
      exchange.fail(thrown);
    }
  };
  const runParts = { ...parts, clock: parts.runtime.clock };
  const cancelParts = { ...runParts, body: { ...parts.body, maxBytes: maxCancelBytes } };

  app.get('/ping', (_request, response) => answer(response, pingAnswer(parts.service.health())));
  app.get('/health', (_request, response) =>
    answer(response, healthAnswer(parts.service.health(), parts.serverVersion)),
  );
  app.post(
    '/invocations',
    on('agentcore', (exchange) => runRoute(exchange, 'agentcore', runParts)),
  );
  app.post(
    '/',
    on('iac-code', (exchange) => runRoute(exchange, 'iac-code', runParts)),
  );
  app.post(
    cancelPath,
    on('iac-code', (exchange, request) =>
      cancelRoute(exchange, String(request.params['executionId']), cancelParts),
    ),
  );
  app.get(
    '/capabilities',
    on('agentcore', (exchange) => capabilitiesRoute(exchange, parts)),
  );
  app.get(
    metadataPath,
    on('agentcore', (exchange) => metadataRoute(exchange, parts.callers)),
  );
  if (parts.page !== undefined) addChatPage(app, parts.page);
  app.all(cancelPath, on('iac-code', notAllowed('POST')));
  app.all('/ping', on('agentcore', notAllowed('GET, HEAD')));
  app.all('/health', on('iac-code', notAllowed('GET, HEAD')));
  app.all('/invocations', on('agentcore', notAllowed('POST')));
  app.all('/ws', on('agentcore', upgradeRequired));
  app.all(metadataPath, on('agentcore', notAllowed('GET, HEAD')));
  app.all('/capabilities', on('agentcore', notAllowed('GET, HEAD')));
  app.all('/', on('iac-code', notAllowed('POST')));
  app.use(on('agentcore', unknownPath));
  return app;
}

function openExchange(request: Request, response: Response, door: Door, parts: HttpParts): Exchange {
  const requestId = requestIdOf(request.headers, parts.runtime.ids);
  const addressOf = (asked: Request) => resourceAddress(asked, parts.callers.publicAddress);
  return new Exchange(request, response, {
    door,
    requestId,
    fallbackLanguage: parts.fallbackLanguage,
    challenge: () => parts.callers.identity.challenge(addressOf(request).metadataUrl),
    log: parts.runtime.log,
    clock: parts.runtime.clock,
    span: requestSpan(request, requestId, parts),
  });
}

/** Named after its route, never after what a stranger put into the address. */
function requestSpan({ method, route, headers }: Request, requestId: string, { telemetry }: HttpParts): Span {
  const path: unknown = route?.path;
  const known = typeof path === 'string' ? path : undefined;
  return telemetry.tracer.request(known === undefined ? method : `${method} ${known}`, headers, {
    'http.request.method': method,
    'http.route': known,
    'agentcore_agui.request.id': requestId,
  });
}

function answer(response: Response, { status, body }: { status: number; body: unknown }): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

function upgradeRequired({ response }: Exchange): void {
  response.setHeader('Upgrade', 'websocket');
  throw fault('upgrade-required');
}

function notAllowed(allowed: string): Route {
  return () => {
    throw fault('method-not-allowed', { allowed });
  };
}

function unknownPath(): never {
  throw fault('path-unknown');
}
