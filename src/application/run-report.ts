/**
 * What is known of a run for those who operate the product: one log line when it ends, its spans, its numbers. Watches
 * the run and never changes it. No text of user or agent: names, counts and times only.
 */
import type { Kernel } from '../ports/kernel.ts';
import type { Log, Runtime } from '../ports/runtime.ts';
import type { SpanIds, Telemetry } from '../ports/telemetry.ts';
import type { DrivenRun } from './driven-run.ts';
import type { RunEnding, RunItem } from './run-feed.ts';
import { runLog } from './run-log.ts';
import { RunSpans } from './run-spans.ts';

export interface ReportParts {
  readonly runtime: Runtime;
  readonly telemetry: Telemetry;
  readonly kernel: Kernel;
}

export class RunReport {
  /** Writes lines with the run's ids. */
  readonly log: Log;
  /** The kernel as this run calls it. */
  readonly kernel: Kernel;
  readonly #run: DrivenRun;
  readonly #parts: ReportParts;
  readonly #spans: RunSpans;
  readonly #startedAt: number;
  #firstEventMs: number | undefined;
  #waitingSince: number | undefined;
  #kernelMs = 0;
  #bytes = 0;
  #messages = 0;
  #toolCalls = 0;

  constructor(run: DrivenRun, parts: ReportParts) {
    this.#run = run;
    this.#parts = parts;
    this.#startedAt = parts.runtime.clock.now();
    const { tracer } = parts.telemetry;
    this.#spans = new RunSpans(run, tracer);
    const { span } = this.#spans;
    const { address } = run.record;
    this.log = runLog(parts.runtime.log, { address, runId: run.runId, requestId: run.requestId, span });
    this.kernel = tracer.kernelUnder(span, parts.kernel);
  }

  /** Where the run can be found among traces; undefined where nobody traces. */
  get ids(): SpanIds | undefined {
    return this.#spans.span.ids;
  }

  /** The run says this. */
  said(items: readonly RunItem[]): void {
    for (const item of items) this.#count(item);
    this.#spans.said(items);
  }

  /** The run waits for its kernel, until `heard`. */
  waits(): void {
    this.#waitingSince = this.#parts.runtime.clock.now();
  }

  heard(): void {
    if (this.#waitingSince === undefined) return;
    this.#kernelMs += this.#elapsed(this.#waitingSince);
    this.#waitingSince = undefined;
  }

  /** All of the run is said. */
  ended(ending: RunEnding): void {
    this.heard();
    const { telemetry } = this.#parts;
    const durationMs = this.#elapsed(this.#startedAt);
    const fault = 'fault' in ending ? ending.fault.code : undefined;
    const firstEventMs = this.#firstEventMs;
    const counts = { events: this.#run.feed.last, messages: this.#messages, toolCalls: this.#toolCalls };
    this.log.info('run ended', {
      executionId: this.#run.record.execution.executionId,
      outcome: ending.kind,
      fault,
      reason: 'fault' in ending ? ending.fault.fault : undefined,
      firstEventMs,
      kernelMs: this.#kernelMs,
      durationMs,
      ...counts,
      interrupts: ending.kind === 'interrupted' ? ending.interrupts.length : 0,
      bytes: this.#bytes,
    });
    telemetry.meter.runEnded({ outcome: ending.kind, fault, durationMs, firstEventMs });
    this.#spans.ended(ending, counts);
  }

  /** Never negative: a clock may be set back. */
  #elapsed(since: number): number {
    return Math.max(0, this.#parts.runtime.clock.now() - since);
  }

  /** Bytes are those of what was said: text, reasoning, arguments and results, in UTF-8. */
  #count(item: RunItem): void {
    if (item.type === 'RUN_STARTED') return;
    this.#firstEventMs ??= this.#elapsed(this.#startedAt);
    switch (item.type) {
      case 'TEXT_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_CONTENT':
      case 'TOOL_CALL_ARGS':
        this.#bytes += Buffer.byteLength(item.delta);
        return;
      case 'TOOL_CALL_RESULT':
        this.#bytes += Buffer.byteLength(item.content);
        return;
      case 'TEXT_MESSAGE_START':
        this.#messages += 1;
        return;
      case 'TOOL_CALL_START':
        this.#toolCalls += 1;
        return;
      default:
    }
  }
}
