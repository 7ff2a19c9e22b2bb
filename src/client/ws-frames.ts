/**
 * Text frames of `/ws` → events. Takes both framings that AgentCore containers use, raw JSON and SSE text inside a frame,
 * and puts together what our server had to send in parts. One reader belongs to one stream.
 */
import { type JsonObject, objectAt, stringAt } from '../protocol/json.ts';
import { createSseParser } from '../wire/sse-parser.ts';
import { type Cursor, parseEvent, protocolError, type Received, type ReceivedEvent } from './transport.ts';

const partName = 'agentcore-agui.part.v1';
/** 64 Mi UTF-16 units, as for one event of an SSE stream. */
const maxWholeChars = 64 * 1024 * 1024;

export class FrameReader {
  readonly #sse = createSseParser({ onEvent: (data) => this.#texts.push(data) });
  #texts: string[] = [];
  #parts: { readonly id: number; text: string; next: number } | undefined;
  /** Number of the event that was put together last: its shortened stand-in is passed over. */
  #whole: number | undefined;

  /** The events that this frame completes. Throws `PROTOCOL_ERROR`. */
  read(frame: string): readonly Received[] {
    const events: Received[] = [];
    for (const text of this.#textsOf(frame)) {
      const received = this.#complete(parseEvent(text));
      if (received !== undefined) events.push(received);
    }
    return events;
  }

  #textsOf(frame: string): readonly string[] {
    if (/^\s*\{/.test(frame)) return [frame];
    // A frame holds whole events, so its end is the end of the last one, with or without a blank line.
    this.#sse.feed(frame);
    this.#sse.feed('\n\n');
    const texts = this.#texts;
    this.#texts = [];
    return texts;
  }

  #complete(event: ReceivedEvent): Received | undefined {
    const vendor = objectAt(objectAt(event, 'metadata'), 'agentcore-agui');
    if (event.type === 'CUSTOM' && event['name'] === partName) return this.#addPart(objectAt(event, 'value'));
    if (vendor?.['truncated'] === true && vendor['part'] === this.#whole && this.#whole !== undefined) {
      return undefined;
    }
    return { event: withoutPlace(event, vendor), cursor: cursorOf(vendor) };
  }

  #addPart(value: JsonObject | undefined): Received | undefined {
    const { id, index, count } = value ?? {};
    const text = stringAt(value, 'text');
    if (
      typeof id !== 'number' ||
      typeof index !== 'number' ||
      typeof count !== 'number' ||
      text === undefined
    ) {
      throw protocolError('a part of an event is malformed');
    }
    if (index === 0) this.#parts = { id, text: '', next: 0 };
    if (this.#parts?.id !== id || this.#parts.next !== index)
      throw protocolError('a part of an event is missing');
    this.#parts.text += text;
    this.#parts.next += 1;
    if (this.#parts.text.length > maxWholeChars) throw protocolError('an event in parts is too large');
    if (this.#parts.next < count) return undefined;
    const whole = this.#parts.text;
    this.#parts = undefined;
    this.#whole = id;
    return { event: parseEvent(whole), cursor: { after: id } };
  }
}

function cursorOf(vendor: JsonObject | undefined): Cursor | undefined {
  const { id, offset } = vendor ?? {};
  if (typeof id !== 'number') return undefined;
  return typeof offset === 'number' ? { after: id, offset } : { after: id };
}

/** The place belongs to the frame and not to the event, which is the same as over SSE. */
function withoutPlace(event: ReceivedEvent, vendor: JsonObject | undefined): ReceivedEvent {
  if (vendor === undefined || typeof vendor['id'] !== 'number') return event;
  const { id: _id, offset: _offset, ...kept } = vendor;
  const { 'agentcore-agui': _vendor, ...others } = objectAt(event, 'metadata') ?? {};
  const metadata = Object.keys(kept).length > 0 ? { ...others, 'agentcore-agui': kept } : others;
  const { metadata: _metadata, ...rest } = event;
  return Object.keys(metadata).length > 0
    ? { ...rest, type: event.type, metadata }
    : { ...rest, type: event.type };
}
