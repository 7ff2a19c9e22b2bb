/** A conversation as AG-UI's `messages`: all of it, as an agent must be able to work from the input alone. */
import type { ResumeEntry } from '../../../src/protocol/interrupt.ts';
import type { JsonObject, JsonValue } from '../../../src/protocol/json.ts';
import type { Item, Thread, ToolItem, Turn } from './thread.ts';

export interface RunAgentInput {
  readonly threadId: string;
  readonly runId: string;
  readonly protocolVersion: '1.0';
  readonly messages: readonly JsonObject[];
  readonly state: JsonValue;
  readonly tools: readonly [];
  readonly context: readonly [];
  readonly forwardedProps: JsonObject;
  readonly resume?: readonly ResumeEntry[];
}

/** The input of a turn of this thread, with everything that was said before it. */
export function inputOf(thread: Thread, runId: string, forwardedProps: JsonObject): RunAgentInput {
  const index = thread.turns.findLastIndex((turn) => turn.runId === runId);
  const turn = thread.turns[index];
  const earlier = thread.turns
    .slice(0, index)
    .flatMap((each) => [...askedMessages(each), ...said(each.items)]);
  return {
    threadId: thread.id,
    runId,
    protocolVersion: '1.0',
    messages: [...earlier, ...(turn === undefined ? [] : askedMessages(turn))],
    state: thread.state ?? {},
    tools: [],
    context: [],
    forwardedProps,
    ...(turn?.asked.kind === 'answers' ? { resume: turn.asked.entries } : {}),
  };
}

function askedMessages({ asked }: Turn): readonly JsonObject[] {
  return asked.kind === 'message' ? [{ id: asked.messageId, role: 'user', content: asked.text }] : [];
}

function said(items: readonly Item[]): readonly JsonObject[] {
  return items.flatMap((item): readonly JsonObject[] => {
    if (item.kind === 'text') return [{ id: item.id, role: item.role, content: item.text }];
    if (item.kind === 'tool' && item.result !== undefined) return callAndResult(item, item.result);
    return [];
  });
}

function callAndResult({ id, name, args }: ToolItem, result: string): readonly JsonObject[] {
  const call = { id, type: 'function', function: { name, arguments: args } };
  return [
    { id: `call-${id}`, role: 'assistant', toolCalls: [call] },
    { id: `tool-result-${id}`, role: 'tool', toolCallId: id, content: result },
  ];
}

/** The conversation as Markdown, to be kept or shown to somebody. */
export function asMarkdown(thread: Thread): string {
  const parts = thread.turns.flatMap(({ asked, items }) => [
    ...(asked.kind === 'message' ? [asked.text.replace(/^/gm, '> ')] : []),
    ...items.flatMap((item) => (item.kind === 'text' ? [item.text] : [])),
  ]);
  return `# ${thread.title}\n\n${parts.join('\n\n')}\n`;
}
