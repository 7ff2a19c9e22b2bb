/** The tracer over the OpenTelemetry API: whatever SDK was loaded into the process records; without one nobody does. */
import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import type { Kernel } from '../../ports/kernel.ts';
import type { Attributes, RunOrigin, Span, SpanIds, Tracer } from '../../ports/telemetry.ts';
import { OpenSpan } from './open-span.ts';
import { TracedKernel } from './traced-kernel.ts';

const scope = 'agentcore-agui';

type Headers = Parameters<Tracer['request']>[1];

export class OtelTracer implements Tracer {
  readonly #version: string;

  constructor(version: string) {
    this.#version = version;
  }

  request(name: string, headers: Headers, more: Attributes): Span {
    return this.#start(name, { parent: parentOf(headers), kind: SpanKind.SERVER }, more);
  }

  run(name: string, { request, isRoot, follows }: RunOrigin, attributes: Attributes): Span {
    const links = follows.map(toLink);
    if (!(request instanceof OpenSpan)) return this.#start(name, { parent: ROOT_CONTEXT, links }, attributes);
    if (!isRoot) return this.#start(name, { parent: request.context, links }, attributes);
    if (request.ids !== undefined) links.push(toLink(request.ids));
    return this.#start(name, { parent: ROOT_CONTEXT, isRoot, links, otherwise: request.ids }, attributes);
  }

  kernelUnder(span: Span, kernel: Kernel): Kernel {
    return span instanceof OpenSpan && span.isRecording ? new TracedKernel(span, kernel) : kernel;
  }

  #start(name: string, start: ConstructorParameters<typeof OpenSpan>[2], attributes: Attributes): OpenSpan {
    return new OpenSpan(trace.getTracer(scope, this.#version), name, start, attributes);
  }
}

/** Another instrumentation's span that is open here, else the caller's. */
function parentOf(headers: Headers): Context {
  const active = context.active();
  if (trace.getSpan(active) !== undefined) return active;
  const extracted = propagation.extract(active, headers);
  return trace.getSpan(extracted) === undefined ? withIds(idsIn(headers)) : extracted;
}

function withIds(ids: SpanIds | undefined): Context {
  return ids === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, toContext(ids));
}

function toContext(ids: SpanIds) {
  return { ...ids, traceFlags: TraceFlags.SAMPLED, isRemote: true };
}

const toLink = (ids: SpanIds) => ({ context: toContext(ids) });

/** The caller's trace as W3C or X-Ray writes it, so that log lines can name it even where nobody traces here. */
function idsIn(headers: Headers): SpanIds | undefined {
  const w3c = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/.exec(
    String(headers['traceparent'] ?? ''),
  );
  const xray = String(headers['x-amzn-trace-id'] ?? '');
  const root = /(?:^|;)\s*Root=1-([0-9a-f]{8})-([0-9a-f]{24})/.exec(xray);
  const traceId = w3c?.[1] ?? (root === null ? undefined : `${root[1]}${root[2]}`);
  const spanId = w3c?.[2] ?? /(?:^|;)\s*Parent=([0-9a-f]{16})/.exec(xray)?.[1];
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId };
}
