/** What the environment says about traces and numbers, in OpenTelemetry's names. */
import type { Environment } from './config.ts';

const endpoints = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
] as const;

/** A collector is named, or an exporter is asked for; and nobody has switched the SDK off. */
export function asksForTelemetry(environment: Environment): boolean {
  if (isOn(environment['OTEL_SDK_DISABLED'])) return false;
  return (
    endpoints.some((name) => (environment[name] ?? '') !== '') ||
    environment['OTEL_TRACES_EXPORTER'] === 'otlp' ||
    environment['OTEL_METRICS_EXPORTER'] === 'otlp' ||
    isOn(environment['AGENT_OBSERVABILITY_ENABLED'])
  );
}

/** Whether traces or numbers are sent. Only `none` keeps one of them back. */
export function sends(signal: 'TRACES' | 'METRICS', environment: Environment): boolean {
  return environment[`OTEL_${signal}_EXPORTER`] !== 'none';
}

/** The share of traces that is kept, for roots; what has a parent does as the parent does. */
export function sampledShare(environment: Environment): number {
  const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: given } = environment;
  if (sampler === 'always_off' || sampler === 'parentbased_always_off') return 0;
  if (sampler !== 'traceidratio' && sampler !== 'parentbased_traceidratio') return 1;
  const share = Number(given ?? '1');
  return share >= 0 && share <= 1 ? share : 1;
}

function isOn(value: string | undefined): boolean {
  return value?.toLowerCase() === 'true';
}
