/** What an agent remembers of a context between turns and restarts: one small JSON document, and no secret in it. */
import type { JsonObject } from '../protocol/json.ts';

export interface AgentMemory {
  /** Undefined for a context that nothing was saved of. */
  load(contextId: string): Promise<JsonObject | undefined>;
  save(contextId: string, document: JsonObject): Promise<void>;
}

const maxContexts = 1_000;

/** Forgets when the process ends, and the oldest contexts before. */
export class VolatileMemory implements AgentMemory {
  readonly #documents = new Map<string, JsonObject>();

  async load(contextId: string): Promise<JsonObject | undefined> {
    return this.#documents.get(contextId);
  }

  async save(contextId: string, document: JsonObject): Promise<void> {
    this.#documents.delete(contextId);
    this.#documents.set(contextId, document);
    const [oldest] = this.#documents.keys();
    if (this.#documents.size > maxContexts && oldest !== undefined) this.#documents.delete(oldest);
  }
}
