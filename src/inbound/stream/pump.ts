/**
 * The one path from a run to a connection, for every transport: reads the run's feed, puts the ending into the client's
 * dialect, writes, and waits for the peer. Ends with the terminal event, or when the peer is gone.
 */
import type { RunBatch, RunReader } from '../../application/run-service.ts';
import type { AgUiEvent } from '../../protocol/events.ts';
import { type Audience, toTerminal } from './dialect.ts';
import type { EventWriter } from './event-writer.ts';
import type { Heartbeats } from './heartbeats.ts';

export type Pumped = 'ended' | 'gone';

export async function pump(
  reader: RunReader,
  writer: EventWriter,
  audience: Audience,
  heartbeats: Heartbeats,
): Promise<Pumped> {
  const leave = (): void => reader.leave();
  writer.gone.addEventListener('abort', leave, { once: true });
  if (writer.gone.aborted) leave();
  const beat = heartbeats.watch(() => writer.heartbeat());
  let isEnded = false;
  try {
    for await (const batch of reader) {
      beat.touch();
      await writer.write(eventsOf(batch, audience), batch.first);
      isEnded = batch.ending !== undefined;
    }
  } finally {
    beat.stop();
    writer.gone.removeEventListener('abort', leave);
    leave();
  }
  if (!isEnded || writer.gone.aborted) return 'gone';
  await writer.end();
  return 'ended';
}

function eventsOf(batch: RunBatch, audience: Audience): readonly AgUiEvent[] {
  return batch.ending === undefined ? batch.items : [...batch.items, toTerminal(batch.ending, audience)];
}
