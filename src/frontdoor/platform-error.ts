/**
 * What the platform refuses, and how each refusal looks: the nine rows of the AG-UI contract's error table, and the table
 * of the HTTP protocol and of the service model, which differ. One row per exception.
 *
 * Sources: error tables of the AgentCore AG-UI and HTTP protocol contracts; errors of InvokeAgentRuntime and
 * StopRuntimeSession in the service model.
 */

export const exceptions = {
  UnauthorizedException: row('UNAUTHORIZED', 401, 401, 'Authentication required or invalid credentials'),
  AccessDeniedException: row('ACCESS_DENIED', 403, 403, 'Insufficient permissions for requested operation'),
  ValidationException: row('VALIDATION_ERROR', 400, 400, 'Invalid request data or parameters'),
  ThrottlingException: row('RATE_LIMIT_EXCEEDED', 429, 429, 'Too many requests from client'),
  ConflictException: row('SESSION_BUSY', 409, 409, 'Resource conflict - Resource already exists'),
  RetryableConflictException: row('SESSION_BUSY', 409, 409, 'Session operation in progress, please retry'),
  ServiceQuotaExceededException: row('SERVICE_QUOTA_EXCEEDED', 429, 402, 'Service quota exceeded'),
  RuntimeClientError: row(
    'AGENT_ERROR',
    200,
    424,
    'Agent code failed during execution - check your CloudWatch logs',
  ),
  ResourceNotFoundException: row('INTERNAL_ERROR', 500, 404, 'The requested resource does not exist'),
  InternalServerException: row(
    'INTERNAL_ERROR',
    500,
    500,
    'An internal error occurred while processing the request',
  ),
} as const;

export type ExceptionName = keyof typeof exceptions;
export const exceptionNames = Object.keys(exceptions) as readonly ExceptionName[];

interface ErrorRow {
  /** `code` of the `RUN_ERROR`. */
  readonly code: string;
  /** Status where the answer is in AG-UI's form. */
  readonly aguiStatus: number;
  /** Status everywhere else: HTTP runtimes, upgrades, operations beside the invocation. */
  readonly nativeStatus: number;
  readonly sentence: string;
}

function row(code: string, aguiStatus: number, nativeStatus: number, sentence: string): ErrorRow {
  return { code, aguiStatus, nativeStatus, sentence };
}

/** A refusal on its way to the answer. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly exception: ExceptionName;
  readonly headers: Readonly<Record<string, string>>;

  /** `detail` says what exactly is wrong; callers tell the two conflicts apart by their text, so these take none. */
  constructor(
    exception: ExceptionName,
    detail?: string,
    more: { readonly headers?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
  ) {
    const { sentence, code } = exceptions[exception];
    const isExact = detail === undefined || code === 'SESSION_BUSY';
    super(isExact ? sentence : `${sentence}: ${detail}`, { cause: more.cause });
    this.exception = exception;
    this.headers = more.headers ?? {};
  }
}

export function toPlatformError(thrown: unknown): PlatformError {
  if (thrown instanceof PlatformError) return thrown;
  return new PlatformError('InternalServerException', undefined, { cause: thrown });
}

/** The event that carries an error, as JSON text. */
export function runErrorJson({ exception, message }: PlatformError): string {
  return JSON.stringify({ type: 'RUN_ERROR', code: exceptions[exception].code, message });
}
