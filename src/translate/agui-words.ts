/**
 * What only AG-UI has a word for, in `metadata.iac_code.agui` of an agent in this process: its shared state, and calls that
 * the client has to carry out. `{stateSnapshot?, stateDelta?, pendingToolCallIds?}`.
 */
import type { ContentEvent } from '../protocol/events.ts';
import { isJsonObject, type JsonObject, listAt } from '../protocol/json.ts';
import type { Memory } from './memory.ts';

export function showAguiWords(memory: Memory, words: JsonObject, out: ContentEvent[]): void {
  if (words.stateSnapshot !== undefined) {
    out.push({ type: 'STATE_SNAPSHOT', snapshot: words.stateSnapshot });
  }
  const delta = listAt(words, 'stateDelta').filter(isJsonObject);
  if (delta.length > 0) out.push({ type: 'STATE_DELTA', delta });
  const handedOver = listAt(words, 'pendingToolCallIds').filter((id) => typeof id === 'string');
  if (handedOver.length > 0) memory.pendingToolCallIds = handedOver;
}

/** What a run's success says of calls that wait for the client; nothing where none do. */
export function handedOver(memory: Memory | undefined): { readonly pendingToolCallIds?: readonly string[] } {
  const { pendingToolCallIds = [] } = memory ?? {};
  return pendingToolCallIds.length === 0 ? {} : { pendingToolCallIds };
}
