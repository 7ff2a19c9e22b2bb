/**
 * How many sessions are in use, and how many threads in each. A session is in use for fifteen minutes after its last run
 * began, which is when AgentCore gives an idle one back by default. Requests without a session share one namespace that
 * has no such bounds. Counts what this process has seen; a restart begins anew.
 */
import { createHash } from 'node:crypto';
import { fault } from '../errors/fault.ts';
import type { Clock } from '../ports/runtime.ts';
import type { SessionId, ThreadAddress } from '../protocol/ids.ts';

export interface SessionLimits {
  readonly maxSessions: number;
  readonly maxThreads: number;
}

interface OpenSession {
  usedAt: number;
  /** Digests, because ids may be long. */
  readonly threads: Set<string>;
}

const idleMs = 900_000;

export class OpenSessions {
  readonly #clock: Clock;
  readonly #limits: SessionLimits;
  /** Least recently used first. */
  readonly #sessions = new Map<SessionId, OpenSession>();

  constructor(clock: Clock, limits: SessionLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  get count(): number {
    return this.#sessions.size;
  }

  /** Throws `too-many-sessions` or `too-many-threads` when a run there would be one too many. Changes nothing. */
  check({ sessionId, threadId }: ThreadAddress): void {
    if (sessionId === undefined) return;
    const { maxSessions, maxThreads } = this.#limits;
    this.#forgetIdle();
    const open = this.#sessions.get(sessionId);
    if (open === undefined) {
      if (this.#sessions.size >= maxSessions)
        throw fault('too-many-sessions', { limit: maxSessions, seconds: 60 });
      return;
    }
    if (open.threads.size >= maxThreads && !open.threads.has(digest(threadId)))
      throw fault('too-many-threads', { limit: maxThreads, seconds: 60 });
  }

  /** A run begins there. */
  note({ sessionId, threadId }: ThreadAddress): void {
    if (sessionId === undefined) return;
    const open = this.#sessions.get(sessionId) ?? { usedAt: 0, threads: new Set() };
    open.usedAt = this.#clock.now();
    open.threads.add(digest(threadId));
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, open);
  }

  #forgetIdle(): void {
    const limit = this.#clock.now() - idleMs;
    for (const [id, { usedAt }] of this.#sessions) {
      if (usedAt > limit) return;
      this.#sessions.delete(id);
    }
  }
}

function digest(threadId: string): string {
  return createHash('sha256').update(threadId).digest('base64url').slice(0, 22);
}
