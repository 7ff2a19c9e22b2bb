import { describe, expect, it } from 'vitest';
import { ClientError, type ClientErrorFacts } from '../../../src/client/client-error.ts';
import { readRefusal } from '../../../src/client/read-refusal.ts';
import { defaultRetryRules, retryDelay } from '../../../src/client/retry-policy.ts';

const rules = defaultRetryRules;

function retriesOf(facts: Omit<ClientErrorFacts, 'message'>, isIdempotent = false): number {
  const problem = new ClientError({ message: 'm', ...facts });
  let made = 0;
  while (retryDelay(problem, { made, isIdempotent }, rules, 0.5) !== undefined) made += 1;
  return made;
}

describe('the retry policy', () => {
  it.each([
    ['a conflict in progress', { code: 'SESSION_BUSY', status: 409, retryable: true }, 6],
    ['a plain conflict', { code: 'SESSION_BUSY', status: 409, retryable: false }, 0],
    ['throttling', { code: 'RATE_LIMIT_EXCEEDED', status: 429, retryable: true }, 6],
    ['a quota', { code: 'SERVICE_QUOTA_EXCEEDED', status: 429, retryable: true }, 0],
    ['a cold start', { code: 'AGENT_ERROR', status: 424, retryable: true }, 1],
    ['a gateway time-out', { code: 'INTERNAL_ERROR', status: 504, retryable: true }, 1],
    ['bad data', { code: 'VALIDATION_ERROR', status: 400 }, 0],
    ['bad credentials', { code: 'UNAUTHORIZED', status: 401 }, 0],
    ['something unknown', { code: 'NOT_FOUND', status: 404 }, 0],
    ['a fault of a stranger', { code: 'INTERNAL_ERROR', status: 500, retryable: true }, 0],
    [
      'a fault that our server calls passing',
      { code: 'INTERNAL_ERROR', status: 503, retryable: true, fault: 'NOT_READY' },
      3,
    ],
    ['a connection that never was', { code: 'CONNECTION_FAILED', isUnsent: true }, 3],
    ['a connection that was lost', { code: 'CONNECTION_FAILED' }, 0],
    ['a socket going away', { code: 'TRUNCATED', closeCode: 1001 }, 3],
    ['a socket with a fault', { code: 'TRUNCATED', closeCode: 1011 }, 3],
    ['a socket over a limit', { code: 'TRUNCATED', closeCode: 1008 }, 0],
    ['a socket with too much', { code: 'TRUNCATED', closeCode: 1009 }, 0],
    ['a time limit', { code: 'TIMEOUT', retryable: true }, 0],
  ])('gives %s %# its retries', (_what, facts, count) => {
    expect(retriesOf(facts)).toBe(count);
  });

  it('sends again what may have arrived only where that is known to be harmless', () => {
    expect(retriesOf({ code: 'CONNECTION_FAILED' }, true)).toBe(3);
    expect(retriesOf({ code: 'INTERNAL_ERROR', status: 500 }, true)).toBe(3);
    expect(retriesOf({ code: 'TRUNCATED' }, true)).toBe(3);
  });

  it('doubles its waits, spreads them, and has a longest one', () => {
    const busy = new ClientError({ code: 'SESSION_BUSY', message: 'm', retryable: true });
    const at = (made: number, chance: number) =>
      retryDelay(busy, { made, isIdempotent: false }, { ...rules, maxMs: 1_000 }, chance);

    expect([at(0, 0), at(0, 1), at(1, 1), at(2, 1), at(3, 1)]).toEqual([100, 200, 400, 800, 1_000]);
  });
});

describe('a refusal', () => {
  const read = (status: number, body: string, headers: Readonly<Record<string, string>> = {}) =>
    readRefusal({ status, body, header: (name) => headers[name] });

  it.each([
    ['ThrottlingException', 429, 'RATE_LIMIT_EXCEEDED', true],
    ['ServiceQuotaExceededException', 402, 'SERVICE_QUOTA_EXCEEDED', false],
    ['RetryableConflictException', 409, 'SESSION_BUSY', true],
    ['ConflictException', 409, 'SESSION_BUSY', false],
    ['RuntimeClientError', 424, 'AGENT_ERROR', true],
    ['ResourceNotFoundException', 404, 'NOT_FOUND', false],
    ['AccessDeniedException', 403, 'ACCESS_DENIED', false],
  ])('of the native table by header: %s', (exception, status, code, retryable) => {
    const problem = read(status, '{"message":"m"}', { 'x-amzn-errortype': `${exception}:http://internal` });

    expect(problem).toMatchObject({ code, status, retryable, message: 'm' });
  });

  it('of the native table by body', () => {
    const body = '{"__type":"com.amazonaws#ValidationException","Message":"m"}';

    expect(read(400, body)).toMatchObject({ code: 'VALIDATION_ERROR', message: 'm' });
  });

  it.each(['', '<html>', '{', 'data: {"type":"OTHER"}\n\n', 'null'])(
    'with the body %j is told by its status',
    (body) => {
      expect(read(403, body)).toMatchObject({ code: 'ACCESS_DENIED', message: 'the server answered 403' });
    },
  );

  it('keeps the code of a container that has words of its own', () => {
    expect(read(409, 'data: {"type":"RUN_ERROR","code":"THREAD_BUSY","message":"m"}')).toMatchObject({
      code: 'THREAD_BUSY',
      retryable: false,
    });
  });

  it('takes a date to wait for by the clock of its server', () => {
    const headers = {
      'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT',
      date: 'Wed, 21 Oct 2026 07:28:00 GMT',
    };

    expect(read(429, '', headers).retryAfterMs).toBe(30_000);
    expect(read(429, '', { 'retry-after': 'soon' }).retryAfterMs).toBeUndefined();
  });
});
