/** A span over the OpenTelemetry API. Without an SDK in the process nothing records, and each call here is next to free. */
import {
  type Context,
  context,
  isSpanContextValid,
  type Link,
  type Span as OtelSpan,
  propagation,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Attributes, Span, SpanIds } from '../../ports/telemetry.ts';

/** What every span below takes over. */
const sessionAttribute = 'session.id';

export interface SpanStart {
  readonly parent: Context;
  readonly kind?: SpanKind;
  readonly isRoot?: boolean;
  readonly links?: readonly Link[];
  /** Shown in logs when the span itself has no name because nobody traces. */
  readonly otherwise?: SpanIds | undefined;
}

export class OpenSpan implements Span {
  readonly ids: SpanIds | undefined;
  readonly isRecording: boolean;
  readonly #tracer: Tracer;
  readonly #span: OtelSpan;
  readonly #open = new Set<OpenSpan>();
  #within: Context;
  #session: string | undefined;
  #hasEnded = false;
  #ended: (() => void) | undefined;

  constructor(tracer: Tracer, name: string, start: SpanStart, attributes: Attributes) {
    this.#tracer = tracer;
    const { parent, kind = SpanKind.INTERNAL, isRoot = false, links = [] } = start;
    this.#span = tracer.startSpan(name, { kind, root: isRoot, links: [...links], attributes }, parent);
    this.#within = trace.setSpan(parent, this.#span);
    this.isRecording = this.#span.isRecording();
    const { traceId, spanId } = this.#span.spanContext();
    this.ids = isSpanContextValid(this.#span.spanContext()) ? { traceId, spanId } : start.otherwise;
    this.#takeSession(attributes);
  }

  /** For what runs inside the span: its children by other hands, and what goes out to other processes. */
  within<Result>(action: () => Result): Result {
    return this.isRecording ? context.with(this.#within, action) : action();
  }

  /** The parent of what is below. */
  get context(): Context {
    return this.#within;
  }

  child(name: string, attributes: Attributes = {}, kind: SpanKind = SpanKind.INTERNAL): OpenSpan {
    const start = { parent: this.#within, kind, otherwise: this.ids };
    const session = this.#session === undefined ? {} : { [sessionAttribute]: this.#session };
    const child = new OpenSpan(this.#tracer, name, start, { ...session, ...attributes });
    if (child.isRecording && !this.#hasEnded) {
      this.#open.add(child);
      child.#ended = () => this.#open.delete(child);
    }
    return child;
  }

  set(attributes: Attributes): void {
    if (!this.isRecording || this.#hasEnded) return;
    this.#span.setAttributes(attributes);
    this.#takeSession(attributes);
  }

  end(error?: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const child of this.#open) child.end(error);
    this.#open.clear();
    if (error !== undefined) {
      this.#span.setAttribute('error.type', error);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
    this.#ended?.();
  }

  /** The session goes on every span below, and along to other processes as baggage, as the platform's own tools do. */
  #takeSession(attributes: Attributes): void {
    const session = attributes[sessionAttribute];
    if (typeof session !== 'string' || session === this.#session || !this.isRecording) return;
    this.#session = session;
    const baggage = propagation.getBaggage(this.#within) ?? propagation.createBaggage();
    this.#within = propagation.setBaggage(
      this.#within,
      baggage.setEntry(sessionAttribute, { value: session }),
    );
  }
}
