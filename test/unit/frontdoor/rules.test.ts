/** The front door's pure parts: policies, event boundaries, header lists, signatures as text, rates. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EventBoundary } from '../../../src/frontdoor/event-boundary.ts';
import { FaultRules } from '../../../src/frontdoor/fault-rules.ts';
import { isForwardable } from '../../../src/frontdoor/header-filter.ts';
import { refusedResource } from '../../../src/frontdoor/permissions.ts';
import { Rate } from '../../../src/frontdoor/rate.ts';
import { readSignature } from '../../../src/frontdoor/signed-request.ts';

describe('a policy', () => {
  const allows = (action: string, resource: string, asked: string, on: string): boolean =>
    refusedResource([{ Effect: 'Allow', Action: [action], Resource: [resource] }], {
      action: asked,
      resources: [on],
    }) === undefined;

  it('matches as the same pattern does as a regular expression', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', ':'), maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ':'), maxLength: 8 });

    fc.assert(
      fc.property(pattern, text, (resource, on) => {
        const expression = resource.replaceAll('*', '.*').replaceAll('?', '.');
        expect(allows('*', resource, 'Any', on)).toBe(new RegExp(`^${expression}$`).test(on));
      }),
    );
  });

  it('takes patterns with many stars in no time', () => {
    expect(allows('*', `${'a*'.repeat(200)}b`, 'Any', 'a'.repeat(5_000))).toBe(false);
  });

  it('takes actions in any case and resources in one', () => {
    expect(allows('BEDROCK-agentcore:invoke*', 'x', 'InvokeAgentRuntime', 'x')).toBe(true);
    expect(allows('*', 'x', 'InvokeAgentRuntime', 'X')).toBe(false);
    expect(allows('s3:*', '*', 'InvokeAgentRuntime', 'x')).toBe(false);
  });
});

describe('the boundary of events', () => {
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
  const event = fc.tuple(
    fc.array(fc.constantFrom('data: a', 'id: 1', ': c'), { minLength: 1, maxLength: 3 }),
    lineEnd,
  );

  it('is found in any cut and with any line ends, and nowhere else', () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 5 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 4 })),
        (events, sizes) => {
          const texts = events.map(([lines, end]) => lines.map((line) => line + end).join('') + end);
          const boundary = new EventBoundary();
          const bytes = Buffer.from(texts.join(''));
          for (let at = 0; at < bytes.length; ) {
            const size = sizes.next().value;
            boundary.take(bytes.subarray(at, at + size));
            at += size;
          }

          expect(boundary.isBetweenEvents).toBe(true);
          boundary.take(Buffer.from('data: unfinished\n'));
          expect(boundary.isBetweenEvents).toBe(false);
        },
      ),
    );
  });

  it('measures the largest event, an unfinished one too', () => {
    const boundary = new EventBoundary();

    boundary.take(Buffer.from('data: 1234\n\ndata: 1\n\n'));
    expect(boundary.longest).toBe(12);
    boundary.take(Buffer.from('x'.repeat(20)));
    expect(boundary.longest).toBe(20);
  });
});

describe('a header', () => {
  it.each([
    'Authorization',
    'X-App',
    'x_under',
    'X-Amzn-Bedrock-AgentCore-Runtime-Custom-Tenant',
    'A',
    `a${'b'.repeat(255)}`,
  ])('%s may be listed', (name) => {
    expect(isForwardable(name)).toBe(true);
  });

  it.each([
    'Origin',
    'cookie',
    'Host',
    'User-Agent',
    'Content-Type',
    'X-Forwarded-For',
    'X-Amz-Date',
    'X-Amzn-Trace-Id',
    'X-Amzn-Bedrock-AgentCore-Runtime-Session-Id',
    'X-Amzn-Bedrock-AgentCore-Runtime-Custom-',
    'Sec-WebSocket-Protocol',
    'Access-Control-Request-Method',
    'Proxy-Authorization',
    'WWW-Authenticate',
    ':path',
    '1abc',
    'with space',
    '',
    `a${'b'.repeat(256)}`,
  ])('%s may not', (name) => {
    expect(isForwardable(name)).toBe(false);
  });
});

describe('a signature as text', () => {
  it('is read or refused, whatever stands there', () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.string()), (authorization, query) => {
        const { kind } = readSignature(
          { authorization: `AWS4-HMAC-SHA256 ${authorization}` },
          new URLSearchParams(query),
        );
        expect(['malformed', 'none']).toContain(kind);
      }),
    );
  });

  it.each([
    ['X-Amz-Algorithm', 'AWS4-ECDSA-P256-SHA256'],
    ['X-Amz-Credential', 'key/20260101/us-west-2/bedrock-agentcore'],
    ['X-Amz-Date', '2026-01-01T00:00:00Z'],
    ['X-Amz-Date', '20261301T000000Z'],
    ['X-Amz-Expires', 'soon'],
    ['X-Amz-SignedHeaders', ''],
    ['X-Amz-Signature', 'abc'],
  ])('is refused in an address whose %s is %j', (name, value) => {
    const query = new URLSearchParams({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': 'KEY/20260101/us-west-2/bedrock-agentcore/aws4_request',
      'X-Amz-Date': '20260101T000000Z',
      'X-Amz-Expires': '300',
      'X-Amz-SignedHeaders': 'host',
      'X-Amz-Signature': 'a'.repeat(64),
    });

    expect(readSignature({}, query).kind).toBe('signature');
    query.set(name, value);
    expect(readSignature({}, query).kind).toBe('malformed');
  });
});

it('a rate gives so many at once, then each when its time has come, and never twice as many around a border', () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const rate = new Rate(2);
  const takenAfter = (ms: number): boolean => {
    vi.advanceTimersByTime(ms);
    return rate.take();
  };

  expect([0, 1, 998].map(takenAfter)).toEqual([true, true, true]);
  expect([2, 0, 0].map(takenAfter)).toEqual([true, false, false]);
  // A clock that is set back closes no door.
  vi.setSystemTime(0);
  expect([500, 0].map(takenAfter)).toEqual([true, false]);
});

it('fault rules are used up in their order', () => {
  const call = { operation: 'InvokeAgentRuntime', runtime: 'r', sessionId: 's' } as const;
  const delay = (milliseconds: number) => ({ kind: 'delay', milliseconds }) as const;
  const rules = new FaultRules([
    { runtime: 'other', fault: delay(1) },
    { times: 1, fault: delay(2) },
    { sessionId: 's', times: 1, fault: delay(3) },
  ]);

  expect([rules.take(call), rules.take(call), rules.take(call)]).toEqual([delay(2), delay(3), undefined]);
});
