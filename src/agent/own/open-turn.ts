/** A turn of an own agent that waits, as it stands in the thread's memory beside the turns before it. */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  stringAt,
} from '../../protocol/json.ts';
import type { ClientResult } from '../client-results.ts';
import type { Utterance } from './own-agent.ts';

export interface OpenTurn {
  /** What the user said, and what the agent has said to it so far. */
  readonly text: string;
  readonly said: string;
  readonly keep: JsonValue;
  /** Calls of the client's tools that it waits for; empty for a question. */
  readonly calls: readonly HandedCall[];
}

export interface HandedCall {
  /** Under which the client was shown it. */
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly result?: { readonly text: string; readonly error: string | undefined };
}

const maxUtterances = 100;
const maxCharacters = 200_000;

export function openTurnOf(remembered: JsonObject | undefined): OpenTurn | undefined {
  const open = objectAt(remembered, 'open');
  if (open === undefined) return undefined;
  return {
    text: stringAt(open, 'text') ?? '',
    said: stringAt(open, 'said') ?? '',
    keep: open.keep ?? null,
    calls: listAt(open, 'calls').filter(isJsonObject).map(handedCall),
  };
}

function handedCall(call: JsonObject): HandedCall {
  const result = objectAt(call, 'result');
  return {
    id: stringAt(call, 'id') ?? '',
    name: stringAt(call, 'name') ?? '',
    input: objectAt(call, 'input') ?? {},
    ...(result === undefined
      ? {}
      : { result: { text: stringAt(result, 'text') ?? '', error: stringAt(result, 'error') } }),
  };
}

/** With the results that have come, and how many of them are new. */
export function withResults(
  { calls, ...open }: OpenTurn,
  results: readonly ClientResult[],
): { readonly open: OpenTurn; readonly taken: number } {
  let taken = 0;
  const answered = calls.map((call) => {
    const result = results.findLast(({ toolCallId }) => toolCallId === call.id);
    if (call.result !== undefined || result === undefined) return call;
    taken += 1;
    return { ...call, result: { text: result.text, error: result.error } };
  });
  return { open: { ...open, calls: answered }, taken };
}

export function historyOf(remembered: JsonObject | undefined): readonly Utterance[] {
  return listAt(remembered, 'history')
    .filter(isJsonObject)
    .map((each) => ({
      role: each.role === 'user' ? 'user' : 'assistant',
      text: stringAt(each, 'text') ?? '',
    }));
}

/** The document for the memory: the turns so far, and the one that waits. */
export function memoryOf(history: readonly Utterance[], open?: OpenTurn): JsonObject {
  // Plain JSON by its types; what is undefined is left out here.
  return JSON.parse(
    JSON.stringify({ history: bounded(history), ...(open === undefined ? {} : { open }) }),
  ) as JsonObject;
}

/** The newest turns, whole: a question goes with its answer. */
function bounded(history: readonly Utterance[]): readonly Utterance[] {
  const kept = history.slice(-maxUtterances);
  let characters = kept.reduce((sum, { text }) => sum + text.length, 0);
  while (kept.length > 2 && characters > maxCharacters) {
    characters -= kept.splice(0, 2).reduce((sum, { text }) => sum + text.length, 0);
  }
  return kept;
}
