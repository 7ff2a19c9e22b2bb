/** An OpenTelemetry SDK in the test's process whose spans can be looked at. One per test file: the API knows only one. */
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

export interface RecordedSpans {
  /** Spans that have ended, oldest first. */
  ended(): readonly ReadableSpan[];
  named(name: string): readonly ReadableSpan[];
  /** Spans that were started and have not ended. */
  open(): readonly string[];
  forget(): void;
}

export function recordSpans(): RecordedSpans {
  const exporter = new InMemorySpanExporter();
  const open = new Map<string, string>();
  const provider = new TracerProvider({
    spanProcessors: [
      new SimpleSpanProcessor({ exporter }),
      {
        onStart: (span) => void open.set(span.spanContext().spanId, span.name),
        onEnd: (span) => void open.delete(span.spanContext().spanId),
        forceFlush: async () => undefined,
        shutdown: async () => undefined,
      },
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
  );
  trace.setGlobalTracerProvider(provider);
  const ended = (): readonly ReadableSpan[] => exporter.getFinishedSpans();
  return {
    ended,
    named: (name) => ended().filter((span) => span.name === name),
    open: () => [...open.values()],
    forget: () => exporter.reset(),
  };
}

/** The span's parent, by id; undefined for a root. */
export const parentOf = (span: ReadableSpan | undefined): string | undefined =>
  span?.parentSpanContext?.spanId;
