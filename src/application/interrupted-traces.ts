/**
 * The spans of runs that ended in questions, so that the runs which answer them can be linked to them. Kept in this
 * process only, and not for ever: a link is a help to a reader of traces, nothing depends on it.
 */
import { addressKey } from '../domain/thread/names.ts';
import type { SpanIds } from '../ports/telemetry.ts';
import type { ThreadAddress } from '../protocol/ids.ts';

const maxKept = 2_000;

export class InterruptedTraces {
  readonly #spans = new Map<string, SpanIds>();

  leave(address: ThreadAddress, ids: SpanIds): void {
    const key = addressKey(address);
    this.#spans.delete(key);
    this.#spans.set(key, ids);
    const [oldest] = this.#spans.keys();
    if (this.#spans.size > maxKept && oldest !== undefined) this.#spans.delete(oldest);
  }

  take(address: ThreadAddress): readonly SpanIds[] {
    const key = addressKey(address);
    const found = this.#spans.get(key);
    this.#spans.delete(key);
    return found === undefined ? [] : [found];
  }
}
