/** The runtime of a process: the system's clock and chance, JSON lines on stdout, secrets masked. */
import { createJsonLog } from '../outbound/system/json-log.ts';
import { Redaction } from '../outbound/system/redaction.ts';
import { systemClock, systemIds } from '../outbound/system/system-runtime.ts';
import type { Runtime } from '../ports/runtime.ts';
import type { Config } from './config.ts';

/** Nobody reads the log any more: no reason to stop serving. Errors of the pipe have no other meaning for us. */
const unread = (): void => undefined;

export function processRuntime({ secrets, logLevel }: Config): Runtime {
  const redaction = new Redaction(secrets);
  if (!process.stdout.listeners('error').includes(unread)) process.stdout.on('error', unread);
  const log = createJsonLog(logLevel, process.stdout, redaction);
  return { clock: systemClock, ids: systemIds, log, secrets: redaction };
}
