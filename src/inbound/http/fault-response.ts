/**
 * Fault → HTTP answer, before any stream: a JSON envelope on the iac-code door, an event stream with one `RUN_ERROR` on
 * the AgentCore door (its contract: every error is a `RUN_ERROR` event, whatever the status).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault } from '../../errors/fault.ts';
import { sentence } from '../../language/sentence.ts';
import { sseFrame } from '../../wire/sse-frame.ts';
import { retryAfter } from '../retry-after.ts';
import { type Audience, toRunError } from '../stream/dialect.ts';
import { streamHeaders } from './sse-writer.ts';

export function sendFault(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Fault,
  audience: Audience,
  challenge: string | undefined,
): void {
  if (response.headersSent || response.destroyed) return;
  const isAgentCore = audience.door === 'agentcore';
  const status = isAgentCore ? problem.row.agentCore.status : problem.row.status;
  if (status === 401 && challenge !== undefined) response.setHeader('WWW-Authenticate', challenge);
  if (status === 429) response.setHeader('Retry-After', retryAfter(problem));
  if (problem.detail.allowed !== undefined) response.setHeader('Allow', String(problem.detail.allowed));
  // What is still on its way in will not be read: the connection can't serve another request.
  if (!request.complete) response.setHeader('Connection', 'close');
  const body = isAgentCore ? streamBody(problem, audience) : envelope(problem, audience);
  response.writeHead(status, {
    ...(isAgentCore ? streamHeaders : { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }),
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function streamBody(problem: Fault, audience: Audience): string {
  return sseFrame(JSON.stringify(toRunError(problem, audience)));
}

function envelope(problem: Fault, audience: Audience): string {
  return JSON.stringify({
    error: { code: problem.code, message: sentence(problem, audience.language) },
  });
}
