/** The request that only wakes the machine. */
import { RunFeed } from './run-feed.ts';
import type { RunRequest, StartedRun } from './run-service.ts';

/** An input that asks nothing: clients send it to have the session's machine started before the user types. */
export function isPrewarm({ door, input }: RunRequest): boolean {
  return door === 'agentcore' && input.messages.length === 0 && input.resume === undefined;
}

/** Begins and ends at once. */
export function prewarmed({ input }: RunRequest): StartedRun {
  const feed = new RunFeed();
  const { threadId, runId } = input;
  feed.append([{ type: 'RUN_STARTED', threadId, runId, protocolVersion: '1.0' }]);
  feed.end({ kind: 'finished', usage: [] });
  return { reader: feed.reader(), readerLost: () => undefined };
}
