/** Headers → request context: which header means what, and which ones go no further than here. Pure. */
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestContext } from '../protocol/request-context.ts';

export const customPrefix = 'x-amzn-bedrock-agentcore-runtime-custom-';
const userIdHeader = 'x-amzn-bedrock-agentcore-runtime-user-id';
const workloadTokenHeaders = ['x-amz-bedrock-agentcore-identity-wat', 'workloadaccesstoken'] as const;
const callbackHeader = 'oauth2callbackurl';

/** About one connection (RFC 9110 7.6.1) or one body: never another's business, whatever a deployment says. */
const neverForwarded = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Has a member of its own, is a secret, or is about the transport. */
const notForAgents =
  /^(authorization|cookie|origin|referer|user-agent|via|forwarded|accept.*|sec-.*|x-forwarded-.*|x-amz-.*|x-amzn-.*|traceparent|tracestate|baggage|cache-control|pragma|workloadaccesstoken|oauth2callbackurl)$/;

const secretName = /authorization|cookie|token|secret|key|password|signature|credential/;

export function isForwardable(name: string): boolean {
  return !neverForwarded.has(name) && !name.startsWith('sec-websocket-');
}

/** `forward` names headers, in lower case, that a remote agent is to get. */
export function readRequestContext(
  headers: IncomingHttpHeaders,
  known: Pick<RequestContext, 'requestId' | 'sessionId' | 'subject'>,
  forward: readonly string[],
): RequestContext {
  const connectionNames = new Set(
    (headers.connection ?? '').split(',').map((each) => each.trim().toLowerCase()),
  );
  const forApplication = (name: string): boolean =>
    !connectionNames.has(name) &&
    !neverForwarded.has(name) &&
    (name.startsWith(customPrefix) || !notForAgents.test(name));
  const chosen = forward.filter((name) => isForwardable(name) && !connectionNames.has(name));
  const forwarded = pick(headers, chosen);
  return {
    ...known,
    unverifiedUserId: textOf(headers[userIdHeader]),
    workloadAccessToken: textOf(headers[workloadTokenHeaders[0]]) ?? textOf(headers[workloadTokenHeaders[1]]),
    secrets: [
      ...workloadTokenHeaders.flatMap((name) => textOf(headers[name]) ?? []),
      ...Object.entries(forwarded).flatMap(([name, value]) =>
        secretName.test(name) ? secretsIn(value) : [],
      ),
    ],
    oauthCallbackUrl: textOf(headers[callbackHeader]),
    trace: {
      traceparent: textOf(headers['traceparent']),
      tracestate: textOf(headers['tracestate']),
      xrayTraceId: textOf(headers['x-amzn-trace-id']),
    },
    baggage: parseBaggage(textOf(headers['baggage']) ?? ''),
    headers: pick(headers, Object.keys(headers).filter(forApplication)),
    forwarded,
  };
}

/** The value, and the credential alone where a scheme stands before it. */
function secretsIn(value: string): readonly string[] {
  const credential = /^\S+ (.+)$/.exec(value)?.[1];
  return credential === undefined ? [value] : [value, credential];
}

/** W3C Baggage 3.3: `key=value;properties`, comma separated, values percent-encoded. What is malformed is left out. */
function parseBaggage(text: string): Readonly<Record<string, string>> {
  const members: [string, string][] = [];
  for (const member of text.slice(0, 8_192).split(',')) {
    const match = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*([^;\s]*)/.exec(member);
    const value = match?.[2] === undefined ? undefined : decoded(match[2]);
    if (match?.[1] !== undefined && value !== undefined) members.push([match[1], value]);
  }
  return Object.fromEntries(members);
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function pick(headers: IncomingHttpHeaders, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      if (value === undefined) return [];
      return [[name, typeof value === 'string' ? value : value.join(', ')] as const];
    }),
  );
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
