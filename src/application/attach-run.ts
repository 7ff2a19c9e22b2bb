/**
 * Coming back to a run: what was missed, once, then the live tail to the terminal event. A place in the stream that is no
 * longer kept is answered by the messages so far and what is open, opened again. A run that this process does not have is
 * joined at the kernel if its task still lives there, shown as interrupted if it waits, and refused otherwise.
 */
import { type FallbackTexts, toInterrupt } from '../domain/interrupts/pending.ts';
import type { ThreadRecord } from '../domain/thread/thread.ts';
import { fault } from '../errors/fault.ts';
import type { Kernel } from '../ports/kernel.ts';
import { protocolVersion } from '../protocol/events.ts';
import type { RunId } from '../protocol/ids.ts';
import { newMemory } from '../translate/memory.ts';
import type { Opening } from './opening.ts';
import { RunFeed, type RunItem, type RunReader } from './run-feed.ts';

/** Where a reader left off: behind event `after`, and `offset` units into the delta that follows it. */
export interface Place {
  readonly after: number;
  readonly offset: number;
}

/** A reader of a feed from a place on; `after` 0 reads from the beginning. */
export function readerAfter(feed: RunFeed, { after, offset }: Place, started: RunItem): RunReader {
  if (feed.holds(after)) return offset === 0 ? feed.reader(after) : withoutStart(feed.reader(after), offset);
  const transcript = feed.transcript();
  const state = transcript.state();
  const prelude: RunItem[] = [
    started,
    ...(state === undefined ? [] : [state]),
    { type: 'MESSAGES_SNAPSHOT', messages: [...feed.history, ...transcript.messages()] },
    ...transcript.reopened(),
  ];
  return withPrelude(prelude, feed.reader(feed.last), feed.last);
}

/** The first delta without what was seen of it. */
function withoutStart(reader: RunReader, offset: number): RunReader {
  return {
    leave: () => reader.leave(),
    async *[Symbol.asyncIterator]() {
      let isFirst = true;
      for await (const batch of reader) {
        const [head, ...rest] = batch.items;
        const cut = isFirst && head !== undefined && 'delta' in head && typeof head.delta === 'string';
        yield cut
          ? { ...batch, items: [{ ...head, delta: head.delta.slice(offset) } as RunItem, ...rest] }
          : batch;
        isFirst = false;
      }
    },
  };
}

/** The prelude comes first, under the number of the last event that it stands for. */
function withPrelude(prelude: readonly RunItem[], tail: RunReader, number: number): RunReader {
  return {
    leave: () => tail.leave(),
    async *[Symbol.asyncIterator]() {
      yield { first: Math.max(1, number - prelude.length + 1), items: prelude, ending: undefined };
      yield* tail;
    },
  };
}

/** The run ended in questions: they are announced again, as they stand. */
export function interruptedFeed(record: ThreadRecord, runId: RunId, texts: FallbackTexts): RunFeed {
  const feed = new RunFeed();
  feed.append([startedItem(record, runId)]);
  const interrupts = record.execution.pending.map((pending) => toInterrupt(pending, texts));
  feed.end({ kind: 'interrupted', interrupts, usage: [] });
  return feed;
}

export function startedItem({ address }: ThreadRecord, runId: RunId): RunItem {
  return { type: 'RUN_STARTED', threadId: address.threadId, runId, protocolVersion };
}

/** A task that was left behind by a process that died: a look at it, then whatever follows. */
export async function openJoined(
  record: ThreadRecord,
  runId: RunId,
  kernel: Kernel,
  signal: AbortSignal,
): Promise<Opening> {
  const { taskId } = record.execution;
  if (taskId === null) throw fault('run-not-found');
  const { profile } = await kernel.describe(signal);
  const { threadId } = record.address;
  return { kind: 'join', profile, memory: newMemory({ profile, threadId, runId }), taskId };
}
