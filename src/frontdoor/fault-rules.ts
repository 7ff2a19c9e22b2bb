/**
 * Faults on demand: which calls get which fault, and how often. Rules come from door.json or while the door runs; the
 * first that fits and has turns left is taken. Pure but for the counting.
 */
import { z } from 'zod';
import { type ExceptionName, exceptionNames } from './platform-error.ts';

export const operations = [
  'InvokeAgentRuntime',
  'InvokeAgentRuntimeWithWebSocketStream',
  'StopRuntimeSession',
] as const;
export type Operation = (typeof operations)[number];

const fault = z.discriminatedUnion('kind', [
  /** Any row of the platform's error table, on time. */
  z.strictObject({
    kind: z.literal('exception'),
    exception: z.enum(exceptionNames as [ExceptionName, ...ExceptionName[]]),
    retryAfterSeconds: z.int().positive().optional(),
  }),
  /** What a proxy or a container that does not start makes of a call. */
  z.strictObject({
    kind: z.literal('status'),
    status: z.union([z.literal(424), z.literal(502), z.literal(503), z.literal(504)]),
  }),
  /** Before the call goes on. */
  z.strictObject({ kind: z.literal('delay'), milliseconds: z.int().positive().max(3_600_000) }),
  /** The connection breaks: at once, or behind so many bytes (SSE) or messages (WebSocket) of the answer. */
  z.strictObject({ kind: z.literal('drop'), after: z.int().min(0).default(0) }),
]);

export const faultRuleSchema = z.strictObject({
  operation: z.enum(operations).optional(),
  /** ARN of a runtime. */
  runtime: z.string().optional(),
  sessionId: z.string().optional(),
  /** How many calls it meets; default: all. */
  times: z.int().positive().optional(),
  fault,
});

export type FaultRule = Readonly<z.output<typeof faultRuleSchema>>;
export type FaultRuleInput = z.input<typeof faultRuleSchema>;
export type Fault = FaultRule['fault'];

/** What is wrong with given rules, in sentences. */
export class FaultRuleError extends Error {
  override readonly name = 'FaultRuleError';
}

/** Throws `FaultRuleError`. */
export function parseFaultRules(value: unknown): readonly FaultRule[] {
  const parsed = z.array(faultRuleSchema).safeParse(value);
  if (parsed.success) return parsed.data;
  throw new FaultRuleError(z.prettifyError(parsed.error));
}

export interface Call {
  readonly operation: Operation;
  readonly runtime: string;
  readonly sessionId: string;
}

export class FaultRules {
  #rules: { readonly rule: FaultRule; left: number }[] = [];

  constructor(rules: readonly FaultRule[]) {
    this.replace(rules);
  }

  replace(rules: readonly FaultRule[]): void {
    this.#rules = rules.map((rule) => ({ rule, left: rule.times ?? Number.POSITIVE_INFINITY }));
  }

  /** The fault that this call meets, if any; uses up one turn of its rule. */
  take(call: Call): Fault | undefined {
    const found = this.#rules.find(({ rule, left }) => left > 0 && fits(rule, call));
    if (found === undefined) return undefined;
    found.left -= 1;
    return found.rule.fault;
  }
}

function fits({ operation, runtime, sessionId }: FaultRule, call: Call): boolean {
  return (
    (operation === undefined || operation === call.operation) &&
    (runtime === undefined || runtime === call.runtime) &&
    (sessionId === undefined || sessionId === call.sessionId)
  );
}
