/**
 * What the agent says outside of a pipeline, shown once. Kernels repeat themselves in several ways: every message so far
 * under one id, the whole text again at the end, everything since the beginning after a resume. Each is told from new text
 * by what was shown.
 */
import type { ContentEvent } from '../protocol/events.ts';
import { type JsonObject, stringAt } from '../protocol/json.ts';
import { isFromAgent, textOf } from './facts.ts';
import { endTurn, say } from './lane.ts';
import { type Memory, noteText, wasShown } from './memory.ts';
import { knownPrefixLength, TextTrack } from './text-track.ts';

/** A repeat shorter than this could as well be the next word. */
const minRepeat = 32;

/** `isFinal`: the kernel marks the message as a repeat of its last answer. */
export function hear(memory: Memory, message: JsonObject, isFinal: boolean, out: ContentEvent[]): void {
  if (!isFromAgent(message)) return;
  const text = textOf(message);
  if (text === '' || (isFinal && memory.speech.hasSpoken)) return;
  const fresh = newPart(memory, stringAt(message, 'messageId'), text, out);
  if (fresh === '') return;
  memory.speech.hasSpoken = true;
  say(memory.speech.lane, fresh, memory, out);
}

function newPart(memory: Memory, upstreamId: string | undefined, text: string, out: ContentEvent[]): string {
  const { speech } = memory;
  const isSame = speech.upstreamId === upstreamId && speech.track.length > 0;
  if (isSame) return continued(memory, text);
  if (upstreamId !== undefined && speech.shownIds.has(upstreamId)) return '';
  if (memory.profile === 'a2a' && repeatsAll(memory, text)) {
    if (upstreamId !== undefined) speech.shownIds.add(upstreamId);
    return '';
  }
  if (speech.track.length > 0) {
    noteText(memory);
    if (speech.upstreamId !== undefined) speech.shownIds.add(speech.upstreamId);
    endTurn(speech.lane, out);
  }
  speech.upstreamId = upstreamId;
  speech.track = new TextTrack();
  speech.growth = memory.profile === 'iac-code' ? 'delta' : 'unknown';
  speech.track.append(text);
  return text.slice(knownPrefixLength(text, memory.replayable));
}

/** Plain agents end with their whole answer once more, under a new id. */
function repeatsAll(memory: Memory, text: string): boolean {
  const { state } = memory.lastFacts ?? {};
  return (
    (state === 'TASK_STATE_COMPLETED' || state === 'TASK_STATE_INPUT_REQUIRED') && wasShown(memory, text)
  );
}

/** More of the message that is being said: what is new, or everything so far. */
function continued({ speech }: Memory, text: string): string {
  const { track } = speech;
  if (speech.growth !== 'delta') {
    if (track.equals(text) && (speech.growth === 'cumulative' || text.length >= minRepeat)) return '';
    if (
      text.length > track.length &&
      track.isPrefixOf(text) &&
      (speech.growth === 'cumulative' || track.length > 1)
    ) {
      speech.growth = 'cumulative';
      const fresh = text.slice(track.length);
      track.append(fresh);
      return fresh;
    }
    if (speech.growth === 'cumulative') return '';
    speech.growth = 'delta';
  }
  track.append(text);
  return text;
}
