/**
 * What a snapshot of a task holds behind the point that was shown: said once, after a connection broke or while nobody
 * read. Histories differ: iac-code keeps every delta as a message of one id and the whole text again under another; plain
 * agents keep one message per id.
 */
import type { ContentEvent } from '../protocol/events.ts';
import { isJsonObject, type JsonObject, listAt, objectAt, stringAt } from '../protocol/json.ts';
import { isFromAgent, textOf } from './facts.ts';
import { say } from './lane.ts';
import type { Memory } from './memory.ts';
import { hear } from './speech.ts';

interface Said {
  readonly messageId: string | undefined;
  text: string;
}

export function catchUp(memory: Memory, task: JsonObject, out: ContentEvent[]): void {
  const said = saidSinceUser(memory, task);
  const { speech } = memory;
  if (!speech.hasSpoken) {
    for (const each of memory.profile === 'iac-code' ? said.slice(0, 1) : said)
      hear(memory, asMessage(each), false, out);
    return;
  }
  const current = said.findLastIndex(({ messageId }) => messageId === speech.upstreamId);
  const text = said[current]?.text;
  const missing = text === undefined ? undefined : speech.track.missingOf(text);
  if (missing !== undefined && missing !== '') {
    speech.track.append(missing);
    say(speech.lane, missing, memory, out);
  }
  // iac-code says the whole text again under another id.
  if (memory.profile === 'iac-code') return;
  for (const each of said.slice(current + 1)) hear(memory, asMessage(each), false, out);
}

/** The agent's messages behind the user's last one, pieces of one id joined; the task's current message last. */
function saidSinceUser(memory: Memory, task: JsonObject): readonly Said[] {
  const history = listAt(task, 'history').filter(isJsonObject);
  const current = objectAt(objectAt(task, 'status'), 'message');
  const behindUser = history.slice(history.findLastIndex((each) => !isFromAgent(each)) + 1);
  // iac-code moves the current message into the history when the next one comes: its deltas share one id.
  const isKept =
    current === undefined ||
    (memory.profile === 'a2a' && behindUser.some(({ messageId }) => messageId === current.messageId));
  const said: Said[] = [];
  for (const message of isKept ? behindUser : [...behindUser, current]) {
    if (!isFromAgent(message)) continue;
    const messageId = stringAt(message, 'messageId');
    const text = textOf(message);
    const known = said.find((each) => each.messageId === messageId);
    if (known === undefined) said.push({ messageId, text });
    else known.text = memory.profile === 'a2a' && text.startsWith(known.text) ? text : known.text + text;
  }
  return said;
}

function asMessage({ messageId, text }: Said): JsonObject {
  return { role: 'ROLE_AGENT', parts: [{ text }], ...(messageId === undefined ? {} : { messageId }) };
}
