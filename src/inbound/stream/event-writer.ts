/** One connection that takes the events of a run. SSE and WebSocket differ in nothing else. */
import type { AgUiEvent } from '../../protocol/events.ts';

export interface EventWriter {
  /**
   * Writes events in order; `first` is the number of the first one. Resolves when the peer can take more, and also when
   * it is gone (what was not taken is lost with it).
   */
  write(events: readonly AgUiEvent[], first: number): Promise<void>;
  /** A sign of life that is not an event. */
  heartbeat(): void;
  /** Nothing more follows on this run. */
  end(): Promise<void>;
  /** Aborted when the peer has left. */
  readonly gone: AbortSignal;
}
