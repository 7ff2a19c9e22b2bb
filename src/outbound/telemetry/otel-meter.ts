/** The numbers by the OpenTelemetry API; without an SDK in the process they go nowhere. */
import { metrics } from '@opentelemetry/api';
import type { EndedRun, Meter } from '../../ports/telemetry.ts';
import { gauges, numbers, secondsBuckets } from './numbers.ts';

const seconds = { unit: 's', advice: { explicitBucketBoundaries: [...secondsBuckets] } };

export function createOtelMeter(version: string): Meter {
  const meter = metrics.getMeter('agentcore-agui', version);
  const of = (name: keyof typeof numbers) => numbers[name];
  const runs = meter.createCounter(of('runs').otel, { description: of('runs').what });
  const duration = meter.createHistogram(of('runDuration').otel, {
    ...seconds,
    description: of('runDuration').what,
  });
  const firstEvent = meter.createHistogram(of('firstEvent').otel, {
    ...seconds,
    description: of('firstEvent').what,
  });
  const store = meter.createHistogram(of('store').otel, { ...seconds, description: of('store').what });
  const heartbeats = meter.createCounter(of('heartbeats').otel, { description: of('heartbeats').what });
  return {
    runEnded({ outcome, fault, durationMs, firstEventMs }: EndedRun) {
      runs.add(1, { outcome, ...(fault === undefined ? {} : { fault }) });
      duration.record(durationMs / 1_000, { outcome });
      if (firstEventMs !== undefined) firstEvent.record(firstEventMs / 1_000);
    },
    heartbeat: () => heartbeats.add(1),
    storeCall: (operation, ms, isGood) =>
      store.record(ms / 1_000, { operation, outcome: isGood ? 'ok' : 'error' }),
    watch(name, read) {
      const { otel, what } = gauges[name];
      meter
        .createObservableGauge(otel, { description: what })
        .addCallback((result) => result.observe(read()));
    },
  };
}
