/** The use cases behind the doors, joined. What each of them does stands in a file of its own. */
import { refuseOddTools } from '../domain/admission/client-tools.ts';
import type { PayloadCheck } from '../domain/interrupts/answers.ts';
import type { FallbackTexts } from '../domain/interrupts/pending.ts';
import type { ThreadRecord } from '../domain/thread/thread.ts';
import { type Fault, fault } from '../errors/fault.ts';
import type { Kernel } from '../ports/kernel.ts';
import type { Runtime } from '../ports/runtime.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { SharedThreads } from '../ports/thread-store.ts';
import type { Workspaces } from '../ports/workspaces.ts';
import type { A2aMessage } from '../protocol/a2a.ts';
import { runId, type ThreadAddress, threadId } from '../protocol/ids.ts';
import type { JsonObject, JsonValue } from '../protocol/json.ts';
import { type AdmittedRun, admitRun } from './admit-run.ts';
import { interruptedFeed, openJoined, readerAfter, startedItem } from './attach-run.ts';
import { type CancelParts, cancelExecution, cancelRun, type ExecutionName } from './cancel-execution.ts';
import type { DriverSettings } from './driven-run.ts';
import { enterSession, type SessionParts } from './enter-session.ts';
import type { Health } from './health.ts';
import type { InterruptTimers } from './interrupt-timers.ts';
import { cancelTask } from './kernel-fault.ts';
import type { LiveRun, LiveRuns } from './live-runs.ts';
import { readerLost } from './lost-readers.ts';
import { addressedMessage, openNewRun, readUserMessage, type UserMessage } from './new-run.ts';
import type { Prepare } from './opening.ts';
import { ownThread } from './own-thread.ts';
import { isPrewarm, prewarmed } from './prewarm.ts';
import type { RecentRuns } from './recent-runs.ts';
import { secretsOf } from './request-secrets.ts';
import { openResume } from './resume-run.ts';
import { RunDriver } from './run-driver.ts';
import { defaultFeedLimits, RunFeed } from './run-feed.ts';
import type {
  AttachRequest,
  Caller,
  CancelResult,
  HealthStatus,
  LostReader,
  RunRequest,
  RunService,
  StartedRun,
} from './run-service.ts';
import type { ThreadDesk } from './thread-desk.ts';

export interface ServiceSettings {
  readonly driver: DriverSettings;
  readonly maxRunsRemembered: number;
  /** Undefined leaves it to the transport: an SSE stream cancels, a socket detaches. */
  readonly onDisconnect: 'cancel' | 'detach' | undefined;
  readonly detachGraceMs: number;
}

export interface ServiceParts {
  readonly desk: ThreadDesk;
  /** Where other processes may drive runs of the same threads. */
  readonly shared?: SharedThreads | undefined;
  readonly kernel: Kernel;
  readonly workspaces: Workspaces;
  readonly runtime: Runtime;
  readonly telemetry: Telemetry;
  readonly health: Health;
  readonly liveRuns: LiveRuns;
  readonly sessions: SessionParts;
  readonly timers: InterruptTimers;
  readonly recent: RecentRuns;
  readonly interruptTexts: (language: string) => FallbackTexts;
  /** See `ports/answer-schema`. */
  readonly check: (schema: JsonObject, payload: JsonValue) => PayloadCheck;
  readonly settings: ServiceSettings;
}

export class Service implements RunService {
  readonly #parts: ServiceParts;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  health(): HealthStatus {
    return this.#parts.health.read();
  }

  async start(request: RunRequest): Promise<StartedRun> {
    const { phase } = this.#parts.health;
    if (phase !== 'ready') throw fault(phase === 'draining' ? 'server-draining' : 'server-starting');
    const { caller, input } = request;
    // A resume begins nothing: the thread that it needs is in a session already.
    if (input.resume === undefined)
      await enterSession(addressOf(caller, input.threadId), caller.subject, this.#parts.sessions);
    if (isPrewarm(request)) return prewarmed(request);
    const release = this.#reserve(request);
    try {
      const message = request.input.resume === undefined ? readUserMessage(request) : undefined;
      const admitted = await this.#admit(request);
      return this.#launch(request, admitted, message, release);
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  /** A place among the runs; while it is held, nothing that is written down holds the request's secrets. */
  #reserve(request: RunRequest): () => void {
    const release = this.#parts.liveRuns.reserve();
    const reveal = this.#parts.runtime.secrets?.conceal(secretsOf(request));
    return () => {
      release();
      reveal?.();
    };
  }

  async attach(request: AttachRequest): Promise<StartedRun> {
    const { desk, liveRuns, recent } = this.#parts;
    const address = addressOf(request.caller, request.threadId);
    const record = await ownThread(request.caller, address, desk);
    if (record === undefined) throw fault('run-not-found');
    const found = liveRuns.find(address);
    const live = found?.runId === request.runId ? found : undefined;
    const feed = live?.feed ?? recent.find(address, request.runId);
    if (feed === undefined) return this.#rejoin(request, record);
    const reader = readerAfter(feed, request, startedItem(record, runId(request.runId)));
    return { reader, readerLost: (usual) => live !== undefined && this.#lost(live, usual) };
  }

  /** A run that this process does not have: its questions, its task, or nothing of it is left. */
  async #rejoin(request: AttachRequest, record: ThreadRecord): Promise<StartedRun> {
    const { runs, execution, address } = record;
    const isKnown = runs.some((each) => each.runId === request.runId);
    // Whoever missed the announcement of what waits can't know which run made it: any run of the thread will do.
    if (isKnown && execution.activeRunId === null && execution.pending.length > 0) {
      const texts = this.#parts.interruptTexts(request.language);
      const feed = interruptedFeed(record, runId(request.runId), texts);
      return { reader: feed.reader(), readerLost: () => undefined };
    }
    if (runs.at(-1)?.runId !== request.runId) throw fault('run-not-found');
    // Another process drives it, or it is just being set going here: asked again, the one that has it may be reached.
    if (execution.activeRunId !== null) throw fault('thread-busy');
    if (execution.taskId === null) throw fault('run-not-found');
    const release = this.#parts.liveRuns.reserve();
    try {
      const reserved = await this.#parts.desk.update(address, (current) =>
        current.execution.taskId === execution.taskId && current.execution.activeRunId === null
          ? { ...current, execution: { ...current.execution, activeRunId: runId(request.runId) } }
          : current,
      );
      if (reserved?.execution.activeRunId !== request.runId) throw fault('thread-busy');
      return this.#drive(
        { ...request, record: reserved, isResume: false, history: [] },
        release,
        (signal, _ledger, kernel) => openJoined(reserved, runId(request.runId), kernel, signal),
      );
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  cancelRun(caller: Caller, thread: string, runId: string): Promise<CancelResult> {
    return cancelRun(caller, addressOf(caller, thread), runId, this.#cancelParts(caller));
  }

  cancelExecution(caller: Caller, thread: string, name: ExecutionName): Promise<CancelResult> {
    return cancelExecution(caller, addressOf(caller, thread), name, this.#cancelParts(caller));
  }

  #kernelFor({ context }: Caller): Kernel {
    const { kernel } = this.#parts;
    return kernel.onBehalfOf?.(context) ?? kernel;
  }

  #cancelParts(caller: Caller): CancelParts {
    const { desk, runtime, liveRuns, shared, settings } = this.#parts;
    const kernel = this.#kernelFor(caller);
    const { maxTerminalExecutions } = settings.driver;
    return { desk, kernel, clock: runtime.clock, liveRuns, shared, maxTerminalExecutions };
  }

  async #admit(request: RunRequest): Promise<AdmittedRun> {
    const { desk, runtime, check, settings, workspaces, kernel } = this.#parts;
    const { maxRunsRemembered } = settings;
    const { maxTerminalExecutions } = settings.driver;
    const address = addressOf(request.caller, request.input.threadId);
    if (request.input.tools.length > 0) await this.#checkTools(request);
    const cwd = await workspaces.resolve(request.props?.cwd, address);
    return admitRun(request, address, cwd, {
      desk,
      runtime,
      check,
      settings: { maxRunsRemembered, maxTerminalExecutions },
      abandoned: (taskId) => {
        cancelTask(kernel, taskId).catch((problem: Fault) => this.#tellLog(problem));
      },
    });
  }

  async #checkTools(request: RunRequest): Promise<void> {
    if (request.door === 'iac-code') throw fault('tools-unsupported');
    // A kernel that is away can't declare anything; the client may leave its tools out and be told so in the stream.
    const description = await this.#parts.kernel
      .describe(new AbortController().signal)
      .catch(() => undefined);
    if (description?.accepts.tools !== true) throw fault('tools-unsupported');
    refuseOddTools(request.input.tools, description.toolNames);
  }

  #launch(
    request: RunRequest,
    { record, orphan }: AdmittedRun,
    message: UserMessage | undefined,
    release: () => void,
  ): StartedRun {
    const { runtime, liveRuns, workspaces, check } = this.#parts;
    const { clock } = runtime;
    const { input } = request;
    const previous = liveRuns.find(record.address)?.left;
    const begun = {
      caller: request.caller,
      runId: input.runId,
      parentRunId: input.parentRunId,
      language: request.language,
      record,
      isResume: message === undefined,
      history: input.messages,
    };
    return this.#drive(begun, release, (signal, ledger, kernel) => {
      if (message !== undefined) {
        return openNewRun({ kernel, workspaces, request, record, message, orphan, previous, clock }, signal);
      }
      const address = (answer: A2aMessage): A2aMessage => addressedMessage(answer, ledger.record, request);
      return openResume({ kernel, ledger, input, clock, check, address }, signal);
    });
  }

  /** Sets a reserved run going; it is on its own from here. */
  #drive(begun: BegunRun, release: () => void, open: Prepare): StartedRun {
    const { desk, runtime, telemetry, liveRuns, timers, recent, settings } = this.#parts;
    const { record, history, caller } = begun;
    const { askedIn } = record.execution;
    const kernel = this.#kernelFor(caller);
    const feed = new RunFeed(defaultFeedLimits, history);
    const reader = feed.reader();
    const driver = new RunDriver(
      { desk, kernel, runtime, telemetry, liveRuns, settings: settings.driver },
      {
        record,
        runId: runId(begun.runId),
        requestId: caller.requestId,
        origin: {
          request: caller.trace?.span,
          isRoot: caller.trace?.isSocket === true,
          follows: begun.isResume && askedIn !== undefined ? [askedIn] : [],
        },
        parentRunId: begun.parentRunId,
        isResume: begun.isResume,
        feed,
        interruptTexts: this.#parts.interruptTexts(begun.language),
        interrupted: (waiting) => timers.watch(waiting),
        release: () => {
          recent.keep(record.address, begun.runId, feed);
          release();
        },
      },
    );
    timers.forget(record.address);
    liveRuns.add(driver);
    driver.begin();
    void driver.drive(open);
    return { reader, readerLost: (usual) => this.#lost(driver, usual) };
  }

  #lost(run: LiveRun, usual: LostReader): void {
    const { runtime, settings } = this.#parts;
    readerLost(run, usual, settings, runtime.clock, (problem) => this.#tellLog(problem));
  }

  #tellLog(problem: Fault): void {
    this.#parts.runtime.log.warn('kernel not told of a cancel', {
      reason: problem.fault,
      cause: problem.cause,
    });
  }
}

/** What a run needs to be set going, whether it is new or taken up again. */
interface BegunRun {
  readonly caller: Caller;
  readonly record: ThreadRecord;
  readonly runId: string;
  readonly parentRunId?: string | undefined;
  readonly language: string;
  readonly isResume: boolean;
  readonly history: readonly JsonObject[];
}

function addressOf(caller: Caller, thread: string): ThreadAddress {
  return { sessionId: caller.sessionId, threadId: threadId(thread) };
}
