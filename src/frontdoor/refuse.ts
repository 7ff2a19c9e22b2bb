/**
 * Writes a refusal: one `RUN_ERROR` in an event stream where an AG-UI runtime is invoked, JSON with the name of the
 * exception everywhere else (HTTP runtimes, upgrades, other operations, runtimes that do not exist).
 */
import type { ServerResponse } from 'node:http';
import { eventStreamMediaType, sseFrame } from '../wire/sse-frame.ts';
import { exceptions, type PlatformError, runErrorJson } from './platform-error.ts';

export type RefusalForm = 'agui' | 'native';

export const requestIdAnswerHeader = 'x-amzn-requestid';
export const errorTypeHeader = 'x-amzn-errortype';

/** Does nothing when the answer has begun. */
export function refuse(response: ServerResponse, error: PlatformError, form: RefusalForm): void {
  if (response.headersSent || response.destroyed) return;
  const { aguiStatus, nativeStatus } = exceptions[error.exception];
  const isAgui = form === 'agui';
  const body = isAgui ? sseFrame(runErrorJson(error)) : JSON.stringify({ message: error.message });
  const status = isAgui ? aguiStatus : nativeStatus;
  response.writeHead(status, {
    ...error.headers,
    // Not in the contract's examples; the AWS SDKs name the error by it.
    ...(status < 300 ? {} : { [errorTypeHeader]: error.exception }),
    'content-type': isAgui ? eventStreamMediaType : 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
