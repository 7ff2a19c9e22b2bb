/**
 * Brings runs to their end: sends them, follows them over lost connections and reloads, answers, retries and cancels.
 * What happens is told to the store; what to do next is decided by `model/recovery`.
 */
import { AgentCoreClient } from '../../../src/client/client.ts';
import { isClientError } from '../../../src/client/client-error.ts';
import type { ResumeEntry } from '../../../src/protocol/interrupt.ts';
import { inputOf } from '../model/conversation.ts';
import { recover } from '../model/recovery.ts';
import { lastTurn, type Thread } from '../model/thread.ts';
import type { ChatStore } from './chat-store.ts';
import { newId } from './ids.ts';

/** A cancelled run that has not ended by itself after this is left. */
const cancelGraceMs = 8_000;

/** Milliseconds of reading after which the page gets a turn: one packet can hold thousands of events. */
const longestRead = 12;

interface Following {
  readonly runId: string;
  readonly controller: AbortController;
}

export class Runner {
  readonly #store: ChatStore;
  readonly #following = new Map<string, Following>();

  constructor(store: ChatStore) {
    this.#store = store;
  }

  /** Runs that were going on when the page was left. */
  takeUp(): void {
    for (const { id, turns } of this.#store.state.threads.values()) {
      const turn = turns.at(-1);
      if (turn?.status.kind === 'running') void this.#follow(id, turn.runId, 'attach');
    }
  }

  async send(threadId: string, text: string): Promise<void> {
    await this.#start(threadId, { kind: 'message', messageId: newId(), text });
  }

  async answer(threadId: string, entries: readonly ResumeEntry[]): Promise<void> {
    await this.#start(threadId, { kind: 'answers', entries });
  }

  /** As the failure of the newest turn says: the same run once more, or the same question as a new run. */
  async retry(threadId: string): Promise<void> {
    const turn = lastTurn(this.#store.thread(threadId) ?? noThread);
    if (turn?.status.kind === 'cancelled') return this.#start(threadId, turn.asked);
    if (turn?.status.kind !== 'failed') return undefined;
    if (turn.status.failure.remedy === 'new-run') return this.#start(threadId, turn.asked);
    if (turn.status.failure.remedy === 'none') return undefined;
    this.#store.dispatch(threadId, { type: 'reopened', runId: turn.runId });
    return this.#follow(threadId, turn.runId, 'run');
  }

  /** Asks the server; the run's stream then ends by itself. A server that can't be asked is left. */
  async cancel(threadId: string): Promise<void> {
    const following = this.#following.get(threadId);
    const thread = this.#store.thread(threadId);
    if (following === undefined || thread === undefined) return;
    const leave = (): void => {
      following.controller.abort();
      this.#store.dispatch(threadId, { type: 'cancelled', runId: following.runId, at: Date.now() });
    };
    const isWaiting = this.#store.state.connections.get(threadId)?.kind === 'waiting';
    const timer = setTimeout(leave, cancelGraceMs);
    following.controller.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    try {
      const signal = AbortSignal.timeout(cancelGraceMs);
      await this.#clientFor(thread).cancel(threadId, following.runId, { signal });
    } catch {
      // Not reached, or not our server: leaving the connection is all that can be done.
      leave();
    }
    if (isWaiting) leave();
  }

  async #start(threadId: string, asked: Thread['turns'][number]['asked']): Promise<void> {
    const runId = newId();
    this.#store.dispatch(threadId, { type: 'asked', runId, asked, at: Date.now() });
    // Kept before it is sent: a page that is left now finds its run again.
    await this.#store.archive.flush();
    await this.#follow(threadId, runId, 'run');
  }

  async #follow(threadId: string, runId: string, how: 'run' | 'attach'): Promise<void> {
    const controller = new AbortController();
    this.#following.set(threadId, { runId, controller });
    try {
      await this.#read(threadId, runId, how, controller.signal);
    } finally {
      controller.abort();
      this.#following.delete(threadId);
      this.#store.flushEvents();
      this.#store.connect(threadId, { kind: 'idle' });
      await this.#store.archive.flush();
    }
  }

  async #read(threadId: string, runId: string, first: 'run' | 'attach', signal: AbortSignal): Promise<void> {
    let how = first;
    let hasBegun = first === 'attach';
    for (let attempts = 0; ; attempts += 1) {
      try {
        this.#store.connect(
          threadId,
          attempts === 0 ? { kind: 'connecting' } : { kind: 'waiting', attempt: attempts },
        );
        let since = performance.now();
        for await (const event of this.#open(threadId, runId, how, signal)) {
          if (performance.now() - since > longestRead) {
            await breath();
            since = performance.now();
          }
          attempts = 0;
          hasBegun = true;
          this.#store.connect(threadId, { kind: 'streaming' });
          this.#store.receive(threadId, runId, event);
        }
        return;
      } catch (thrown) {
        const problem = hasBegun ? thrown : await this.#reasonOf(thrown, threadId, signal);
        const next = recover(problem, { hasBegun, attempts });
        if (next.kind === 'stop') return;
        if (next.kind === 'fail') {
          this.#store.dispatch(threadId, { type: 'failed', runId, failure: next.failure, at: Date.now() });
          return;
        }
        how = 'attach';
        hasBegun = true;
        if (next.afterMs > 0) this.#store.connect(threadId, { kind: 'waiting', attempt: attempts + 1 });
        await pauseOrOnline(next.afterMs, signal);
        if (signal.aborted) return;
      }
    }
  }

  /** A browser hides why a socket was refused. The same server says it to a request. */
  async #reasonOf(thrown: unknown, threadId: string, signal: AbortSignal): Promise<unknown> {
    const isHidden = isClientError(thrown) && thrown.code === 'CONNECTION_FAILED';
    if (!isHidden || this.#store.state.settings.transport !== 'ws') return thrown;
    try {
      await this.#clientFor(this.#store.thread(threadId) ?? noThread).prewarm(threadId, { signal });
      return thrown;
    } catch (reason) {
      return isClientError(reason) && reason.code !== 'ABORTED' ? reason : thrown;
    }
  }

  #open(threadId: string, runId: string, how: 'run' | 'attach', signal: AbortSignal) {
    const thread = this.#store.thread(threadId) ?? noThread;
    const client = this.#clientFor(thread);
    if (how === 'attach') return client.attach({ threadId, runId }, { signal });
    return client.run(inputOf(thread, runId, this.#store.state.settings.forwardedProps), { signal });
  }

  #clientFor(thread: Thread): AgentCoreClient {
    const { settings } = this.#store.state;
    const { token } = this.#store;
    return new AgentCoreClient({
      target: { kind: 'url', url: settings.url === '' ? ownAgentUrl() : settings.url },
      transport: settings.transport,
      credentials: token === '' ? { type: 'none' } : { type: 'bearer', token },
      sessionId: settings.sessionId === '' ? thread.sessionId : settings.sessionId,
      onRetry: ({ attempt }) => this.#store.connect(thread.id, { kind: 'waiting', attempt }),
    });
  }
}

/** The server that gave this page, also below a path. */
function ownAgentUrl(): string {
  return new URL('invocations', document.baseURI).href;
}

const noThread: Thread = {
  id: '',
  sessionId: '',
  title: '',
  createdAt: 0,
  updatedAt: 0,
  turns: [],
  state: {},
};

/** Lets the browser draw and hear its person. */
function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Waits; not longer than until the browser says that the network is back. */
function pauseOrOnline(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
