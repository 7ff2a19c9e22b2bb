/**
 * What a run has said so far, folded into messages: for a reader that comes back after its place in the stream is gone.
 * Re-sending the old deltas would double them, so AG-UI wants the messages whole, and the open ones opened again. Bounded
 * by characters: the oldest messages go first, and the beginning of a single one that is too long.
 */
import type { ContentEvent } from '../../protocol/events.ts';
import type { JsonObject, JsonValue } from '../../protocol/json.ts';
import { patched } from '../../protocol/json-patch.ts';
import { GrowingText } from './growing-text.ts';

interface AssistantMessage {
  readonly id: string;
  readonly role: 'assistant';
  readonly content: GrowingText;
  toolCalls: ToolCall[];
}
interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: GrowingText;
}
interface OtherMessage {
  readonly id: string;
  readonly role: 'tool' | 'reasoning';
  readonly content: GrowingText;
  readonly toolCallId?: string;
}
type Message = AssistantMessage | OtherMessage;

const maxCharacters = 4_194_304;

export class Transcript {
  readonly #messages = new Map<string, Message>();
  readonly #open = new Map<string, ContentEvent>();
  readonly #calls = new Map<string, ToolCall>();
  #characters = 0;
  #state: JsonValue | undefined;

  add(event: ContentEvent): void {
    switch (event.type) {
      case 'STATE_SNAPSHOT':
        this.#state = event.snapshot;
        return;
      case 'STATE_DELTA': {
        // Without a snapshot before it, it is about a state that only the client knows.
        const next = this.#state === undefined ? undefined : patched(this.#state, event.delta);
        if (next?.ok) this.#state = next.value;
        return;
      }
      case 'TEXT_MESSAGE_START':
        this.#assistant(event.messageId);
        this.#open.set(`text:${event.messageId}`, event);
        return;
      case 'TEXT_MESSAGE_CONTENT':
        this.#assistant(event.messageId).content.append(event.delta);
        this.#count(event.delta.length);
        return;
      case 'TEXT_MESSAGE_END':
        this.#open.delete(`text:${event.messageId}`);
        return;
      case 'REASONING_START':
        this.#open.set(`span:${event.messageId}`, event);
        return;
      case 'REASONING_END':
        this.#open.delete(`span:${event.messageId}`);
        return;
      case 'REASONING_MESSAGE_START':
        this.#other(event.messageId, 'reasoning');
        this.#open.set(`reasoning:${event.messageId}`, event);
        return;
      case 'REASONING_MESSAGE_CONTENT':
        this.#other(event.messageId, 'reasoning').content.append(event.delta);
        this.#count(event.delta.length);
        return;
      case 'REASONING_MESSAGE_END':
        this.#open.delete(`reasoning:${event.messageId}`);
        return;
      case 'STEP_STARTED':
        this.#open.set(`step:${event.stepName}`, event);
        return;
      case 'STEP_FINISHED':
        this.#open.delete(`step:${event.stepName}`);
        return;
      default:
        this.#addCall(event);
    }
  }

  #addCall(event: ContentEvent): void {
    switch (event.type) {
      case 'TOOL_CALL_START': {
        const { toolCallId: id, toolCallName: name } = event;
        const call: ToolCall = { id, name, arguments: newText() };
        this.#assistant(event.parentMessageId ?? event.toolCallId).toolCalls.push(call);
        this.#calls.set(event.toolCallId, call);
        this.#open.set(`call:${event.toolCallId}`, event);
        return;
      }
      case 'TOOL_CALL_ARGS': {
        this.#calls.get(event.toolCallId)?.arguments.append(event.delta);
        this.#count(event.delta.length);
        return;
      }
      case 'TOOL_CALL_END':
        this.#open.delete(`call:${event.toolCallId}`);
        return;
      case 'TOOL_CALL_RESULT':
        if (this.#messages.has(event.messageId)) return;
        this.#other(event.messageId, 'tool', event.toolCallId).content.append(event.content);
        this.#count(event.content.length);
        return;
      default:
    }
  }

  /** The messages so far, oldest first, as AG-UI messages. */
  messages(): readonly JsonObject[] {
    return [...this.#messages.values()].map(toMessage);
  }

  /** Starts of what is open, in the order in which it was opened: what follows continues it. */
  reopened(): readonly ContentEvent[] {
    return [...this.#open.values()];
  }

  /** The shared state as the run has left it, where it spoke of it. */
  state(): ContentEvent | undefined {
    return this.#state === undefined ? undefined : { type: 'STATE_SNAPSHOT', snapshot: this.#state };
  }

  copy(): Transcript {
    const copy = new Transcript();
    copy.#state = this.#state;
    for (const [id, message] of this.#messages) {
      const content = message.content.copy();
      if (message.role !== 'assistant') {
        copy.#messages.set(id, { ...message, content });
        continue;
      }
      const toolCalls = message.toolCalls.map((call) => ({ ...call, arguments: call.arguments.copy() }));
      copy.#messages.set(id, { ...message, content, toolCalls });
      for (const call of toolCalls) copy.#calls.set(call.id, call);
    }
    for (const [key, event] of this.#open) copy.#open.set(key, event);
    copy.#characters = this.#characters;
    return copy;
  }

  #assistant(id: string): AssistantMessage {
    const known = this.#messages.get(id);
    if (known?.role === 'assistant') return known;
    const message: AssistantMessage = { id, role: 'assistant', content: newText(), toolCalls: [] };
    this.#messages.set(id, message);
    return message;
  }

  #other(id: string, role: OtherMessage['role'], toolCallId?: string): OtherMessage {
    const known = this.#messages.get(id);
    if (known !== undefined && known.role !== 'assistant') return known;
    const message = { id, role, content: newText(), ...(toolCallId === undefined ? {} : { toolCallId }) };
    this.#messages.set(id, message);
    return message;
  }

  #count(characters: number): void {
    this.#characters += characters;
    while (this.#characters > maxCharacters && this.#messages.size > 1) {
      const [id, oldest] = this.#messages.entries().next().value ?? [];
      if (id === undefined || oldest === undefined) return;
      this.#messages.delete(id);
      this.#characters -= oldest.content.length;
    }
    // The one that is left bounds itself.
    this.#characters = Math.min(this.#characters, maxCharacters);
  }
}

function newText(): GrowingText {
  return new GrowingText(maxCharacters);
}

/** As AG-UI writes it. */
function toMessage(message: Message): JsonObject {
  const content = message.content.toString();
  if (message.role !== 'assistant') return { ...message, content };
  const { toolCalls, ...rest } = message;
  if (toolCalls.length === 0) return { ...rest, content };
  const calls = toolCalls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text.toString() },
  }));
  return { ...rest, content, toolCalls: calls };
}
