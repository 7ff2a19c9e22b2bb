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
 * Index of the newest message when a client with tools has made it as a result and it is the newest thing said. The
 * results of the agent's own tools are told by their ids, which the server gave them.
 */
export function ownResultAt({ messages, tools }: RunAgentInput): number | undefined {
  if (tools.length === 0 || !bringsOnlyResults(messages)) return undefined;
  const index = messages.findLastIndex(({ role }) => role === 'tool');
  const message = messages[index];
  return message?.id === `tool-result-${stringAt(message, 'toolCallId') ?? ''}` ? undefined : index;
}

function textOf(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  // A list by its schema; anything else has no text.
  const parts = Array.isArray(content) ? (content as readonly JsonValue[]) : [];
  return parts.map((part) => (isJsonObject(part) ? (stringAt(part, 'text') ?? '') : '')).join('');
}
