/** The operations of the data plane over HTTP: one function each, and the refusal of whatever fails before an answer. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { invocationsUrl } from '../client/runtime-endpoint.ts';
import type { AdmittedCall, DataPlane } from './data-plane.ts';
import type { DoorAddress } from './door-address.ts';
import type { DoorLog } from './door-log.ts';
import { headersForContainer, sessionHeaderName } from './header-filter.ts';
import { PlatformError, toPlatformError } from './platform-error.ts';
import { readBody } from './read-body.ts';
import { answerJson, refuse, requestIdAnswerHeader } from './refuse.ts';
import { relayInvocation } from './relay-invocation.ts';

export interface HttpDoorParts {
  readonly plane: DataPlane;
  readonly log: DoorLog;
}

/** Never rejects. */
export async function serveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { plane, log }: HttpDoorParts,
): Promise<void> {
  const requestId = randomUUID();
  response.setHeader(requestIdAnswerHeader, requestId);
  let address: DoorAddress | undefined;
  try {
    address = plane.locate(request);
    await serveOperation({ address, request, response, requestId, plane });
    log('answered', { requestId, operation: address.operation, status: response.statusCode });
  } catch (thrown) {
    const error = toPlatformError(thrown);
    refuse(response, error, isAgui(address) ? 'agui' : 'native');
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    log('refused', {
      requestId,
      operation: address?.operation,
      exception: error.exception,
      message: error.message,
      cause,
    });
  }
}

function isAgui(address: DoorAddress | undefined): boolean {
  return address?.operation === 'InvokeAgentRuntime' && address.runtime.protocol === 'AGUI';
}

interface Exchange {
  readonly address: DoorAddress;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly plane: DataPlane;
}

async function serveOperation(exchange: Exchange): Promise<void> {
  const { address, request, response, plane } = exchange;
  if (address.operation === 'GetRuntimeProtectedResourceMetadata') return describe(exchange);
  // An upgrade takes another way; as a plain request there is nothing to be had here.
  if (address.operation === 'InvokeAgentRuntimeWithWebSocketStream') {
    throw new PlatformError('ValidationException', 'this address is for WebSocket connections');
  }
  const body = await readBody(request, address.runtime.limits.payloadBytes);
  const call = await plane.admit(request, address, body);
  const { fault } = call;
  if (fault?.kind === 'status') return answerJson(response, fault.status, { message: 'fault on demand' });
  if (fault?.kind === 'drop' && fault.after === 0) return void request.socket.destroy();
  if (address.operation === 'StopRuntimeSession') return stopSession(call, response);
  return invoke(exchange, call, body);
}

async function invoke(
  { address, request, response, requestId }: Exchange,
  call: AdmittedCall,
  body: Uint8Array,
): Promise<void> {
  const { runtime } = address;
  const { sessionId, desk, caller, fault } = call;
  const session = await desk.sessions.acquire(sessionId);
  const rules = { allowlist: runtime.requestHeaderAllowlist, isJwt: desk.tokens !== undefined };
  const facts = { headers: request.headers, sessionId, requestId, userId: caller.userId };
  await relayInvocation({
    runtime,
    session,
    headers: headersForContainer(facts, rules),
    body,
    response,
    dropAfter: fault?.kind === 'drop' ? fault.after : undefined,
  });
}

async function stopSession({ desk, sessionId }: AdmittedCall, response: ServerResponse): Promise<void> {
  if (!(await desk.sessions.stop(sessionId))) {
    throw new PlatformError('ResourceNotFoundException', 'no such session, or it has ended already');
  }
  response.setHeader(sessionHeaderName, sessionId);
  answerJson(response, 200, {});
}

/** RFC 9728. Needs no authorization. */
function describe({ address, request, response, plane }: Exchange): void {
  const { runtime, qualifier } = address;
  if (runtime.authorizer === 'AWS_IAM') {
    throw new PlatformError('ResourceNotFoundException', 'this runtime takes signed requests, not OAuth');
  }
  const { discoveryUrl, allowedScopes } = runtime.authorizer.customJWTAuthorizer;
  const target = {
    kind: 'runtime',
    arn: runtime.arn,
    qualifier,
    endpoint: plane.originFor(request),
  } as const;
  answerJson(response, 200, {
    resource: invocationsUrl(target).href,
    authorization_servers: [discoveryUrl.replace(/\/\.well-known\/openid-configuration$/, '')],
    bearer_methods_supported: ['header'],
    ...(allowedScopes === undefined ? {} : { scopes_supported: allowedScopes }),
  });
}
