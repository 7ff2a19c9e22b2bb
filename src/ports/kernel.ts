/**
 * The agent behind the engine, as A2A 1.0 verbs. Implemented by the remote client, the supervised child and the
 * embedded agent; one contract suite holds for all three (`test/contract/kernel.contract.ts`).
 *
 * Every method may reject with a `KernelError`. A stream ends when the kernel closes it, not when a state looks
 * final: what the last state means is the engine's decision. Leaving a stream early (`return()`, or the signal)
 * stops reading; it never cancels the task.
 */
import type { A2aMessage } from '../protocol/a2a.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { RequestContext } from '../protocol/request-context.ts';
import type { RunAgentInput } from '../protocol/run-input.ts';

/** Decides how a task ends; see `docs/protocol.md`. */
export type KernelProfile = 'iac-code' | 'a2a';

export interface KernelDescription {
  readonly name: string;
  readonly version: string | undefined;
  readonly profile: KernelProfile;
  /** What the kernel can use of an AG-UI input besides the newest user message. */
  readonly accepts: { readonly tools: boolean; readonly context: boolean; readonly state: boolean };
  /** Names of the kernel's own tools, which a client's tool must not take. */
  readonly toolNames?: readonly string[];
}

/** Items read together from the kernel (one read of the socket), in order, never empty. */
export type KernelBatch = readonly JsonObject[];

export interface KernelSend {
  readonly message: A2aMessage;
  /** The whole AG-UI input, for kernels that live in this process and declare that they accept it. */
  readonly input?: RunAgentInput;
}

export interface Kernel {
  /** Who is there. Asked at most once per connection; may fail while the agent is away. */
  describe(signal: AbortSignal): Promise<KernelDescription>;
  /** SendStreamingMessage. Each item is the `result` of one response, see `protocol/a2a`. */
  send(request: KernelSend, signal: AbortSignal): AsyncIterable<KernelBatch>;
  /** SendMessage, for answers that are acknowledged at once. Resolves to `{task}` or `{message}`. */
  answer(message: A2aMessage, signal: AbortSignal): Promise<JsonObject>;
  /** SubscribeToTask: a snapshot first, then what happens from now on. */
  follow(taskId: string, signal: AbortSignal): AsyncIterable<KernelBatch>;
  /** GetTask. */
  snapshot(taskId: string, signal: AbortSignal): Promise<JsonObject>;
  /** CancelTask. Rejects with `refused` when the kernel says that it did not cancel. */
  cancel(taskId: string, signal: AbortSignal): Promise<JsonObject>;
  /** iac-code's pipeline journal after `sequence`; undefined when the kernel has none (404 or 405). */
  pipelineState(taskId: string, afterSequence: number, signal: AbortSignal): Promise<JsonObject | undefined>;
  /** iac-code's session restore. `absent` when the kernel has no such endpoint, `missing` when the session is gone. */
  ensureRestored(request: SessionRestore, signal: AbortSignal): Promise<'ready' | 'missing' | 'absent'>;
  /**
   * The same agent, called for one request: what the request brought along is there for agents that use it, and is passed
   * on where the deployment says so. Absent where it makes no difference. Never closed.
   */
  onBehalfOf?(context: RequestContext): Kernel;
  /** Lets go of everything: sockets, child process, running tasks of an embedded agent. */
  close(): Promise<void>;
}

export interface SessionRestore {
  readonly cwd: string;
  readonly sessionId: string;
  readonly taskId: string;
}
