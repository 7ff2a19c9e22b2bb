/**
 * What a run has opened and not closed, as a reader has seen it. Needed when a stream goes on with a summary of what was
 * missed: what the reader still holds open is closed first, as the summary opens again what is open.
 */
import { stringAt } from '../protocol/json.ts';
import type { ReceivedEvent } from './transport.ts';

/** Opening type → the type that closes it, and the member that names the thing. */
const pairs: Readonly<Record<string, readonly [end: string, idName: string]>> = {
  TEXT_MESSAGE_START: ['TEXT_MESSAGE_END', 'messageId'],
  TOOL_CALL_START: ['TOOL_CALL_END', 'toolCallId'],
  REASONING_MESSAGE_START: ['REASONING_MESSAGE_END', 'messageId'],
  REASONING_START: ['REASONING_END', 'messageId'],
  STEP_STARTED: ['STEP_FINISHED', 'stepName'],
};

const ends: ReadonlyMap<string, string> = new Map(
  Object.values(pairs).map(([end, idName]) => [end, idName] as const),
);

export class OpenSpans {
  /** Key → the event that closes it, in the order of opening. */
  readonly #open = new Map<string, ReceivedEvent>();

  see(event: ReceivedEvent): void {
    const opened = pairs[event.type];
    if (opened !== undefined) {
      const [end, idName] = opened;
      const id = stringAt(event, idName) ?? '';
      this.#open.set(`${end} ${id}`, { type: end, [idName]: id });
      return;
    }
    const idName = ends.get(event.type);
    if (idName !== undefined) this.#open.delete(`${event.type} ${stringAt(event, idName) ?? ''}`);
  }

  /** The events that close everything, the last opened first; nothing is open afterwards. */
  closeAll(): readonly ReceivedEvent[] {
    const events = [...this.#open.values()].reverse();
    this.#open.clear();
    return events;
  }
}
