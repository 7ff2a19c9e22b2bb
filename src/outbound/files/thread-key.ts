/**
 * The name under which an id is stored: readable where that is safe on every disk, else its bytes in hex, else its
 * hash. Different ids have different names, also where a disk ignores case; the id itself stands inside the file.
 * The rule is that of `iac-code agui`, with a bound on readable names.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ThreadAddress } from '../../protocol/ids.ts';

/** Longest name, in characters; leaves room for endings within the 255 bytes that disks allow. */
const maxKeyLength = 200;
const readable = /^[a-z0-9_.-]+$/;
/** Names that Windows reserves, whatever follows after a dot. */
const reserved = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$)/;

/** A thread's or session's id as a file name without ending. `~` marks the names that are not the id itself. */
export function fileKey(id: string): string {
  if (isSafeName(id)) return id;
  const hex = `aguiid~${Buffer.from(id, 'utf8').toString('hex')}`;
  return hex.length <= maxKeyLength
    ? hex
    : `aguihash~${createHash('sha256').update(id, 'utf8').digest('hex')}`;
}

function isSafeName(id: string): boolean {
  if (id.length > maxKeyLength || !readable.test(id)) return false;
  return !id.endsWith('.') && !reserved.test(id);
}

/** The file of a thread below the state directory. */
export function threadPath(stateDir: string, address: ThreadAddress): string {
  const { sessionId, threadId } = address;
  const namespace = sessionId === undefined ? stateDir : join(stateDir, 'sessions', fileKey(sessionId));
  return join(namespace, 'threads', `${fileKey(threadId)}.json`);
}
