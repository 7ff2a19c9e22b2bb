/**
 * A lane is one speaker: the agent itself, or one step or candidate of a pipeline. It holds at most one open text
 * message and one open reasoning; what one lane says never closes what another has open.
 *
 * A message never goes on behind a tool call: the text after it gets a new id, else clients would show the text before
 * and after as one. The call names the message that stands before it as its parent; calls without text between them
 * share one parent until a result is in.
 */
import type { ContentEvent } from '../protocol/events.ts';

export interface Lane {
  /** Beginning of the ids made in this lane. */
  base: string;
  /** Upstream's name for the message in a pipeline lane, where it gave one. */
  upstreamId: string | undefined;
  openText: string | undefined;
  openReasoning: string | undefined;
  /** The message that a tool call belongs to, when there is one. */
  parent: string | undefined;
}

/** What makes ids: a counter and the run's own mark. */
export interface IdSource {
  readonly scope: string;
  serial: number;
}

export function newLane(base: string): Lane {
  return { base, upstreamId: undefined, openText: undefined, openReasoning: undefined, parent: undefined };
}

/** Adds `text` (not empty) to the lane's open message, or opens one. */
export function say(lane: Lane, text: string, ids: IdSource, out: ContentEvent[]): void {
  if (lane.openReasoning !== undefined) endReasoning(lane, out);
  if (lane.openText === undefined) {
    const opened = nextId(lane.base, ids);
    lane.openText = opened;
    lane.parent = opened;
    out.push({ type: 'TEXT_MESSAGE_START', messageId: opened, role: 'assistant' });
  }
  out.push({ type: 'TEXT_MESSAGE_CONTENT', messageId: lane.openText, delta: text });
}

export function endText(
  lane: Lane,
  out: ContentEvent[],
  metadata?: { readonly [key: string]: { withdrawn: boolean } },
): void {
  if (lane.openText === undefined) return;
  out.push({
    type: 'TEXT_MESSAGE_END',
    messageId: lane.openText,
    ...(metadata === undefined ? {} : { metadata }),
  });
  lane.openText = undefined;
}

/** Adds `text` (not empty) to the lane's open reasoning, or opens one. */
export function think(lane: Lane, text: string, ids: IdSource, out: ContentEvent[]): void {
  if (lane.openReasoning === undefined) {
    const messageId = nextId(`reasoning-${lane.base}`, ids);
    lane.openReasoning = messageId;
    out.push(
      { type: 'REASONING_START', messageId },
      { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
    );
  }
  out.push({ type: 'REASONING_MESSAGE_CONTENT', messageId: lane.openReasoning, delta: text });
}

export function endReasoning(lane: Lane, out: ContentEvent[]): void {
  const messageId = lane.openReasoning;
  if (messageId === undefined) return;
  lane.openReasoning = undefined;
  out.push({ type: 'REASONING_MESSAGE_END', messageId }, { type: 'REASONING_END', messageId });
}

/** Ends what is open in the lane, for a tool call, and answers the id of the message that the call belongs to. */
export function beginCall(lane: Lane, ids: IdSource, out: ContentEvent[]): string {
  endReasoning(lane, out);
  endText(lane, out);
  lane.parent ??= nextId(lane.base, ids);
  return lane.parent;
}

/** What the lane says or calls next belongs to a new message. */
export function endTurn(lane: Lane, out: ContentEvent[]): void {
  endText(lane, out);
  lane.parent = undefined;
}

function nextId(base: string, ids: IdSource): string {
  ids.serial += 1;
  return `${base}.${ids.scope}.${ids.serial}`;
}
