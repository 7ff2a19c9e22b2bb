/**
 * An HTTP answer that is not a stream → `ClientError`. Reads the `RUN_ERROR` that AG-UI runtimes put into the bodies of
 * refusals, the JSON of the platform's own errors, and takes anything else (a proxy's HTML) for what its status says.
 *
 * Sources: error tables of the AgentCore AG-UI and HTTP protocol contracts; RFC 9110 10.2.3 for `Retry-After`.
 */
import { isJsonObject, type JsonObject, objectAt, stringAt } from '../protocol/json.ts';
import { createSseParser } from '../wire/sse-parser.ts';
import { ClientError, type ClientErrorFacts } from './client-error.ts';

/** An answer whose body has been read. */
export interface Refusal {
  readonly status: number;
  /** Value of a header by its lower-case name. */
  header(name: string): string | undefined;
  readonly body: string;
}

/** No refusal is longer; what comes behind it is not read. */
export const maxRefusalBytes = 256 * 1024;

/** Native exceptions → the codes of the AG-UI table. */
const exceptionCodes: Readonly<Record<string, string>> = {
  UnauthorizedException: 'UNAUTHORIZED',
  AccessDeniedException: 'ACCESS_DENIED',
  ValidationException: 'VALIDATION_ERROR',
  ThrottlingException: 'RATE_LIMIT_EXCEEDED',
  ConflictException: 'SESSION_BUSY',
  RetryableConflictException: 'SESSION_BUSY',
  ServiceQuotaExceededException: 'SERVICE_QUOTA_EXCEEDED',
  RuntimeClientError: 'AGENT_ERROR',
  ResourceNotFoundException: 'NOT_FOUND',
  InternalServerException: 'INTERNAL_ERROR',
};

const statusCodes: Readonly<Record<number, string>> = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHORIZED',
  402: 'SERVICE_QUOTA_EXCEEDED',
  403: 'ACCESS_DENIED',
  404: 'NOT_FOUND',
  409: 'SESSION_BUSY',
  413: 'VALIDATION_ERROR',
  415: 'VALIDATION_ERROR',
  422: 'VALIDATION_ERROR',
  424: 'AGENT_ERROR',
  429: 'RATE_LIMIT_EXCEEDED',
};

export function readRefusal(refusal: Refusal): ClientError {
  const { status, body } = refusal;
  const json = jsonIn(body);
  const told = runErrorIn(body) ?? objectAt(json, 'error') ?? json;
  const exception = exceptionOf(refusal, told);
  const code = ownCode(told) ?? exceptionCodes[exception ?? ''] ?? statusCodes[status] ?? 'INTERNAL_ERROR';
  const text = told === undefined ? undefined : (stringAt(told, 'message') ?? stringAt(told, 'Message'));
  return new ClientError({
    ...vendorFacts(told),
    code,
    message: text ?? `the server answered ${status}`,
    status,
    requestId: refusal.header('x-amzn-requestid') ?? vendorFacts(told).requestId,
    retryable: isRetryable(code, text, exception, told, status),
    retryAfterMs: retryAfterMs(refusal.header('retry-after'), refusal.header('date')),
    challenge: refusal.header('www-authenticate'),
  });
}

/** The container's own word; the names of exceptions come by another way. */
function ownCode(told: JsonObject | undefined): string | undefined {
  const code = stringAt(told, 'code');
  return code !== undefined && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : undefined;
}

/** A `RUN_ERROR` that arrived as the first and only word of a stream, as the error that it is. */
export function readRunError(event: JsonObject, requestId?: string): ClientError {
  const code = stringAt(event, 'code') ?? 'AGENT_ERROR';
  const message = stringAt(event, 'message') ?? 'the run failed';
  const facts = vendorFacts(event);
  return new ClientError({
    code,
    message,
    fault: facts.fault,
    requestId: requestId ?? facts.requestId,
    retryable: isRetryable(code, message, undefined, event, undefined),
  });
}

function vendorFacts(event: JsonObject | undefined): Pick<ClientErrorFacts, 'fault' | 'requestId'> {
  const vendor = objectAt(objectAt(event, 'metadata'), 'agentcore-agui');
  return { fault: stringAt(vendor, 'fault'), requestId: stringAt(vendor, 'requestId') };
}

/** What the server says of it; else what its code, name and status mean on AgentCore. */
function isRetryable(
  code: string,
  message: string | undefined,
  exception: string | undefined,
  told: JsonObject | undefined,
  status: number | undefined,
): boolean {
  const said = objectAt(objectAt(told, 'metadata'), 'agentcore-agui')?.['retryable'];
  if (typeof said === 'boolean') return said;
  switch (code) {
    case 'SESSION_BUSY':
      // One code for two conflicts: only the text, or the exception's name, tells them apart.
      return exception === 'RetryableConflictException' || /operation in progress/i.test(message ?? '');
    case 'RATE_LIMIT_EXCEEDED':
      return true;
    default:
      return status !== undefined && (status === 424 || status >= 500);
  }
}

function exceptionOf({ header }: Refusal, told: JsonObject | undefined): string | undefined {
  const named = header('x-amzn-errortype') ?? stringAt(told, '__type');
  // `com.amazon…#Name:http://…`: only the name counts.
  return named?.split(':', 1)[0]?.split('#').at(-1);
}

function runErrorIn(body: string): JsonObject | undefined {
  let found: JsonObject | undefined;
  const parser = createSseParser({
    onEvent: (data) => {
      const event = jsonIn(data);
      if (event?.type === 'RUN_ERROR') found ??= event;
    },
  });
  parser.feed(body);
  // A proxy may have cut the blank line off.
  parser.feed('\n\n');
  return found;
}

function jsonIn(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Not JSON: the status alone speaks.
    return undefined;
  }
}

/** Seconds or an HTTP date (measured by the server's own clock where it tells it) → milliseconds. */
function retryAfterMs(value: string | undefined, date: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,6}$/.test(value.trim())) return Number(value) * 1_000;
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  const now = Date.parse(date ?? '');
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}
