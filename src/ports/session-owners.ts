/** Who a session belongs to, kept over restarts. */
import type { SessionId } from '../protocol/ids.ts';

export interface SessionOwners {
  /**
   * The subject that the session belongs to: the one that was stored first, or `subject`, which then is. Of two that come
   * at once one wins, and both are told the same. Rejects with `state-unreadable` or `state-not-writable`.
   */
  claim(session: SessionId, subject: string): Promise<string>;
}
