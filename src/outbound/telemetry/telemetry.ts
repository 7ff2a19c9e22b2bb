/** Traces and numbers of this process, put together. */
import { context, propagation } from '@opentelemetry/api';
import type { Clock } from '../../ports/runtime.ts';
import type { Meter, Telemetry } from '../../ports/telemetry.ts';
import { Flusher } from './flusher.ts';
import { measuredStore } from './measured-store.ts';
import { createOtelMeter } from './otel-meter.ts';
import { OtelTracer } from './otel-tracer.ts';

export interface TelemetryParts {
  readonly clock: Clock;
  readonly version: string;
  /** Told of the numbers too. */
  readonly meter?: Meter | undefined;
}

export function createTelemetry({ clock, version, meter: other }: TelemetryParts): Telemetry {
  const otel = createOtelMeter(version);
  const meter = other === undefined ? otel : both(otel, other);
  const flusher = new Flusher(clock);
  return {
    tracer: new OtelTracer(version),
    meter,
    outgoing() {
      const headers: Record<string, string> = {};
      propagation.inject(context.active(), headers);
      return headers;
    },
    flush: () => flusher.flush(),
    measured: (store) => measuredStore(store, meter, clock),
  };
}

function both(one: Meter, other: Meter): Meter {
  return {
    runEnded(run) {
      one.runEnded(run);
      other.runEnded(run);
    },
    heartbeat() {
      one.heartbeat();
      other.heartbeat();
    },
    storeCall(...call) {
      one.storeCall(...call);
      other.storeCall(...call);
    },
    watch(name, read) {
      one.watch(name, read);
      other.watch(name, read);
    },
  };
}
