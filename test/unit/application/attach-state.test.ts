/** Coming back to a run that has changed the shared state, when the place in its stream is no longer kept. */
import { describe, expect, it } from 'vitest';
import { readerAfter } from '../../../src/application/attach-run.ts';
import { RunFeed, type RunItem } from '../../../src/application/run-feed.ts';

const started: RunItem = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const words = (delta: string): RunItem => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta });

async function prelude(...items: readonly RunItem[]): Promise<readonly RunItem[]> {
  const feed = new RunFeed({ maxLag: 1e6, retained: 200, maxBatch: 100 });
  feed.append([started, ...items, words('x'.repeat(400)), words('end')]);
  feed.end({ kind: 'finished', usage: [] });
  for await (const batch of readerAfter(feed, { after: 0, offset: 0 }, started)) return batch.items;
  return [];
}

const snapshot: RunItem = { type: 'STATE_SNAPSHOT', snapshot: { steps: [] } };
const delta = (...operations: readonly { op: string; path: string; value?: number }[]): RunItem => ({
  type: 'STATE_DELTA',
  delta: operations,
});

describe('coming back to a run with a shared state', () => {
  it('gives the state as the run has left it, whole', async () => {
    const items = await prelude(
      snapshot,
      delta({ op: 'add', path: '/steps/-', value: 1 }),
      delta({ op: 'remove', path: '/not/there' }),
      delta({ op: 'add', path: '/steps/-', value: 2 }),
    );

    expect(items.slice(0, 2)).toEqual([started, { type: 'STATE_SNAPSHOT', snapshot: { steps: [1, 2] } }]);
  });

  it('says nothing of a state that the run did not speak of, or knows only in parts', async () => {
    const untouched = await prelude();
    const partial = await prelude(delta({ op: 'add', path: '/a', value: 1 }));

    for (const items of [untouched, partial])
      expect(items.filter(({ type }) => type.startsWith('STATE'))).toEqual([]);
  });
});
