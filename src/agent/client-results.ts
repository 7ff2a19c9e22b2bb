/** What the client's tools brought: the tool messages of a request. */
import { isJsonObject, type JsonValue, stringAt } from '../protocol/json.ts';
import type { InputMessage, RunAgentInput } from '../protocol/run-input.ts';

export interface ClientResult {
  readonly toolCallId: string;
  /** The text parts together; pictures and files of a result are left out. */
  readonly text: string;
  /** What went wrong in the client, in its words. */
  readonly error: string | undefined;
}

const shownOnly: readonly string[] = ['reasoning', 'activity'];

export function clientResultsOf(messages: readonly InputMessage[]): readonly ClientResult[] {
  return messages
    .filter(({ role }) => role === 'tool')
    .map((message) => ({
      toolCallId: stringAt(message, 'toolCallId') ?? '',
      text: textOf(message.content),
      error: stringAt(message, 'error'),
    }));
}

/** The newest thing said is a tool's result. */
export function bringsOnlyResults(messages: readonly InputMessage[]): boolean {
  return messages.findLast(({ role }) => !shownOnly.includes(role))?.role === 'tool';
}

/**
 * Index of the newest result when it must belong to a call that waits: a client with tools has made it and it is the newest
 * thing said. Results of the agent's own tools are told by their ids, which the server gave them; behind one of those the
 * user's words count again, where there are any.
 */
export function strayResultAt({ messages, tools }: RunAgentInput, isWordless: boolean): number | undefined {
  if (tools.length === 0 || !bringsOnlyResults(messages)) return undefined;
  const index = messages.findLastIndex(({ role }) => role === 'tool');
  const message = messages[index];
  if (isWordless) return index;
  return message?.id === `tool-result-${stringAt(message, 'toolCallId') ?? ''}` ? undefined : index;
}

function textOf(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  // A list by its schema; anything else has no text.
  const parts = Array.isArray(content) ? (content as readonly JsonValue[]) : [];
  return parts.map((part) => (isJsonObject(part) ? (stringAt(part, 'text') ?? '') : '')).join('');
}
