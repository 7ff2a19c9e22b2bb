/**
 * `AgentCoreAgent`: AG-UI's own base class over our client, to be put wherever an `HttpAgent` goes (CopilotKit,
 * assistant-ui, plain AG-UI code). Differs from it where that loses something: refusals are typed, broken streams are
 * errors or are taken up again, `abortRun` ends the run at the server too, `connectAgent` works.
 */
import {
  AbstractAgent,
  type AgentConfig,
  type AgentSubscriber,
  type BaseEvent,
  EventType,
  enforceOutgoingInput,
  type RunAgentInput,
  type RunAgentParameters,
  type RunAgentResult,
} from '@ag-ui/client';
import { Observable, type Subscriber } from 'rxjs';
import { AgentCoreClient } from './client.ts';
import { isClientError } from './client-error.ts';
import type { ClientOptions } from './client-options.ts';
import type { ReceivedEvent } from './transport.ts';

export type AgentCoreAgentConfig = AgentConfig & ClientOptions;

export interface RunAgentCoreParameters extends RunAgentParameters {
  readonly abortController?: AbortController;
}

type Open = (signal: AbortSignal) => AsyncGenerator<ReceivedEvent>;

// AG-UI clones agents by their members, without a constructor: none of these may be a `#private` one.
export class AgentCoreAgent extends AbstractAgent {
  /** Controls beside the run: `cancel`, `prewarm`, `stopSession`, `attach`. Shared by clones, and so are sessions. */
  client: AgentCoreClient;
  /** Sent with every run, as `HttpAgent.headers`; frameworks put the browser's ones here. */
  headers: Record<string, string>;
  abortController: AbortController = new AbortController();
  /** The run that was started or connected to last. */
  lastRunId: string | undefined;
  private isDetaching = false;

  /** Throws `INVALID_ARGUMENT`. */
  constructor(config: AgentCoreAgentConfig) {
    super(config);
    const { headers = {}, ...options } = config;
    this.headers = { ...headers };
    this.client = new AgentCoreClient(options);
  }

  override runAgent(
    parameters?: RunAgentCoreParameters,
    subscriber?: AgentSubscriber,
  ): Promise<RunAgentResult> {
    this.abortController = parameters?.abortController ?? new AbortController();
    return super.runAgent(parameters, subscriber);
  }

  /** Shows a run that is going on, or has ended lately: the one named, else this agent's last. */
  override connectAgent(
    parameters?: RunAgentCoreParameters,
    subscriber?: AgentSubscriber,
  ): Promise<RunAgentResult> {
    this.abortController = parameters?.abortController ?? new AbortController();
    if (parameters?.runId !== undefined) this.lastRunId = parameters.runId;
    return super.connectAgent(parameters, subscriber);
  }

  run(input: RunAgentInput): Observable<BaseEvent> {
    this.lastRunId = input.runId;
    const { headers } = this;
    return this.observe(input, (signal) => this.client.run(enforceOutgoingInput(input), { headers, signal }));
  }

  /** An agent that has not run yet has nothing to connect to, which AG-UI takes for an empty answer. */
  protected override connect(input: RunAgentInput): Observable<BaseEvent> {
    const { headers, lastRunId, threadId } = this;
    if (lastRunId === undefined) return super.connect(input);
    const run = { threadId, runId: lastRunId };
    return this.observe(run, (signal) => this.client.attach(run, { headers, signal }));
  }

  override abortRun(): void {
    this.abortController.abort();
    super.abortRun();
  }

  /** Stops listening. The connection is read on, as leaving it would end the run at some servers. */
  override async detachActiveRun(): Promise<void> {
    this.isDetaching = true;
    try {
      await super.detachActiveRun();
    } finally {
      this.isDetaching = false;
    }
  }

  override clone(): AgentCoreAgent {
    // The base class gives a copy of this very prototype, typed as `any`.
    const cloned: AgentCoreAgent = super.clone();
    cloned.client = this.client;
    cloned.headers = { ...this.headers };
    cloned.lastRunId = this.lastRunId;
    cloned.isDetaching = false;
    cloned.abortController = new AbortController();
    if (this.abortController.signal.aborted) cloned.abortController.abort(this.abortController.signal.reason);
    return cloned;
  }

  private observe(run: { threadId: string; runId: string }, open: Open): Observable<BaseEvent> {
    return new Observable((subscriber) => {
      const left = new AbortController();
      const { signal } = this.abortController;
      void this.pump(run, () => open(AbortSignal.any([signal, left.signal])), subscriber);
      return () => {
        if (!this.isDetaching) left.abort();
      };
    });
  }

  /** Never rejects: nobody waits for it. */
  private async pump(
    run: { threadId: string; runId: string },
    open: () => AsyncGenerator<ReceivedEvent>,
    subscriber: Subscriber<BaseEvent>,
  ): Promise<void> {
    try {
      // The base class checks each event against AG-UI's schema behind this point.
      for await (const event of open()) subscriber.next(event as unknown as BaseEvent);
      subscriber.complete();
    } catch (thrown) {
      if (!isClientError(thrown) || thrown.code !== 'ABORTED') return subscriber.error(thrown);
      this.endAtServer(run);
      // What `HttpAgent` makes of its own abort.
      subscriber.next({ type: EventType.RUN_ERROR, message: thrown.message, code: 'abort' } as BaseEvent);
      subscriber.complete();
    }
  }

  /** Not every server ends a run whose reader has gone. */
  private endAtServer({ threadId, runId }: { threadId: string; runId: string }): void {
    if (!this.client.knowsRuns || !this.abortController.signal.aborted) return;
    // The reader has gone already: there is nobody to be told that this failed too.
    this.client.cancel(threadId, runId, { headers: this.headers }).catch(() => undefined);
  }
}
