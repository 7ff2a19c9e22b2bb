/**
 * JSON lines on standard output through pino, and the one place where a log entry is made safe: members with a secret's
 * name are masked at any depth, errors are reduced to type, message and causes, and nothing is longer than a line should
 * be. Message text of users and agents is never given to the log in the first place.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import { Fault } from '../../errors/fault.ts';
import type { Log, LogFields } from '../../ports/runtime.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

const secretName =
  /authorization|cookie|token|secret|password|passwd|api[-_]?key|access[-_]?key|credential|signature|private[-_]?key/i;
const maxText = 2_000;
const maxDepth = 6;
const maxMembers = 50;

export function createJsonLog(level: LogLevel, destination: DestinationStream): Log {
  return wrap(
    pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: 'event' }, destination),
  );
}

function wrap(logger: Logger): Log {
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (event: string, fields?: LogFields): void => {
      if (logger.isLevelEnabled(level)) logger[level](safeFields(fields), event);
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => wrap(logger.child(safeFields(fields))),
  };
}

function safeFields(fields: LogFields | undefined): Record<string, unknown> {
  const safe = redact(fields ?? {}, 0);
  return typeof safe === 'object' && safe !== null ? { ...safe } : {};
}

/** The value without secrets, circles and excess, ready for JSON. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return shorten(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if (depth >= maxDepth) return '[deep]';
  if (value instanceof Error) return describeError(value, depth);
  if (Array.isArray(value)) return value.slice(0, maxMembers).map((each) => redact(each, depth + 1));
  const safe: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value).slice(0, maxMembers)) {
    safe[key] = secretName.test(key) && member !== undefined ? '[redacted]' : redact(member, depth + 1);
  }
  return safe;
}

function describeError(error: Error, depth: number): Record<string, unknown> {
  const code = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    // A JSON parser's message quotes the text that it read, which may be a user's.
    ...(error instanceof SyntaxError ? {} : { message: shorten(error.message) }),
    ...(error instanceof Fault ? { fault: error.fault } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
    ...(error instanceof Fault || error instanceof SyntaxError ? {} : { stack: shorten(error.stack ?? '') }),
  };
}

function shorten(text: string): string {
  const cleaned = text
    .replace(/(bearer|basic)\s+[^\s"',;]+/gi, '$1 [redacted]')
    .replace(/(\/\/)[^\s/@]+@/g, '$1[redacted]@');
  return cleaned.length > maxText ? `${cleaned.slice(0, maxText)}…` : cleaned;
}
