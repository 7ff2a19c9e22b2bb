/**
 * An A2A agent that we start, watch and stop ourselves; talked to as a remote one. Started at the first call or by
 * `start`. What a dying child was doing fails as `unavailable`, and the engine decides what that means for a run.
 */
import type {
  Kernel,
  KernelBatch,
  KernelDescription,
  KernelSend,
  SessionRestore,
} from '../../ports/kernel.ts';
import type { A2aMessage } from '../../protocol/a2a.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { type ChildKernelOptions, ChildSupervisor } from './child-supervisor.ts';
import { DeferredStream } from './deferred-stream.ts';

export class ChildKernel implements Kernel {
  readonly #supervisor: ChildSupervisor;

  /** Throws `TypeError` for a command that can't be read. Nothing is started yet. */
  constructor(options: ChildKernelOptions) {
    this.#supervisor = new ChildSupervisor(options);
  }

  /** Starts the child unless it is there; resolves when it is ready, rejects when it was given up. */
  async start(): Promise<void> {
    await this.#supervisor.ready(new AbortController().signal, Number.POSITIVE_INFINITY);
  }

  async describe(signal: AbortSignal): Promise<KernelDescription> {
    return (await this.#supervisor.ready(signal)).describe(signal);
  }

  send(request: KernelSend, signal: AbortSignal): AsyncIterable<KernelBatch> {
    return new DeferredStream(
      async (leaving) => (await this.#supervisor.ready(leaving)).send(request, leaving),
      signal,
    );
  }

  async answer(message: A2aMessage, signal: AbortSignal): Promise<JsonObject> {
    return (await this.#supervisor.ready(signal)).answer(message, signal);
  }

  follow(taskId: string, signal: AbortSignal): AsyncIterable<KernelBatch> {
    return new DeferredStream(
      async (leaving) => (await this.#supervisor.ready(leaving)).follow(taskId, leaving),
      signal,
    );
  }

  async snapshot(taskId: string, signal: AbortSignal): Promise<JsonObject> {
    return (await this.#supervisor.ready(signal)).snapshot(taskId, signal);
  }

  async cancel(taskId: string, signal: AbortSignal): Promise<JsonObject> {
    return (await this.#supervisor.ready(signal)).cancel(taskId, signal);
  }

  async pipelineState(
    taskId: string,
    afterSequence: number,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined> {
    return (await this.#supervisor.ready(signal)).pipelineState(taskId, afterSequence, signal);
  }

  async ensureRestored(
    request: SessionRestore,
    signal: AbortSignal,
  ): Promise<'ready' | 'missing' | 'absent'> {
    return (await this.#supervisor.ready(signal)).ensureRestored(request, signal);
  }

  /** Stops the child with everything that it started; resolves when nothing of it is left. */
  close(): Promise<void> {
    return this.#supervisor.close();
  }
}
