/** Threads of every shape that may be stored, for property tests. */
import fc from 'fast-check';
import type { Execution, PendingInterrupt, ThreadRecord } from '../../../../src/domain/thread/thread.ts';
import {
  contextId,
  executionId,
  parseSessionId,
  runId,
  type ThreadAddress,
  taskId,
  threadId,
} from '../../../../src/protocol/ids.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';

/** Names that JSON objects treat in their own way, besides arbitrary ones. */
const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
  fc.nat().map(String),
  fc.constantFrom('__proto__', 'constructor', 'toString', '0', '-1', ' ', '\u0000'),
);
const sessionAlphabet = [...'abcXYZ019-_'];
const sessionId = fc
  .string({ unit: fc.constantFrom(...sessionAlphabet), minLength: 32, maxLength: 60 })
  .map((tail) => parseSessionId(`s${tail}`));
const digest = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
const instant = fc
  .date({ min: new Date(0), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const json = fc.dictionary(
  fc.string({ maxLength: 10 }),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value))),
  { maxKeys: 4 },
);

export const addresses: fc.Arbitrary<ThreadAddress> = fc.record({
  sessionId: fc.option(sessionId, { nil: undefined }),
  threadId: name.map(threadId),
});

const pending: fc.Arbitrary<PendingInterrupt> = fc.record({
  input: fc.tuple(json, name).map(([members, inputId]): JsonObject => ({ ...members, inputId })),
  expiresAt: instant,
  sideband: fc.boolean(),
});

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });

const whole: fc.Arbitrary<Execution> = fc.record({
  executionId: name.map(executionId),
  rosInvocationId: name,
  taskId: fc.option(name.map(taskId)),
  activeRunId: fc.option(name.map(runId)),
  pipelineSequence: fc.maxSafeNat(),
  openSteps: fc.array(fc.string(), { maxLength: 4 }),
  textDigests: fc.array(fc.record({ length: fc.nat(), digest }), { maxLength: 4 }),
  pending: fc.uniqueArray(pending, { selector: ({ input }) => input.inputId, maxLength: 5 }),
  expired: fc.array(fc.string(), { maxLength: 3 }),
});
const executions: fc.Arbitrary<Execution> = fc
  .tuple(whole, fc.option(fc.record({ traceId: hex(32), spanId: hex(16) })))
  .map(([execution, askedIn]) => (askedIn === null ? execution : { ...execution, askedIn }));

export const threadRecords: fc.Arbitrary<ThreadRecord> = fc.record({
  address: addresses,
  contextId: name.map(contextId),
  cwd: name,
  userId: fc.option(fc.string()),
  subject: fc.option(fc.string()),
  kernelSessionId: fc.option(fc.string()),
  execution: executions,
  runs: fc.uniqueArray(fc.record({ runId: name.map(runId), digest }), {
    selector: (run) => run.runId,
    maxLength: 8,
  }),
  applied: fc.array(fc.record({ executionId: name.map(executionId), interruptId: name, digest }), {
    maxLength: 4,
  }),
  terminalExecutionIds: fc.array(fc.string().map(executionId), { maxLength: 4 }),
  updatedAt: fc.maxSafeNat(),
});

/** A plain thread; `change` replaces members. */
export function aThread(change: Partial<ThreadRecord> = {}): ThreadRecord {
  return {
    address: { sessionId: undefined, threadId: threadId('t-1') },
    contextId: contextId('agui-0'),
    cwd: '/srv/ws',
    userId: null,
    subject: null,
    kernelSessionId: null,
    execution: {
      executionId: executionId('e-1'),
      rosInvocationId: 'inv-1',
      taskId: null,
      activeRunId: null,
      pipelineSequence: 0,
      openSteps: [],
      textDigests: [],
      pending: [],
      expired: [],
    },
    runs: [],
    applied: [],
    terminalExecutionIds: [],
    updatedAt: 1,
    ...change,
  };
}

/** A session id of lawful length that begins with `head`. */
export function aSession(head: string): NonNullable<ThreadAddress['sessionId']> {
  const session = parseSessionId(head.padEnd(40, '0'));
  if (session === undefined) throw new TypeError(`not a session id: ${head}`);
  return session;
}
