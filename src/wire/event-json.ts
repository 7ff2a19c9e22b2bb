/**
 * Event → JSON text. The two events that make up nearly all of a stream (text and tool argument deltas) are written
 * from a prefix kept per message, which is several times cheaper than serialising the object each time; the result is
 * the same text that `JSON.stringify` gives. One encoder belongs to one reader of one run.
 */
import type { AgUiEvent } from '../protocol/events.ts';

type Delta = 'TEXT_MESSAGE_CONTENT' | 'TOOL_CALL_ARGS' | 'REASONING_MESSAGE_CONTENT';

export class EventEncoder {
  #type: Delta | undefined;
  #id = '';
  #prefix = '';

  /** The event as one line of JSON. Lone surrogates come out escaped, so the text is always valid UTF-8. */
  encode(event: AgUiEvent): string {
    switch (event.type) {
      case 'TEXT_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_CONTENT':
        if (event.metadata !== undefined) return JSON.stringify(event);
        return `${this.#prefixOf(event.type, 'messageId', event.messageId)}${JSON.stringify(event.delta)}}`;
      case 'TOOL_CALL_ARGS':
        if (event.metadata !== undefined) return JSON.stringify(event);
        return `${this.#prefixOf(event.type, 'toolCallId', event.toolCallId)}${JSON.stringify(event.delta)}}`;
      default:
        return JSON.stringify(event);
    }
  }

  #prefixOf(type: Delta, idName: string, id: string): string {
    if (this.#type !== type || this.#id !== id) {
      this.#type = type;
      this.#id = id;
      this.#prefix = `{"type":"${type}","${idName}":${JSON.stringify(id)},"delta":`;
    }
    return this.#prefix;
  }
}
