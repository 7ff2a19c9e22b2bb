/** The numbers as Prometheus text, with those of the Node process. Loaded only where it is asked for. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { EndedRun, Meter } from '../../ports/telemetry.ts';
import { gauges, numbers, secondsBuckets } from './numbers.ts';

export interface PrometheusMeter extends Meter {
  readonly contentType: string;
  /** All numbers in Prometheus' text format. */
  text(): Promise<string>;
}

export function createPrometheusMeter(): PrometheusMeter {
  const registry = new Registry();
  const common = (name: keyof typeof numbers) => ({
    name: numbers[name].prometheus,
    help: numbers[name].what,
    registers: [registry],
  });
  const buckets = [...secondsBuckets];
  const runs = new Counter({ ...common('runs'), labelNames: ['outcome', 'fault'] });
  const duration = new Histogram({ ...common('runDuration'), labelNames: ['outcome'], buckets });
  const firstEvent = new Histogram({ ...common('firstEvent'), buckets });
  const store = new Histogram({ ...common('store'), labelNames: ['operation', 'outcome'], buckets });
  const heartbeats = new Counter(common('heartbeats'));
  collectDefaultMetrics({ register: registry });
  return {
    runEnded({ outcome, fault = '', durationMs, firstEventMs }: EndedRun) {
      runs.inc({ outcome, fault });
      duration.observe({ outcome }, durationMs / 1_000);
      if (firstEventMs !== undefined) firstEvent.observe(firstEventMs / 1_000);
    },
    heartbeat: () => heartbeats.inc(),
    storeCall: (operation, ms, isGood) =>
      store.observe({ operation, outcome: isGood ? 'ok' : 'error' }, ms / 1_000),
    watch(name, read) {
      const { prometheus, what } = gauges[name];
      const gauge: Gauge = new Gauge({
        name: prometheus,
        help: what,
        registers: [registry],
        collect: () => gauge.set(read()),
      });
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
