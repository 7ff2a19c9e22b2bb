/**
 * A thread as its owner finds it. For everybody else it does not exist, and takes as long not to exist as one that really
 * does not: a record in memory would be answered sooner than a look at the disk.
 */
import type { ThreadRecord } from '../domain/thread/thread.ts';
import { type ThreadAddress, threadId } from '../protocol/ids.ts';
import type { Caller } from './run-service.ts';
import type { ThreadDesk } from './thread-desk.ts';

export async function ownThread(
  { subject }: Caller,
  address: ThreadAddress,
  desk: ThreadDesk,
): Promise<ThreadRecord | undefined> {
  const record = await desk.use(address, async (held) => held.record);
  if (record === undefined || record.subject === subject) return record;
  await lookNowhere(address, desk);
  return undefined;
}

/** One look for a thread beside this one, which nobody has; should somebody have it, the look takes as long. */
export async function lookNowhere(address: ThreadAddress, desk: ThreadDesk): Promise<void> {
  await desk.use(
    { ...address, threadId: threadId(`${address.threadId}\u0000`) },
    async (held) => held.record,
  );
}
