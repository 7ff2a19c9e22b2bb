/**
 * Traces and numbers for whoever runs the product. The engine says what begins and ends; what is made of it, if anything,
 * is the adapter's (`outbound/telemetry`). Nothing here may throw, wait, or carry text of users and agents.
 */
import type { Kernel } from './kernel.ts';
import type { ThreadStore } from './thread-store.ts';

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** The names of a span, as log lines and other processes know it: 32 and 16 hex digits. */
export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
}

/** Something that takes time. Ends once, on every path; what it holds open ends with it. */
export interface Span {
  /** Undefined where nobody traces. */
  readonly ids: SpanIds | undefined;
  /** Nobody would see a child or an attribute: callers may spare themselves the work. */
  readonly isRecording: boolean;
  child(name: string, attributes?: Attributes): Span;
  set(attributes: Attributes): void;
  /** `error` is a short word of ours, such as a fault's code; undefined for a good end. Later calls change nothing. */
  end(error?: string): void;
}

export interface RunOrigin {
  /** The span of the request that asks for the run. */
  readonly request: Span | undefined;
  /** A run of a socket is the root of a trace of its own, linked to its request: a socket's trace never ends. */
  readonly isRoot: boolean;
  /** Runs that this one goes on from. */
  readonly follows: readonly SpanIds[];
}

export interface Tracer {
  /** A request, joined to the trace that its headers tell of. */
  request(
    name: string,
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    more: Attributes,
  ): Span;
  run(name: string, origin: RunOrigin, attributes: Attributes): Span;
  /** The same kernel, each of whose calls is a span under the given one. */
  kernelUnder(span: Span, kernel: Kernel): Kernel;
}

export interface EndedRun {
  readonly outcome: 'finished' | 'interrupted' | 'cancelled' | 'failed';
  /** Code of the fault, for a run that was cancelled or failed. */
  readonly fault: string | undefined;
  readonly durationMs: number;
  /** Undefined when the run said nothing. */
  readonly firstEventMs: number | undefined;
}

/** What is counted. Numbers only: nothing here may be as many as threads or users are. */
export interface Meter {
  runEnded(run: EndedRun): void;
  heartbeat(): void;
  /** One call of the thread store. */
  storeCall(call: 'load' | 'save' | 'remove', ms: number, isGood: boolean): void;
  /** Asked when the number is wanted. */
  watch(gauge: 'active-runs' | 'open-sockets', read: () => number): void;
}

export type OutgoingHeaders = () => Readonly<Record<string, string>>;

export interface Telemetry {
  readonly tracer: Tracer;
  readonly meter: Meter;
  /** Headers that let another process go on with the trace that is current here; none where nobody traces. */
  readonly outgoing: OutgoingHeaders;
  /** Sends what has been collected. Bounded, never rejects: a machine may freeze right after an answer's end. */
  flush(): Promise<void>;
  measured(store: ThreadStore): ThreadStore;
}
