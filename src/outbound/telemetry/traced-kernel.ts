/** A kernel each of whose calls is a span. What is inside a call, such as an HTTP request, belongs to its span. */
import { SpanKind } from '@opentelemetry/api';
import { KernelError } from '../../errors/kernel-error.ts';
import type {
  Kernel,
  KernelBatch,
  KernelDescription,
  KernelSend,
  SessionRestore,
} from '../../ports/kernel.ts';
import type { A2aMessage } from '../../protocol/a2a.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { OpenSpan } from './open-span.ts';

export class TracedKernel implements Kernel {
  readonly #span: OpenSpan;
  readonly #kernel: Kernel;

  constructor(span: OpenSpan, kernel: Kernel) {
    this.#span = span;
    this.#kernel = kernel;
  }

  describe(signal: AbortSignal): Promise<KernelDescription> {
    return this.#call('GetAgentCard', signal, () => this.#kernel.describe(signal));
  }

  send(request: KernelSend, signal: AbortSignal): AsyncIterable<KernelBatch> {
    return this.#stream('SendStreamingMessage', signal, () => this.#kernel.send(request, signal));
  }

  answer(message: A2aMessage, signal: AbortSignal): Promise<JsonObject> {
    return this.#call('SendMessage', signal, () => this.#kernel.answer(message, signal));
  }

  follow(taskId: string, signal: AbortSignal): AsyncIterable<KernelBatch> {
    return this.#stream('SubscribeToTask', signal, () => this.#kernel.follow(taskId, signal));
  }

  snapshot(taskId: string, signal: AbortSignal): Promise<JsonObject> {
    return this.#call('GetTask', signal, () => this.#kernel.snapshot(taskId, signal));
  }

  cancel(taskId: string, signal: AbortSignal): Promise<JsonObject> {
    return this.#call('CancelTask', signal, () => this.#kernel.cancel(taskId, signal));
  }

  pipelineState(taskId: string, after: number, signal: AbortSignal): Promise<JsonObject | undefined> {
    return this.#call('pipeline state', signal, () => this.#kernel.pipelineState(taskId, after, signal));
  }

  ensureRestored(request: SessionRestore, signal: AbortSignal): Promise<'ready' | 'missing' | 'absent'> {
    return this.#call('restore session', signal, () => this.#kernel.ensureRestored(request, signal));
  }

  close(): Promise<void> {
    return this.#kernel.close();
  }

  async #call<Result>(method: string, signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
    const span = this.#begin(method);
    try {
      const result = await span.within(call);
      span.end();
      return result;
    } catch (thrown) {
      span.end(signal.aborted ? undefined : errorOf(thrown));
      throw thrown;
    }
  }

  async *#stream(
    method: string,
    signal: AbortSignal,
    open: () => AsyncIterable<KernelBatch>,
  ): AsyncGenerator<KernelBatch> {
    const span = this.#begin(method);
    let frames = 0;
    let error: string | undefined;
    try {
      for await (const batch of inside(span, open)) {
        frames += batch.length;
        yield batch;
      }
    } catch (thrown) {
      error = signal.aborted ? undefined : errorOf(thrown);
      throw thrown;
    } finally {
      span.set({ 'agentcore_agui.kernel.frames': frames });
      span.end(error);
    }
  }

  #begin(method: string): OpenSpan {
    return this.#span.child(
      `a2a ${method}`,
      { 'rpc.system.name': 'jsonrpc', 'rpc.method': method },
      SpanKind.CLIENT,
    );
  }
}

/** Each step of the iteration inside the span, so that what it opens or sends is part of it. */
function inside<Item>(span: OpenSpan, open: () => AsyncIterable<Item>): AsyncIterable<Item> {
  return {
    [Symbol.asyncIterator]() {
      const items = span.within(() => open()[Symbol.asyncIterator]());
      return {
        next: () => span.within(() => items.next()),
        return: async () => (await span.within(() => items.return?.())) ?? { done: true, value: undefined },
      };
    },
  };
}

function errorOf(thrown: unknown): string {
  if (thrown instanceof KernelError) return `kernel-${thrown.kind}`;
  return thrown instanceof Error ? thrown.name : 'unknown';
}
