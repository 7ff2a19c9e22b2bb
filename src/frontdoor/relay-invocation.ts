/**
 * The way of one invocation to its container and back: the body as it came, the answer byte by byte as it arrives. Holds
 * the platform's limits (duration, size of an event, size of an answer), ends with an `AGENT_ERROR` what the container
 * breaks off, and lets the container know when the caller has left.
 */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { mediaTypeOf } from '../wire/media-type.ts';
import { eventStreamMediaType, sseFrame } from '../wire/sse-frame.ts';
import type { RuntimeConfig } from './door-config.ts';
import { EventBoundary } from './event-boundary.ts';
import { sessionHeaderName } from './header-filter.ts';
import { PlatformError, runErrorJson } from './platform-error.ts';
import type { Session } from './session.ts';

export interface InvocationToRelay {
  readonly runtime: RuntimeConfig;
  readonly session: Session;
  /** For the container. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly response: ServerResponse;
  /** The connection is to break behind so many bytes of the answer. */
  readonly dropAfter: number | undefined;
}

/** What the service's model gives back of an answer's headers. */
const answeredHeaders = [
  'content-type',
  'cache-control',
  'mcp-session-id',
  'traceparent',
  'tracestate',
  'baggage',
];

/** Resolves when the answer is over. Throws `PlatformError` while nothing has been answered. */
export async function relayInvocation(call: InvocationToRelay): Promise<void> {
  const { response, runtime, session } = call;
  const { limits } = runtime;
  const stop = new AbortController();
  const begunAt = Date.now();
  const end = (): void => stop.abort(new PlatformError('RuntimeClientError', 'the invocation took too long'));
  let timer = setTimeout(end, limits.synchronousSeconds * 1_000);
  const onLeave = (): void => stop.abort();
  response.once('close', onLeave);
  try {
    const answer = await send(call, stop.signal);
    if (isStream(answer)) {
      clearTimeout(timer);
      timer = setTimeout(end, Math.max(0, begunAt + limits.streamingSeconds * 1_000 - Date.now()));
    }
    await answerWith(answer, call, stop.signal);
  } catch (thrown) {
    if (response.destroyed) return;
    if (response.headersSent) return void response.destroy();
    throw stop.signal.aborted && stop.signal.reason instanceof PlatformError ? stop.signal.reason : thrown;
  } finally {
    clearTimeout(timer);
    response.off('close', onLeave);
    session.touch();
  }
}

function isStream(answer: IncomingMessage): boolean {
  return mediaTypeOf(answer.headers['content-type']) === eventStreamMediaType;
}

/** Resolves when the container's headers are there. */
async function send(
  { session, headers, body }: InvocationToRelay,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const outgoing = httpRequest({
    host: '127.0.0.1',
    port: session.port,
    method: 'POST',
    path: '/invocations',
    headers: { ...headers, 'content-length': body.byteLength },
    agent: false,
    signal,
  });
  outgoing.end(body);
  try {
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    // Breaks after this point show in reading the answer.
    outgoing.on('error', () => undefined);
    return answer;
  } catch (cause) {
    throw broken(session, cause);
  }
}

function broken({ endReason }: Session, cause?: unknown): PlatformError {
  const why =
    endReason === undefined ? 'the container broke the connection' : `the session ended (${endReason})`;
  return new PlatformError('RuntimeClientError', why, { cause });
}

async function answerWith(
  answer: IncomingMessage,
  call: InvocationToRelay,
  signal: AbortSignal,
): Promise<void> {
  const { response, runtime, session } = call;
  const { statusCode: status = 502 } = answer;
  if (runtime.containerErrors === 'agent-error' && (status < 200 || status > 299)) {
    answer.destroy();
    throw new PlatformError('RuntimeClientError', `the container answered ${status}`);
  }
  const passed = answeredHeaders.flatMap((name) => {
    const value = answer.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  response.writeHead(status, { ...Object.fromEntries(passed), [sessionHeaderName]: session.id });
  response.flushHeaders();
  if (isStream(answer)) await relayStream(answer, call, signal);
  else await relayWhole(answer, call);
}

async function relayStream(
  answer: IncomingMessage,
  call: InvocationToRelay,
  signal: AbortSignal,
): Promise<void> {
  const { response, runtime, session } = call;
  const boundary = new EventBoundary();
  let sent = 0;
  let problem: PlatformError | undefined;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      boundary.take(chunk);
      if (boundary.longest > runtime.limits.chunkBytes) return void response.destroy();
      sent += chunk.length;
      if (call.dropAfter !== undefined && sent >= call.dropAfter) {
        response.write(chunk.subarray(0, chunk.length - (sent - call.dropAfter)), () => response.destroy());
        return;
      }
      await write(response, chunk);
    }
  } catch (cause) {
    problem = signal.reason instanceof PlatformError ? signal.reason : broken(session, cause);
  }
  if (problem === undefined) return void response.end();
  // Into the middle of an event nothing can be written that a client could read.
  if (response.destroyed || !boundary.isBetweenEvents) return void response.destroy();
  response.end(sseFrame(runErrorJson(problem)));
}

async function relayWhole(
  answer: IncomingMessage,
  { response, runtime, dropAfter }: InvocationToRelay,
): Promise<void> {
  let sent = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    sent += chunk.length;
    const isTooMuch = sent > runtime.limits.payloadBytes || (dropAfter !== undefined && sent >= dropAfter);
    if (isTooMuch) return void response.destroy();
    await write(response, chunk);
  }
  response.end();
}

/** Resolves when the caller can take more, or has left. */
async function write(response: ServerResponse, chunk: Uint8Array): Promise<void> {
  if (response.write(chunk) || response.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
