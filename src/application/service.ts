/** The use cases behind the doors, joined. What each of them does stands in a file of its own. */
import type { PayloadCheck } from '../domain/interrupts/answers.ts';
import type { FallbackTexts } from '../domain/interrupts/pending.ts';
import type { ThreadRecord } from '../domain/thread/thread.ts';
import { type Fault, fault } from '../errors/fault.ts';
import type { Kernel } from '../ports/kernel.ts';
import type { Runtime } from '../ports/runtime.ts';
import type { SharedThreads } from '../ports/thread-store.ts';
import type { Workspaces } from '../ports/workspaces.ts';
import type { A2aMessage } from '../protocol/a2a.ts';
import { runId, type ThreadAddress, threadId } from '../protocol/ids.ts';
import type { JsonObject, JsonValue } from '../protocol/json.ts';
import { type AdmittedRun, admitRun } from './admit-run.ts';
import { interruptedFeed, openJoined, readerAfter, startedItem } from './attach-run.ts';
import { type CancelParts, cancelExecution, cancelRun, type ExecutionName } from './cancel-execution.ts';
import type { DriverSettings } from './driven-run.ts';
import type { Health } from './health.ts';
import type { InterruptTimers } from './interrupt-timers.ts';
import { cancelTask } from './kernel-fault.ts';
import type { LiveRun, LiveRuns } from './live-runs.ts';
import { addressedMessage, openNewRun, readUserMessage, type UserMessage } from './new-run.ts';
import type { Opening } from './opening.ts';
import type { RecentRuns } from './recent-runs.ts';
import { openResume } from './resume-run.ts';
import { RunDriver } from './run-driver.ts';
import { defaultFeedLimits, RunFeed } from './run-feed.ts';
import type { RunLedger } from './run-ledger.ts';
import type {
  AttachRequest,
  Caller,
  CancelResult,
  HealthStatus,
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
  readonly health: Health;
  readonly liveRuns: LiveRuns;
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
    if (isPrewarm(request)) return prewarmed(request);
    const release = this.#parts.liveRuns.reserve();
    try {
      const message = request.input.resume === undefined ? readUserMessage(request) : undefined;
      const admitted = await this.#admit(request);
      return this.#launch(request, admitted, message, release);
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  async attach(request: AttachRequest): Promise<StartedRun> {
    const { desk, liveRuns, recent } = this.#parts;
    const address = addressOf(request.caller, request.threadId);
    const record = await desk.use(address, async (held) => held.record);
    if (record === undefined || record.subject !== request.caller.subject) throw fault('run-not-found');
    const found = liveRuns.find(address);
    const live = found?.runId === request.runId ? found : undefined;
    const feed = live?.feed ?? recent.find(address, request.runId);
    if (feed === undefined) return this.#rejoin(request, record);
    const reader = readerAfter(feed, request, startedItem(record, runId(request.runId)));
    return { reader, readerLost: (usual) => live !== undefined && this.#readerLost(live, usual) };
  }

  /** A run that this process does not have: its questions, its task, or nothing of it is left. */
  async #rejoin(request: AttachRequest, record: ThreadRecord): Promise<StartedRun> {
    const { runs, execution, address } = record;
    const isNewest = runs.at(-1)?.runId === request.runId;
    if (!isNewest) throw fault('run-not-found');
    // Another process drives it, or it is just being set going here: asked again, the one that has it may be reached.
    if (execution.activeRunId !== null) throw fault('thread-busy');
    if (execution.pending.length > 0) {
      const feed = interruptedFeed(
        record,
        runId(request.runId),
        this.#parts.interruptTexts(request.language),
      );
      return { reader: feed.reader(), readerLost: () => undefined };
    }
    if (execution.taskId === null) throw fault('run-not-found');
    const release = this.#parts.liveRuns.reserve();
    try {
      const reserved = await this.#parts.desk.update(address, (current) =>
        current.execution.taskId === execution.taskId && current.execution.activeRunId === null
          ? { ...current, execution: { ...current.execution, activeRunId: runId(request.runId) } }
          : current,
      );
      if (reserved?.execution.activeRunId !== request.runId) throw fault('thread-busy');
      return this.#drive({ ...request, record: reserved, isResume: false, history: [] }, release, (signal) =>
        openJoined(reserved, runId(request.runId), this.#parts.kernel, signal),
      );
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  cancelRun(caller: Caller, thread: string, runId: string): Promise<CancelResult> {
    return cancelRun(caller, addressOf(caller, thread), runId, this.#cancelParts());
  }

  cancelExecution(caller: Caller, thread: string, name: ExecutionName): Promise<CancelResult> {
    return cancelExecution(caller, addressOf(caller, thread), name, this.#cancelParts());
  }

  #cancelParts(): CancelParts {
    const { desk, kernel, runtime, liveRuns, shared, settings } = this.#parts;
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
  }

  #launch(
    request: RunRequest,
    { record, orphan }: AdmittedRun,
    message: UserMessage | undefined,
    release: () => void,
  ): StartedRun {
    const { kernel, runtime, liveRuns, workspaces, check } = this.#parts;
    const { clock } = runtime;
    const { runId, parentRunId, messages, resume } = request.input;
    const previous = liveRuns.find(record.address)?.left;
    const begun = {
      runId,
      parentRunId,
      language: request.language,
      record,
      isResume: message === undefined,
      history: messages,
    };
    return this.#drive(begun, release, (signal, ledger) => {
      if (message !== undefined) {
        return openNewRun({ kernel, workspaces, request, record, message, orphan, previous, clock }, signal);
      }
      const address = (answer: A2aMessage): A2aMessage => addressedMessage(answer, ledger.record, request);
      return openResume({ kernel, ledger, entries: resume ?? [], clock, check, address }, signal);
    });
  }

  /** Sets a reserved run going; it is on its own from here. */
  #drive(
    begun: BegunRun,
    release: () => void,
    open: (signal: AbortSignal, ledger: RunLedger) => Promise<Opening>,
  ): StartedRun {
    const { desk, kernel, runtime, liveRuns, timers, recent, settings } = this.#parts;
    const { record, history } = begun;
    const feed = new RunFeed(defaultFeedLimits, history);
    const reader = feed.reader();
    const driver = new RunDriver(
      { desk, kernel, runtime, liveRuns, settings: settings.driver },
      {
        record,
        runId: runId(begun.runId),
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
    return { reader, readerLost: (usual) => this.#readerLost(driver, usual) };
  }

  /** The policy for a lost connection, in its one place. A run that somebody else still reads goes on. */
  #readerLost(run: LiveRun, usual: 'cancel' | 'detach'): void {
    const { onDisconnect, detachGraceMs } = this.#parts.settings;
    const stop = (): void => {
      if (run.feed.readers === 0)
        run.stop(fault('cancelled')).catch((problem: Fault) => this.#tellLog(problem));
    };
    if ((onDisconnect ?? usual) === 'cancel') stop();
    else this.#parts.runtime.clock.after(detachGraceMs, stop);
  }

  #tellLog(problem: Fault): void {
    this.#parts.runtime.log.warn('kernel not told of a cancel', {
      fault: problem.fault,
      cause: problem.cause,
    });
  }
}

/** What a run needs to be set going, whether it is new or taken up again. */
interface BegunRun {
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

/** An input that asks nothing: clients send it to have the session's machine started before the user types. */
function isPrewarm({ door, input }: RunRequest): boolean {
  return door === 'agentcore' && input.messages.length === 0 && input.resume === undefined;
}

function prewarmed({ input }: RunRequest): StartedRun {
  const feed = new RunFeed();
  const { threadId, runId } = input;
  feed.append([{ type: 'RUN_STARTED', threadId, runId, protocolVersion: '1.0' }]);
  feed.end({ kind: 'finished', usage: [] });
  return { reader: feed.reader(), readerLost: () => undefined };
}
