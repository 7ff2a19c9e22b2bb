/**
 * Events → text frames that the platform carries: at most 32 KB each. Neighbouring deltas of one message become one, long
 * ones are split between code points, and what is big and can't be split goes out in parts that our client puts together.
 * Pure.
 *
 * Each frame's vendor metadata holds the number of the last event in it (`id`), which is what `attach` wants as `after`;
 * a piece of a split delta holds instead how much of the next event has been said (`offset`).
 */
import type { AgUiEvent } from '../../protocol/events.ts';
import type { JsonObject } from '../../protocol/json.ts';

/** Bytes of a frame, with room for the metadata. */
export const maxFrameBytes = 32_768;
const maxEventBytes = maxFrameBytes - 512;
/** UTF-16 units of a delta: in the worst case six bytes each once escaped. */
const maxDeltaChars = 5_000;
const partChars = 5_000;

export interface Frame {
  readonly event: AgUiEvent;
  readonly cursor: { readonly id: number } | { readonly id: number; readonly offset: number };
}

type Delta = Extract<AgUiEvent, { delta: string }>;

/** `first` is the number of the first event. */
export function toFrames(events: readonly AgUiEvent[], first: number): readonly Frame[] {
  const frames: Frame[] = [];
  let joined: { event: Delta; id: number } | undefined;
  const flush = (): void => {
    if (joined !== undefined) frames.push({ event: joined.event, cursor: { id: joined.id } });
    joined = undefined;
  };
  for (const [index, event] of events.entries()) {
    const id = first + index;
    if (!isDelta(event)) {
      flush();
      frames.push(...fitting(event, id));
    } else if (
      joined !== undefined &&
      isSameMessage(joined.event, event) &&
      joined.event.delta.length + event.delta.length <= maxDeltaChars
    ) {
      joined = { event: { ...joined.event, delta: joined.event.delta + event.delta }, id };
    } else {
      flush();
      if (event.delta.length > maxDeltaChars) frames.push(...split(event, id));
      else joined = { event, id };
    }
  }
  flush();
  return frames;
}

export function frameText({ event, cursor }: Frame): string {
  const known = event.metadata?.['agentcore-agui'];
  const vendor = typeof known === 'object' ? { ...known, ...cursor } : cursor;
  return JSON.stringify({ ...event, metadata: { ...event.metadata, 'agentcore-agui': vendor } });
}

function isDelta(event: AgUiEvent): event is Delta {
  return 'delta' in event && typeof event.delta === 'string' && event.metadata === undefined;
}

function isSameMessage(left: Delta, right: Delta): boolean {
  return left.type === right.type && idOf(left) === idOf(right);
}

function idOf(event: Delta): string {
  return 'toolCallId' in event ? event.toolCallId : event.messageId;
}

function split(event: Delta, id: number): readonly Frame[] {
  const frames: Frame[] = [];
  const { delta } = event;
  for (let start = 0; start < delta.length; ) {
    let end = Math.min(start + maxDeltaChars, delta.length);
    // Never between the halves of a surrogate pair.
    if (end < delta.length && isHighSurrogate(delta.charCodeAt(end - 1))) end -= 1;
    const cursor = end === delta.length ? { id } : { id: id - 1, offset: end };
    frames.push({ event: { ...event, delta: delta.slice(start, end) }, cursor });
    start = end;
  }
  return frames;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function fitting(event: AgUiEvent, id: number): readonly Frame[] {
  const text = JSON.stringify(event);
  if (text.length * 3 <= maxEventBytes || Buffer.byteLength(text) <= maxEventBytes)
    return [{ event, cursor: { id } }];
  const parts = inParts(text, id);
  const standIn = shortened(event, id);
  return standIn === undefined ? parts : [...parts, { event: standIn, cursor: { id } }];
}

/** The event's JSON, in pieces. The last one completes it. */
function inParts(text: string, id: number): readonly Frame[] {
  const count = Math.ceil(text.length / partChars);
  return Array.from({ length: count }, (_none, index) => ({
    event: {
      type: 'CUSTOM',
      name: 'agentcore-agui.part.v1',
      value: { id, index, count, text: text.slice(index * partChars, (index + 1) * partChars) },
    },
    cursor: { id: id - 1 },
  }));
}

/**
 * What clients that know nothing of parts still need: a call must be answered and a run must end. Everything else that is
 * too big is only there for those who put the parts together.
 */
function shortened(event: AgUiEvent, id: number): AgUiEvent | undefined {
  const metadata: JsonObject = { 'agentcore-agui': { truncated: true, part: id } };
  switch (event.type) {
    case 'TOOL_CALL_RESULT':
      return { ...event, content: event.content.slice(0, maxDeltaChars).toWellFormed(), metadata };
    case 'RUN_FINISHED': {
      const { result: _result, outcome, ...rest } = event;
      if (outcome?.type !== 'interrupt')
        return { ...rest, ...(outcome === undefined ? {} : { outcome }), metadata };
      const interrupts = outcome.interrupts.map(({ metadata: _details, ...interrupt }) => interrupt);
      return { ...rest, outcome: { type: 'interrupt', interrupts }, metadata };
    }
    case 'RUN_ERROR':
      return { ...event, message: event.message.slice(0, maxDeltaChars).toWellFormed(), metadata };
    default:
      return undefined;
  }
}
