/**
 * JSON lines on standard output through pino. Every entry goes through `redaction`, the fields of child loggers too.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Log, LogFields } from '../../ports/runtime.ts';
import { Redaction } from './redaction.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export function createJsonLog(
  level: LogLevel,
  destination: DestinationStream,
  redaction: Redaction = new Redaction(),
): Log {
  return wrap(
    pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: 'event' }, destination),
    redaction,
  );
}

function wrap(logger: Logger, redaction: Redaction): Log {
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (event: string, fields?: LogFields): void => {
      if (logger.isLevelEnabled(level)) logger[level](safeFields(fields, redaction), event);
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => wrap(logger.child(safeFields(fields, redaction)), redaction),
  };
}

function safeFields(fields: LogFields | undefined, redaction: Redaction): Record<string, unknown> {
  const safe = redaction.redact(fields ?? {});
  return typeof safe === 'object' && safe !== null ? { ...safe } : {};
}
