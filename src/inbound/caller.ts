/** Headers → caller. The same for HTTP requests and WebSocket upgrades. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../application/run-service.ts';
import { fault } from '../errors/fault.ts';
import type { Identity } from '../ports/identity.ts';
import type { Ids } from '../ports/runtime.ts';
import { parseSessionId, type RequestId, requestId, type SessionId } from '../protocol/ids.ts';

export const sessionHeader = 'x-amzn-bedrock-agentcore-runtime-session-id';
const requestIdHeader = 'x-amzn-bedrock-agentcore-runtime-request-id';

/** The platform's request id when it looks like one, else a fresh one. */
export function requestIdOf(headers: IncomingHttpHeaders, ids: Ids): RequestId {
  const given = headers[requestIdHeader];
  const isSound = typeof given === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(given);
  return requestId(isSound ? given : ids.uuid());
}

/** The session of a request. Throws `session-header-invalid`, or `session-header-missing` where one is required. */
export function sessionOf(headers: IncomingHttpHeaders, isRequired: boolean): SessionId | undefined {
  const given = headers[sessionHeader];
  if (given === undefined) {
    if (isRequired) throw fault('session-header-missing');
    return undefined;
  }
  const session = typeof given === 'string' ? parseSessionId(given) : undefined;
  if (session === undefined) throw fault('session-header-invalid');
  return session;
}

export interface CallerRules {
  readonly identity: Identity;
  readonly requireSession: boolean;
}

/** Authenticates first, so that an unknown caller learns nothing about the rest of its request. */
export async function identifyCaller(
  headers: IncomingHttpHeaders,
  requestId: RequestId,
  rules: CallerRules,
): Promise<Caller> {
  const subject = await rules.identity.authenticate({ authorization: headers.authorization });
  return {
    requestId,
    subject,
    sessionId: sessionOf(headers, rules.requireSession),
    acceptLanguage: headers['accept-language'],
  };
}
