/**
 * One session and its container: starts it, watches its `/ping`, and ends it when it is idle, too old, unhealthy or told
 * to. An open request alone does not keep a session alive, as users have measured: only activity and `HealthyBusy` do.
 *
 * Source: session life cycle of AgentCore Runtime (idle timeout, maximum lifetime, states).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ContainerProcess, type ContainerStart } from './container-process.ts';
import type { PingReport } from './door-log.ts';
import { PingWatch } from './ping-watch.ts';
import { PlatformError } from './platform-error.ts';

export type EndReason =
  | 'stopped'
  | 'idle'
  | 'lifetime'
  | 'unhealthy'
  | 'exited'
  | 'not-started'
  | 'door-closed';

export type SessionState = 'starting' | 'active' | 'stopping' | 'ended';

/** What can be seen of a session from outside. */
export interface SessionView {
  readonly runtime: string;
  readonly sessionId: string;
  readonly state: SessionState;
  readonly endReason: EndReason | undefined;
  readonly status: 'Healthy' | 'HealthyBusy' | undefined;
  readonly processId: number | undefined;
  readonly startedAt: string;
  readonly idleSeconds: number;
  readonly reports: readonly PingReport[];
}

export class Session {
  readonly id: string;
  readonly #start: ContainerStart;
  readonly #pings: PingWatch;
  readonly #reports: PingReport[] = [];
  readonly #ended = new AbortController();
  readonly #gone = Promise.withResolvers<void>();
  readonly #startedAt = Date.now();
  #lastActivity = Date.now();
  /** Not called since the last ping. */
  #isQuiet = true;
  #state: SessionState = 'starting';
  #endReason: EndReason | undefined;
  #container: ContainerProcess | undefined;

  constructor(id: string, start: ContainerStart) {
    this.id = id;
    this.#start = start;
    this.#pings = new PingWatch(start.runtime.ping.busyRule, (report) => {
      this.#reports.push(report);
      start.log('ping-wrong', { kind: report.kind, text: report.text });
    });
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Why it ends or has ended; undefined while it lives. */
  get endReason(): EndReason | undefined {
    return this.#endReason;
  }

  /** Aborted as soon as the session begins to end. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Resolves when nothing is left of it. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  /** Of its container, while there is one. */
  get port(): number {
    return this.#container?.port ?? 0;
  }

  /** Cold start. Resolves when the container is healthy; throws `PlatformError`, and the session has ended then. */
  async begin(): Promise<void> {
    this.#start.log('session-starting');
    try {
      const container = await ContainerProcess.spawn(this.#start);
      this.#container = container;
      // The front door may be closed while the process is made, and while it gets ready.
      if (this.#hasEnded()) await container.stop();
      await container.ready();
      if (this.#hasEnded()) throw new PlatformError('RetryableConflictException');
    } catch (thrown) {
      await this.end('not-started');
      throw thrown;
    }
    this.#state = 'active';
    this.touch();
    this.#start.log('session-started', { coldStartMs: Date.now() - this.#startedAt });
    void this.#superviseContainer(this.#container);
  }

  /** Something happened in the session: its idle time starts anew. */
  touch(): void {
    this.#lastActivity = Date.now();
    this.#isQuiet = false;
  }

  /** Resolves when nothing is left of the container. Ending twice is harmless; the first reason counts. */
  end(reason: EndReason): Promise<void> {
    if (!this.#hasEnded()) {
      this.#state = 'stopping';
      this.#endReason = reason;
      this.#start.log('session-ending', { reason });
      this.#ended.abort();
      void this.#stop(reason);
    }
    return this.#gone.promise;
  }

  /** At once and without waiting, for when the front door's own process ends. */
  kill(): void {
    this.#container?.kill();
  }

  view(): SessionView {
    return {
      runtime: this.#start.runtime.arn,
      sessionId: this.id,
      state: this.#state,
      endReason: this.#endReason,
      status: this.#pings.status,
      processId: this.#container?.processId,
      startedAt: new Date(this.#startedAt).toISOString(),
      idleSeconds: Math.floor((Date.now() - this.#lastActivity) / 1_000),
      reports: [...this.#reports],
    };
  }

  #hasEnded(): boolean {
    return this.#state === 'stopping' || this.#state === 'ended';
  }

  /** Never rejects: nobody waits for it. */
  async #stop(reason: EndReason): Promise<void> {
    try {
      await this.#container?.stop();
      this.#start.log('session-ended', { reason });
    } catch (problem) {
      this.#start.log('session-not-cleared', {
        problem: problem instanceof Error ? problem.message : 'unknown',
      });
    }
    this.#state = 'ended';
    this.#gone.resolve();
  }

  /** Never rejects: nobody waits for it. */
  async #superviseContainer(container: ContainerProcess): Promise<void> {
    const everyMs = this.#start.runtime.ping.everySeconds * 1_000;
    let failures = 0;
    void container.exited.then(() => this.end('exited'));
    while (this.#state === 'active') {
      const answer = await container.ping();
      const verdict = answer && this.#pings.take(answer, Date.now() / 1_000, this.#isQuiet);
      this.#isQuiet = true;
      failures = verdict?.isHealthy === true ? 0 : failures + 1;
      if (verdict?.isActivity === true) this.#lastActivity = Date.now();
      const reason = this.#reasonToEnd(failures);
      if (reason !== undefined) return this.end(reason);
      // Rejects only when it ends, which the loop's condition sees.
      await pause(everyMs, undefined, { signal: this.ended, ref: false }).catch(() => undefined);
    }
  }

  #reasonToEnd(failures: number): EndReason | undefined {
    const { lifecycle, ping } = this.#start.runtime;
    const now = Date.now();
    if (failures >= ping.failures) return 'unhealthy';
    if (now - this.#startedAt >= lifecycle.maxLifetime * 1_000) return 'lifetime';
    if (now - this.#lastActivity >= lifecycle.idleRuntimeSessionTimeout * 1_000) return 'idle';
    return undefined;
  }
}
