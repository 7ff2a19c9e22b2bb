/**
 * The page's one state, and who is told when it changes. Changes are made by pure reducers; here they are only joined
 * (events once per frame), kept and announced.
 */
import type { JsonObject } from '../../../src/protocol/json.ts';
import { addEvents, type EventLog, emptyLog } from '../model/event-log.ts';
import { readSettings, type Settings, writeSettings } from '../model/settings.ts';
import type { Thread } from '../model/thread.ts';
import { newThread, reduceThread, type ThreadAction } from '../model/thread-reducer.ts';
import { newId } from './ids.ts';
import { ThreadArchive } from './thread-archive.ts';

export type Connection =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'streaming' }
  | { readonly kind: 'waiting'; readonly attempt: number };

export interface ChatState {
  readonly isLoaded: boolean;
  readonly threads: ReadonlyMap<string, Thread>;
  readonly currentId: string;
  readonly connections: ReadonlyMap<string, Connection>;
  readonly logs: ReadonlyMap<string, EventLog>;
  readonly settings: Settings;
  readonly hasToken: boolean;
}

/** Events of one run that have come and are not shown yet. */
interface Batch {
  readonly threadId: string;
  readonly runId: string;
  readonly events: JsonObject[];
}

const settingsKey = 'agentcore-agui.settings';
const currentKey = 'agentcore-agui.current';

export class ChatStore {
  readonly archive = new ThreadArchive();
  /** In memory only. */
  #token = '';
  #state: ChatState;
  readonly #listeners = new Set<() => void>();
  #buffered: Batch | undefined;
  readonly #others: Batch[] = [];
  #frame: (() => void) | undefined;

  constructor() {
    const settings = readSettings(localStorage.getItem(settingsKey));
    const thread = freshThread();
    this.#state = {
      isLoaded: false,
      threads: new Map([[thread.id, thread]]),
      currentId: thread.id,
      connections: new Map(),
      logs: new Map(),
      settings,
      hasToken: false,
    };
  }

  get state(): ChatState {
    return this.#state;
  }

  get token(): string {
    return this.#token;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): ChatState => this.#state;

  async load(): Promise<void> {
    const kept = await this.archive.load();
    const threads = new Map([...this.#state.threads, ...kept.map((each) => [each.id, each] as const)]);
    const last = localStorage.getItem(currentKey);
    const currentId = last !== null && threads.has(last) ? last : this.#state.currentId;
    this.#set({ isLoaded: true, threads, currentId });
  }

  thread(id: string): Thread | undefined {
    return this.#state.threads.get(id);
  }

  dispatch(threadId: string, action: ThreadAction): Thread | undefined {
    this.flushEvents();
    // What is talked about is what a reload comes back to.
    if (action.type === 'asked') localStorage.setItem(currentKey, threadId);
    return this.#reduce(threadId, action);
  }

  /** Events are shown once per frame, however many come. */
  receive(threadId: string, runId: string, event: JsonObject): void {
    if (
      this.#buffered !== undefined &&
      (this.#buffered.threadId !== threadId || this.#buffered.runId !== runId)
    ) {
      this.#others.push(this.#buffered);
      this.#buffered = undefined;
    }
    this.#buffered ??= { threadId, runId, events: [] };
    this.#buffered.events.push(event);
    this.#frame ??= nextFrame(() => this.flushEvents());
  }

  flushEvents(): void {
    this.#frame?.();
    this.#frame = undefined;
    const batches = [...this.#others.splice(0), ...(this.#buffered === undefined ? [] : [this.#buffered])];
    this.#buffered = undefined;
    for (const { threadId, runId, events } of batches) {
      const at = Date.now();
      const log = addEvents(this.#state.logs.get(threadId) ?? emptyLog, events, at);
      this.#state = { ...this.#state, logs: new Map(this.#state.logs).set(threadId, log) };
      this.#reduce(threadId, { type: 'events', runId, events, at });
    }
  }

  connect(threadId: string, connection: Connection): void {
    if (this.#state.connections.get(threadId)?.kind === connection.kind && connection.kind !== 'waiting')
      return;
    this.#set({ connections: new Map(this.#state.connections).set(threadId, connection) });
  }

  /** A conversation without a word in it is taken again, and not kept. */
  openNew(): string {
    const empty = [...this.#state.threads.values()].find(({ turns }) => turns.length === 0) ?? freshThread();
    this.#set({ threads: new Map(this.#state.threads).set(empty.id, empty) });
    this.open(empty.id);
    return empty.id;
  }

  open(id: string): void {
    localStorage.setItem(currentKey, id);
    this.#set({ currentId: id });
  }

  remove(id: string): void {
    const threads = new Map(this.#state.threads);
    threads.delete(id);
    const logs = new Map(this.#state.logs);
    logs.delete(id);
    this.#set({ threads, logs });
    void this.archive.remove(id);
    if (this.#state.currentId === id) this.openNew();
  }

  configure(settings: Settings, token: string): void {
    this.#token = token;
    localStorage.setItem(settingsKey, writeSettings(settings));
    this.#set({ settings, hasToken: token !== '' });
  }

  #reduce(threadId: string, action: ThreadAction): Thread | undefined {
    const before = this.#state.threads.get(threadId);
    if (before === undefined) return undefined;
    const thread = reduceThread(before, action);
    if (thread !== before) {
      this.#set({ threads: new Map(this.#state.threads).set(threadId, thread) });
      this.archive.save(thread);
    }
    return thread;
  }

  #set(change: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function freshThread(): Thread {
  return newThread({ id: newId(), sessionId: newId() }, Date.now());
}

/** Frames do not come to a page in the background, which goes on reading all the same. Returns how to call it off. */
function nextFrame(run: () => void): () => void {
  if (document.hidden) {
    const timer = setTimeout(run, 100);
    return () => clearTimeout(timer);
  }
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}
