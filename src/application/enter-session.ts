/**
 * Into a session: there must be room, and it belongs to the subject that used it first. A stranger is told the same of it
 * as of a thread that is not theirs; of a resume, the same as where nothing waits.
 */
import { foreign } from '../domain/admission/admission.ts';
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
  isResume: boolean,
  { openSessions, sessionOwners }: SessionParts,
): Promise<void> {
  openSessions.check(address);
  if (address.sessionId !== undefined && subject !== null) {
    const owner = await sessionOwners.claim(address.sessionId, subject);
    if (owner !== subject) throw foreign(isResume);
  }
  openSessions.note(address);
}
