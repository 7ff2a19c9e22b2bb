/**
 * All sessions of one runtime: one container per session id, started by the first call and reused by the next ones. A call
 * that meets a session in its start or its stop is told to try again; after its end the id begins anew, with an empty
 * memory.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parseRuntimeArn } from '../client/runtime-endpoint.ts';
import type { RuntimeConfig } from './door-config.ts';
import type { DoorLog } from './door-log.ts';
import { PlatformError } from './platform-error.ts';
import { Rate } from './rate.ts';
import { Session, type SessionView } from './session.ts';

export interface SessionTableParts {
  readonly runtime: RuntimeConfig;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For what lives as long as the front door. */
  readonly folder: string;
  readonly publicUrl: () => string;
  readonly log: DoorLog;
}

/** File systems take no longer names, and ids may be 256 characters. */
const maxNameChars = 128;

export class SessionTable {
  readonly #parts: SessionTableParts;
  readonly #sessions = new Map<string, Session>();
  readonly #newSessions: Rate;
  #isClosed = false;

  constructor(parts: SessionTableParts) {
    this.#parts = parts;
    this.#newSessions = new Rate(parts.runtime.quota.newSessionsPerSecond);
  }

  /** The session, active: the one that is there or a new one. Throws `PlatformError`. */
  async acquire(sessionId: string): Promise<Session> {
    const known = this.#sessions.get(sessionId);
    if (known?.state === 'active') {
      known.touch();
      return known;
    }
    if (known !== undefined) throw new PlatformError('RetryableConflictException');
    this.#checkQuota();
    const session = new Session(sessionId, this.#startOf(sessionId));
    this.#sessions.set(sessionId, session);
    // Leaves the table when it has ended, whoever ended it.
    void session.gone.then(() => this.#sessions.delete(sessionId));
    await session.begin();
    return session;
  }

  /** False when there is no such session. Resolves when it has ended. Throws `PlatformError`. */
  async stop(sessionId: string): Promise<boolean> {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return false;
    if (session.state !== 'active') throw new PlatformError('RetryableConflictException');
    await session.end('stopped');
    return true;
  }

  views(): readonly SessionView[] {
    return [...this.#sessions.values()].map((session) => session.view());
  }

  /** At once and without waiting, for when the front door's own process ends. */
  kill(): void {
    for (const session of this.#sessions.values()) session.kill();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#sessions.values()].map((session) => session.end('door-closed')));
  }

  #checkQuota(): void {
    const { activeSessions } = this.#parts.runtime.quota;
    if (this.#isClosed) throw new PlatformError('InternalServerException', 'the front door is closing');
    if (this.#sessions.size >= activeSessions) {
      throw new PlatformError('ServiceQuotaExceededException', `${activeSessions} sessions are active`);
    }
    if (!this.#newSessions.take()) {
      throw new PlatformError('ThrottlingException', 'too many new sessions in this second');
    }
  }

  #startOf(sessionId: string) {
    const { runtime, environment, folder, publicUrl, log } = this.#parts;
    const name =
      sessionId.length <= maxNameChars ? sessionId : createHash('sha256').update(sessionId).digest('hex');
    const { runtimeId } = parseRuntimeArn(runtime.arn);
    const kept = runtime.sessionStorage?.folder;
    return {
      runtime,
      environment,
      parentFolder: folder,
      storageFolder: kept === undefined ? undefined : join(kept, runtimeId, name),
      publicUrl: publicUrl(),
      log: (event: string, fields: Readonly<Record<string, unknown>> = {}) =>
        log(event, { runtime: runtimeId, sessionId, ...fields }),
    };
  }
}
