/**
 * Owners of sessions as files: `owner.json` beside the session's threads. A file that can't be read keeps the session
 * closed: to open it to the next caller would hand it to a stranger.
 */
import { join } from 'node:path';
import { fault } from '../../errors/fault.ts';
import type { SessionOwners } from '../../ports/session-owners.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { isJsonObject, stringAt } from '../../protocol/json.ts';
import { AtomicFiles } from './atomic-file.ts';
import { fileKey } from './thread-key.ts';
import { InOrder } from './write-turns.ts';

/** Owners kept in memory; others are read again. */
const maxCached = 10_000;
const schemaVersion = 1;

export class FileSessionOwners implements SessionOwners {
  readonly #stateDir: string;
  readonly #files = new AtomicFiles();
  readonly #turns = new InOrder();
  readonly #known = new Map<string, string>();

  /** Touches nothing before the first call. */
  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  async claim(session: SessionId, subject: string): Promise<string> {
    const known = this.#known.get(session);
    if (known !== undefined) return known;
    const path = join(this.#stateDir, 'sessions', fileKey(session), 'owner.json');
    const owner = await this.#turns.run(
      path,
      async () => (await this.#read(path, session)) ?? (await this.#write(path, session, subject)),
    );
    this.#remember(session, owner);
    return owner;
  }

  async #read(path: string, session: SessionId): Promise<string | undefined> {
    let document: unknown;
    try {
      const content = await this.#files.read(path);
      if (content === undefined) return undefined;
      document = JSON.parse(content.text);
    } catch (cause) {
      throw fault('state-unreadable', {}, cause);
    }
    const owner = isJsonObject(document) ? document : {};
    const subject = stringAt(owner, 'subject') ?? '';
    if (owner['schemaVersion'] !== schemaVersion || owner['sessionId'] !== session || subject === '')
      throw fault('state-unreadable');
    return subject;
  }

  async #write(path: string, sessionId: SessionId, subject: string): Promise<string> {
    try {
      await this.#files.replace(path, JSON.stringify({ schemaVersion, sessionId, subject }));
    } catch (cause) {
      throw fault('state-not-writable', {}, cause);
    }
    return subject;
  }

  #remember(session: SessionId, owner: string): void {
    this.#known.set(session, owner);
    if (this.#known.size <= maxCached) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}
