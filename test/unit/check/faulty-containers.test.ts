/** Containers that break one rule each, over HTTP: the check fails on that rule and on no other. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { badInputs } from '../../../src/check/bad-inputs.ts';
import { defaultSettings } from '../../../src/check/settings.ts';
import { type Event, honest, invalid, type Parts, refusal } from '../../support/echo-container.ts';
import { checkEcho, failureOf, failuresOf } from './check-containers.ts';

/** `seen`: what the report must show of it. */
type Fault = readonly [what: string, id: string, seen: string, make: () => Partial<Parts>];

const now = (): number => Math.floor(Date.now() / 1_000);

const editing = (edit: (events: readonly Event[]) => readonly Event[]) => (): Partial<Parts> => ({
  events: (input, text) => edit(honest.events(input, text)),
});

const inserting = (event: Event) => editing((events) => events.toSpliced(2, 0, event));

const refusing =
  (change: (given: ReturnType<typeof invalid>) => ReturnType<typeof invalid>) => (): Partial<Parts> => ({
    check: (body, request) => {
      const result = honest.check(body, request);
      return 'status' in result && 'body' in result ? change(invalid()) : result;
    },
  });

const faults: readonly Fault[] = [
  ['listens on loopback alone', 'container.host', 'refused', () => ({ host: '127.0.0.1' })],
  ['has no ping', 'ping.get', 'HTTP 404', () => ({ pingStatus: 404 })],
  ['is unhealthy at rest', 'ping.status-code', 'HTTP 500', () => ({ pingStatus: 500 })],
  [
    'calls its ping text',
    'ping.json',
    'text/plain',
    () => ({ pingHeaders: { 'content-type': 'text/plain' } }),
  ],
  [
    'spells its status in small letters',
    'ping.status',
    '"healthy"',
    () => ({ pingBody: (status, stamp) => honest.pingBody(status.toLowerCase(), stamp) }),
  ],
  [
    'stamps in milliseconds',
    'ping.last-update',
    '000}',
    () => ({ stamp: (at) => (at ?? 1_700_000_000) * 1_000 }),
  ],
  ['stamps with a date', 'ping.last-update', '2026-01-01', () => ({ stamp: () => '2026-01-01T00:00:00Z' })],
  [
    'keeps the stamp of its start',
    'ping.last-update-moves',
    '1700000000',
    () => ({ stamp: () => 1_700_000_000 }),
  ],
  ['is never busy', 'ping.busy', '"Healthy"', () => ({ statusOf: () => 'Healthy' })],
  [
    'answers pings late while it works',
    'ping.while-running',
    'HealthyBusy',
    () => ({ pingMs: (running) => (running > 0 ? 2_200 : 0), thinkMs: (run) => (run === 1 ? 2_400 : 0) }),
  ],
  [
    'calls its stream JSON',
    'invocations.content-type',
    'application/json',
    () => ({ headers: { 'content-type': 'application/json' } }),
  ],
  [
    'ends a lawful run in an error',
    'invocations.minimal-example',
    'AGENT_ERROR',
    editing(([first]) => [first as Event, { type: 'RUN_ERROR', code: 'AGENT_ERROR', message: 'failed' }]),
  ],
  [
    'sends a record that is no event',
    'invocations.data-records',
    '[DONE]',
    () => ({ tail: 'data: [DONE]\n\n' }),
  ],
  [
    'begins with the id of another run',
    'invocations.run-started-first',
    'run-456',
    () => ({
      events: (input, text) =>
        honest
          .events(input, text)
          .with(0, { ...honest.events(input, text)[0], type: 'RUN_STARTED', runId: 'run-456' }),
      // The one check is about the example; two runs at once are another's.
      reply: () => 'Hello',
    }),
  ],
  [
    'leaves a run without its end',
    'invocations.run-finished-last',
    'TEXT_MESSAGE_END',
    editing((events) => events.slice(0, -1)),
  ],
  [
    'speaks in the role of the user',
    'invocations.text-messages',
    '"role":"user"',
    editing((events) => events.with(1, { ...(events[1] as Event), role: 'user' })),
  ],
  [
    'streams only to those who name the media type',
    'invocations.any-accept',
    'HTTP 406',
    () => ({
      check: (body, request) =>
        request.headers.accept === 'text/event-stream'
          ? honest.check(body, request)
          : refusal(406, 'VALIDATION_ERROR', 'no'),
    }),
  ],
  [
    'holds all events back to the end',
    'invocations.streaming',
    'RUN_STARTED',
    () => ({
      thinkMs: (run) => (run === 1 ? 1_700 : 0),
      events: (input, text) => [{ type: 'HELD' }, ...honest.events(input, text)],
      frame: (event) => (event.type === 'HELD' ? '' : honest.frame(event)),
    }),
  ],
  [
    'ends its lines as Windows does',
    'stream.line-ends',
    'RUN_STARTED',
    () => ({ frame: (event) => String(honest.frame(event)).replaceAll('\n', '\r\n') }),
  ],
  [
    'writes Latin-1',
    'stream.utf8',
    'RUN_STARTED',
    () => ({
      events: (input, text) => honest.events(input, `${text} ÿ`),
      frame: (event) => Buffer.from(String(honest.frame(event)), 'latin1'),
    }),
  ],
  [
    'compresses its stream',
    'stream.compression',
    'content-encoding: gzip',
    () => ({
      headers: { ...honest.headers, 'content-encoding': 'gzip' },
      frame: (event) => gzipSync(honest.frame(event)),
      tail: gzipSync('').toString('latin1').slice(0, 0),
    }),
  ],
  ['sends an unlawful event', 'events.schema', '"vendor.x"', inserting({ type: 'CUSTOM', name: 'vendor.x' })],
  ['makes up a type of event', 'events.known-types', 'TEXT_WIZARD', inserting({ type: 'TEXT_WIZARD' })],
  [
    'speaks in a message that is not open',
    'events.order',
    'TEXT_MESSAGE_CONTENT',
    inserting({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'unopened', delta: 'x' }),
  ],
  [
    'ends a run twice',
    'events.one-terminal',
    'RUN_FINISHED RUN_FINISHED',
    editing((events) => [...events, events.at(-1) as Event]),
  ],
  [
    'goes on behind the end',
    'events.one-terminal',
    'RUN_FINISHED CUSTOM',
    editing((events) => [...events, { type: 'CUSTOM', name: 'vendor.x', value: 1 }]),
  ],
  [
    'remembers by thread alone',
    'session.header-isolates',
    'Please remember',
    () => ({
      reply: (prompt, memory, place) => {
        const thread = place.split(' ')[1] ?? '';
        memory.set(thread, [...(memory.get(thread) ?? []), prompt]);
        return (memory.get(thread) ?? []).join('\n');
      },
    }),
  ],
  [
    'mixes two runs',
    'session.parallel-runs',
    'Please remember',
    () => ({
      reply: (prompt, memory) => {
        if (!prompt.startsWith('Please remember')) return prompt;
        memory.set('', [...(memory.get('') ?? []), prompt]);
        return (memory.get('') ?? []).join('\n');
      },
    }),
  ],
  [
    'takes any session id',
    'session.header-malformed',
    'RUN_STARTED',
    () => ({
      check: (body, request) =>
        honest.check(body, Object.assign(request, { headers: { accept: request.headers.accept } })),
    }),
  ],
  [
    'drops the connection on an empty body',
    'input.answered',
    'could not be reached',
    () => ({
      check: (body, request) => {
        if (body === '') request.socket.destroy();
        return honest.check(body, request);
      },
    }),
  ],
  [
    'runs on a message of an unknown role',
    'input.refused',
    'RUN_STARTED',
    () => ({ check: (body, request) => honest.check(body.replace('"wizard"', '"user"'), request) }),
  ],
  [
    'needs a rest after malformed bodies',
    'input.survived',
    'HTTP 500',
    () => {
      let count = 0;
      return {
        check: (body, request) => {
          const result = honest.check(body, request);
          if ('body' in result) count += 1;
          if ('body' in result || count < badInputs.length) return result;
          count = 0;
          return refusal(500, 'INTERNAL_ERROR', 'An internal error occurred');
        },
      };
    },
  ],
  [
    'refuses members that it does not know',
    'input.unknown-members',
    'HTTP 400',
    () => ({
      check: (body, request) => (body.includes('x-unknown') ? invalid() : honest.check(body, request)),
    }),
  ],
  [
    'serves one version of the protocol',
    'input.newer-minor',
    'HTTP 400',
    () => ({
      check: (body, request) => (body.includes('protocolVersion') ? invalid() : honest.check(body, request)),
    }),
  ],
  [
    'refuses by JSON',
    'errors.always-sse',
    '{"error"',
    refusing((given) => ({
      ...given,
      headers: { ...given.headers, 'content-type': 'application/json' },
      body: '{"error":"invalid"}',
    })),
  ],
  [
    'refuses with status 200',
    'errors.connection-level-status',
    'HTTP 200',
    refusing((given) => ({ ...given, status: 200 })),
  ],
  [
    'has a word of its own for a malformed body',
    'errors.validation',
    'BAD_INPUT',
    refusing(() => refusal(400, 'BAD_INPUT', 'bad')),
  ],
  [
    'tells errors without a code',
    'errors.run-error-members',
    'RUN_ERROR',
    refusing((given) => ({ ...given, body: 'data: {"type":"RUN_ERROR","message":"bad"}\n\n' })),
  ],
  [
    'shows its inside',
    'errors.no-internals',
    'Traceback',
    refusing(() =>
      refusal(400, 'VALIDATION_ERROR', 'Traceback (most recent call last): File "app.py", line 7'),
    ),
  ],
  [
    'refuses without a request id',
    'errors.request-id',
    'HTTP 400',
    refusing((given) => ({ ...given, headers: { 'content-type': 'text/event-stream' } })),
  ],
  ['takes one megabyte', 'limits.body', 'HTTP 400', () => ({ maxBytes: 1_000_000 })],
  [
    'keeps a thread locked when its reader has left',
    'disconnect.recovers',
    'HTTP 409',
    () => {
      const locked = new Set<string>();
      return { onLeft: (threadId) => locked.add(threadId), isLocked: (threadId) => locked.has(threadId) };
    },
  ],
];

describe('a check of a container over HTTP', { concurrent: true }, () => {
  it('finds nothing in an honest one', async () => {
    const report = await checkEcho({}, { hasWebSocket: false });

    expect(failuresOf(report)).toEqual([]);
    expect(report.counts.passed).toBeGreaterThan(35);
    expect(report.counts.unproven).toBe(0);
  });

  it.each(faults)('finds that it %s: %s', async (_what, id, seen, make) => {
    const report = await checkEcho(make(), { hasWebSocket: false });

    expect(failuresOf(report)).toEqual([id]);
    expect(failureOf(report, id).seen).toContain(seen);
    expect(failureOf(report, id).sent).not.toBe('');
  });

  it('finds that it stamps each ping with the present time: ping.last-update-still', async () => {
    const { restMs } = defaultSettings;
    const report = await checkEcho({ stamp: now }, { hasWebSocket: false, restMs });

    expect(failuresOf(report)).toEqual(['ping.last-update-still']);
  });

  it('finds that it keeps the connection behind the end: stream.ends', async () => {
    const report = await checkEcho({ closes: false }, { hasWebSocket: false, answerMs: 600 });

    expect(failuresOf(report)).toEqual(['stream.ends']);
    expect(failureOf(report, 'stream.ends').seen).toContain('no end came in time');
  });
});
