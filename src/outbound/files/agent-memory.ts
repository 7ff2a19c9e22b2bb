/** The embedded agent's memory as files: one small private document for each context. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { AgentMemory } from '../../agent/memory.ts';
import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { AtomicFiles } from './atomic-file.ts';

export class FileAgentMemory implements AgentMemory {
  readonly #folder: string;
  readonly #files = new AtomicFiles();

  /** Touches nothing before the first call. */
  constructor(stateDir: string) {
    this.#folder = join(stateDir, 'agent');
  }

  async load(contextId: string): Promise<JsonObject | undefined> {
    const content = await this.#files.read(this.#path(contextId));
    if (content === undefined) return undefined;
    return parseDocument(content.text);
  }

  async save(contextId: string, document: JsonObject): Promise<void> {
    await this.#files.replace(this.#path(contextId), JSON.stringify(document));
  }

  #path(contextId: string): string {
    return join(this.#folder, `${createHash('sha256').update(contextId).digest('hex')}.json`);
  }
}

/** A document that can't be read is as good as none: its conversation begins anew instead of failing for ever. */
function parseDocument(text: string): JsonObject | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return isJsonObject(document) ? document : undefined;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}
