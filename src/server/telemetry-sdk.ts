/**
 * The OpenTelemetry SDK for the image: spans and numbers to a collector by OTLP over HTTP (protobuf), the traces of
 * callers that speak W3C or X-Ray taken up, ids that copies of one memory snapshot do not share. Everything else, such as
 * the collector's address and headers, is read from the environment by the SDK itself.
 */
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { AWSXRayPropagator } from '@opentelemetry/propagator-aws-xray';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { freshHex } from '../outbound/system/fresh-random.ts';
import type { Environment } from './config.ts';
import { sampledShare, sends } from './telemetry-environment.ts';

/** The SDK's own generator draws from `Math.random`, whose state is part of a memory snapshot. */
const idGenerator: IdGenerator = {
  generateTraceId: () => freshHex(16),
  generateSpanId: () => freshHex(8),
};

/** Registers the SDK for the process. Connects to nothing before there is something to send. */
export function startTelemetrySdk(environment: Environment, version: string): void {
  const resource = resourceOf(version);
  if (sends('TRACES', environment)) startTraces(environment, resource);
  if (sends('METRICS', environment)) startMetrics(resource);
}

function startTraces(environment: Environment, resource: Resource): void {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(
    new CompositePropagator({
      // The last one that finds something wins: a caller that speaks W3C says more.
      propagators: [new AWSXRayPropagator(), new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
    }),
  );
  trace.setGlobalTracerProvider(
    new TracerProvider({
      resource,
      idGenerator,
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare(environment)) }),
      spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
    }),
  );
}

function startMetrics(resource: Resource): void {
  const reader = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() });
  metrics.setGlobalMeterProvider(new MeterProvider({ resource, readers: [reader] }));
}

/** What the environment says of the service wins over our own words. */
function resourceOf(version: string): Resource {
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'agentcore-agui', 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }));
}
