/** Headers → caller. The same for HTTP requests and WebSocket upgrades. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../application/run-service.ts';
import { fault } from '../errors/fault.ts';
import type { Identity } from '../ports/identity.ts';
import type { RateLimit } from '../ports/rate-limit.ts';
import type { Clock, Ids } from '../ports/runtime.ts';
import { parseSessionId, type RequestId, requestId, type SessionId } from '../protocol/ids.ts';
import { readRequestContext } from './request-context.ts';
import type { ResourceAddress } from './resource-metadata.ts';

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
  /** Where clients reach the server, where the deployment knows it. */
  readonly publicAddress: ResourceAddress | undefined;
  /** Undefined where callers may ask as often as they like. */
  readonly rateLimit: RateLimit | undefined;
  /** Headers, in lower case, that a remote agent is to get. */
  readonly forwardHeaders: readonly string[];
}

/** A request as far as it says who sends it. */
export interface Knock {
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string | undefined;
  readonly requestId: RequestId;
}

/** Authenticates first, so that an unknown caller learns nothing about the rest of its request. */
export async function identifyCaller(knock: Knock, rules: CallerRules): Promise<Caller> {
  const { headers, remoteAddress, requestId } = knock;
  const { authorization } = headers;
  const { subject, expiresAt } = await rules.identity.authenticate({ authorization });
  admitCall({ subject, remoteAddress }, rules);
  const sessionId = sessionOf(headers, rules.requireSession);
  return {
    requestId,
    subject,
    expiresAt,
    sessionId,
    acceptLanguage: headers['accept-language'],
    context: readRequestContext(headers, { requestId, sessionId, subject }, rules.forwardHeaders),
  };
}

/**
 * Counts one request of a caller; throws `too-many-requests`. Who can't be told from others by name is told by
 * address.
 */
export function admitCall(
  { subject, remoteAddress }: { readonly subject: string | null; readonly remoteAddress: string | undefined },
  { rateLimit }: CallerRules,
): void {
  if (rateLimit === undefined) return;
  const key = subject === null ? `address ${remoteAddress}` : `subject ${subject}`;
  const seconds = rateLimit.take(key);
  if (seconds !== undefined) throw fault('too-many-requests', { seconds });
}

/** For connections that outlive their credentials. Throws `credentials-invalid` when the proof holds no longer. */
export function assertStillProven({ expiresAt }: Caller, clock: Clock): void {
  if (expiresAt !== undefined && clock.now() > expiresAt) throw fault('credentials-invalid');
}
