/**
 * A run begins in a session: there must be room, and it belongs to the subject that used it first. A stranger is told the
 * same of it as of a thread that is not theirs.
 */
import { fault } from '../errors/fault.ts';
import type { SessionOwners } from '../ports/session-owners.ts';
import type { ThreadAddress } from '../protocol/ids.ts';
import type { OpenSessions } from './open-sessions.ts';

export interface SessionParts {
  readonly openSessions: OpenSessions;
  readonly sessionOwners: SessionOwners;
}

/** `subject` null tells nobody from anybody else: then a session belongs to nobody. */
export async function enterSession(
  address: ThreadAddress,
  subject: string | null,
  { openSessions, sessionOwners }: SessionParts,
): Promise<void> {
  openSessions.check(address);
  if (address.sessionId !== undefined && subject !== null) {
    const owner = await sessionOwners.claim(address.sessionId, subject);
    if (owner !== subject) throw fault('thread-of-another-caller');
  }
  openSessions.note(address);
}
