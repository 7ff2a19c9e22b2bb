/** Conversations in the browser's IndexedDB, each under its own key. Where it is refused (private windows), nothing is kept. */
import { createStore, del, entries, set, type UseStore } from 'idb-keyval';
import type { Thread } from '../model/thread.ts';

/** Milliseconds between two saves of a conversation that is going on. */
const saveEveryMs = 500;

export class ThreadArchive {
  readonly #waiting = new Map<string, Thread>();
  readonly #store: UseStore | undefined = open();
  #timer: ReturnType<typeof setTimeout> | undefined;

  async load(): Promise<readonly Thread[]> {
    if (this.#store === undefined) return [];
    try {
      const all = await entries<string, unknown>(this.#store);
      return all.map(([, value]) => value).filter(isThread);
    } catch {
      return [];
    }
  }

  /** Soon, and at most once in a while for each conversation. */
  save(thread: Thread): void {
    this.#waiting.set(thread.id, thread);
    this.#timer ??= setTimeout(() => void this.flush(), saveEveryMs);
  }

  /** Writes what waits. Never rejects: a full disk must not end a conversation. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const threads = [...this.#waiting.values()];
    this.#waiting.clear();
    const store = this.#store;
    if (store === undefined) return;
    await Promise.allSettled(threads.map((thread) => set(thread.id, thread, store)));
  }

  async remove(id: string): Promise<void> {
    this.#waiting.delete(id);
    if (this.#store !== undefined) await del(id, this.#store).catch(() => undefined);
  }
}

function open(): UseStore | undefined {
  try {
    return createStore('agentcore-agui', 'threads');
  } catch {
    return undefined;
  }
}

/** What an older version of the page kept in another shape is passed over. */
function isThread(value: unknown): value is Thread {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    'turns' in value &&
    Array.isArray(value.turns)
  );
}
