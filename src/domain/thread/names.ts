/** Names that follow from a thread's address alone, so that nothing needs to be stored to find them again. */
import { createHash } from 'node:crypto';
import { type ContextId, contextId, type ThreadAddress } from '../../protocol/ids.ts';

/** Distinct for every (session, thread); safe as a map key, not as a file name. */
export function addressKey(address: ThreadAddress): string {
  return `${address.sessionId ?? ''}\u0000${address.threadId}`;
}

/**
 * The A2A context of a thread: `agui-` and 40 hex digits. In the default namespace it is what `iac-code agui` computes
 * from the thread id; inside a session the session is part of it, so equal thread ids never share a context.
 */
export function contextIdOf(address: ThreadAddress): ContextId {
  const seed = address.sessionId === undefined ? address.threadId : addressKey(address);
  return contextId(`agui-${createHash('sha256').update(seed).digest('hex').slice(0, 40)}`);
}

/** `rosInvocationId` for requests that bring none: stable for the session, at most 256 characters. */
export function derivedInvocationId(address: ThreadAddress): string {
  return address.sessionId ?? contextIdOf(address);
}

/** Folder of a thread below the workspace root, for requests that name none. */
export function workspacePathOf(address: ThreadAddress): readonly [session: string, thread: string] {
  const session = address.sessionId === undefined ? 'default' : `session-${shortDigest(address.sessionId)}`;
  return [session, `thread-${shortDigest(address.threadId)}`];
}

function shortDigest(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 32);
}
