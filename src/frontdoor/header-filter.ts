/**
 * Which headers reach the container, and which may be put on a runtime's allow-list. Pure.
 *
 * Source: header allow-list of AgentCore Runtime. `Authorization` and custom headers pass only when they are listed, and
 * the first only behind a JWT authorizer. The container never sees `Origin`, cookies or `Sec-WebSocket-*`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { sessionHeader } from '../client/session-id.ts';

export const platformPrefix = 'x-amzn-bedrock-agentcore-runtime-';
export const customPrefix = `${platformPrefix}custom-`;
export const requestIdHeader = `${platformPrefix}request-id`;
export const userIdHeader = `${platformPrefix}user-id`;
export const sessionHeaderName = sessionHeader.toLowerCase();
const maxValueBytes = 4 * 1024;

/** Pass without being listed: what the service's own model has as parameters. */
const modelled = new Set([
  'content-type',
  'accept',
  'traceparent',
  'tracestate',
  'baggage',
  'x-amzn-trace-id',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
]);

/** Never pass, listed or not. */
const neverListed = new Set(
  `accept accept-charset accept-encoding accept-language accept-ranges age allow cache-control connection content-encoding
  content-language content-length content-location content-range content-type cookie date etag expect expires forwarded
  from host if-match if-modified-since if-none-match if-range if-unmodified-since keep-alive last-modified link location
  max-forwards origin pragma proxy-authenticate proxy-authorization range referer retry-after server set-cookie te trailer
  transfer-encoding upgrade user-agent vary via warning www-authenticate x-real-ip x-client-ip true-client-ip
  cf-connecting-ip x-cluster-client-ip`.split(/\s+/),
);
const neverListedPattern = /^(?:x-amz-|x-amzn-|x-forwarded-|sec-|access-control-|proxy-)/;

/** Whether a runtime may list it. */
export function isForwardable(name: string): boolean {
  const lower = name.toLowerCase();
  if (!/^[a-z][a-z0-9_-]{0,255}$/.test(lower)) return false;
  if (lower.startsWith(customPrefix)) return lower.length > customPrefix.length;
  return !neverListed.has(lower) && !neverListedPattern.test(lower);
}

export interface FilterRules {
  readonly allowlist: readonly string[];
  readonly isJwt: boolean;
}

export interface CallFacts {
  readonly headers: IncomingHttpHeaders;
  /** A WebSocket's custom headers may come as parameters of its address. */
  readonly query?: URLSearchParams;
  readonly sessionId: string;
  readonly requestId: string;
  readonly userId: string | undefined;
}

/** The headers of the request to the container, names in lower case. */
export function headersForContainer(
  { headers, query, sessionId, requestId, userId }: CallFacts,
  { allowlist, isJwt }: FilterRules,
): Record<string, string> {
  const listed = new Set(allowlist.map((name) => name.toLowerCase()));
  const given = new Map<string, string>();
  for (const [name, value] of query ?? []) {
    const lower = name.toLowerCase();
    if (lower.startsWith(customPrefix)) given.set(lower, value);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) given.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const passed = [...given].filter(([name, value]) => {
    if (modelled.has(name)) return true;
    if (name === 'authorization' && !isJwt) return false;
    return listed.has(name) && Buffer.byteLength(value) <= maxValueBytes;
  });
  return {
    ...Object.fromEntries(passed),
    ...(userId === undefined ? {} : { [userIdHeader]: userId }),
    [sessionHeaderName]: sessionId,
    [requestIdHeader]: requestId,
  };
}
