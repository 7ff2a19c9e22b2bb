/**
 * Pages of other sites (Fetch standard, "CORS protocol"): exactly the origins of the settings, on every answer, errors
 * included. Nothing of it stands in an answer to anybody else. Cookies play no part, so credentials are never allowed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a page may send: this server's headers, the platform's, those of AWS signatures and of tracing. */
const sendable =
  /^(accept|accept-language|authorization|baggage|content-type|last-event-id|oauth2callbackurl|traceparent|tracestate|amz-sdk-[a-z0-9-]+|x-amz-[a-z0-9-]+|x-amzn-[a-z0-9-]+)$/;
/** What a page may read, beyond what it always may. */
const readable = 'x-amzn-requestid, Retry-After, WWW-Authenticate, Allow';
const preflightSeconds = 600;

/** Writes the headers that the request's origin is entitled to. True when the request was a preflight and is answered. */
export function answerOrigin(
  request: IncomingMessage,
  response: ServerResponse,
  allowed: readonly string[],
): boolean {
  // Caches must not give one origin the answer of another.
  response.setHeader('Vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined || !allowed.includes(origin)) return false;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', readable);
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
    return false;
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST');
  response.setHeader('Access-Control-Allow-Headers', sendableOf(request).join(', '));
  response.setHeader('Access-Control-Max-Age', String(preflightSeconds));
  response.writeHead(204).end();
  return true;
}

function sendableOf({ headers }: IncomingMessage): readonly string[] {
  const asked = headers['access-control-request-headers'] ?? '';
  return asked
    .slice(0, 4_096)
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => sendable.test(each));
}
