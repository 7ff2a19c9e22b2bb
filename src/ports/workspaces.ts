/** The folders that threads may work in. */
import type { ThreadAddress } from '../protocol/ids.ts';

export interface Workspaces {
  /**
   * The folder that a request names, with links resolved; nothing is created. Rejects with one of the `workspace-…`
   * faults. `requested` undefined gives the thread's own private folder.
   */
  resolve(requested: string | undefined, address: ThreadAddress): Promise<string>;
  /** Creates the folder (mode 0700) when it is missing. Rejects with `workspace-not-created`. */
  ensure(resolved: string): Promise<void>;
}
