/** A refusal as the text of a whole HTTP answer, for connections that never became a request with a response. Pure. */
import { STATUS_CODES } from 'node:http';
import type { Fault } from '../errors/fault.ts';
import type { Language } from '../language/choose-language.ts';
import { eventStreamMediaType, sseFrame } from '../wire/sse-frame.ts';
import { retryAfter } from './retry-after.ts';
import { toRunError } from './stream/dialect.ts';

export interface RefusalSetting {
  readonly requestId: string;
  readonly language: Language;
  /** `WWW-Authenticate` of a 401. */
  readonly challenge: string | undefined;
  /** Further header lines. */
  readonly headers: readonly string[];
}

/** Status, headers and one `RUN_ERROR`, as everywhere on the AgentCore door. The connection is closed after it. */
export function rawRefusal(problem: Fault, setting: RefusalSetting): string {
  const { status } = problem.row.agentCore;
  const { requestId, language, challenge, headers } = setting;
  const audience = { door: 'agentcore', threadId: undefined, runId: undefined, isModern: true } as const;
  const body = sseFrame(JSON.stringify(toRunError(problem, { ...audience, requestId, language })));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
    `Content-Type: ${eventStreamMediaType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `x-amzn-requestid: ${requestId}`,
    ...(status === 429 ? [`Retry-After: ${retryAfter(problem)}`] : []),
    ...(status === 401 && challenge !== undefined ? [`WWW-Authenticate: ${challenge}`] : []),
    ...headers,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
