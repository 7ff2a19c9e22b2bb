/**
 * What a run has said so far, folded into messages: for a reader that comes back after its place in the stream is gone.
 * Re-sending the old deltas would double them, so AG-UI wants the messages whole, and the open ones opened again. Bounded
 * by characters: the oldest messages go first.
 */
import type { ContentEvent } from '../../protocol/events.ts';
import type { JsonObject } from '../../protocol/json.ts';

interface AssistantMessage {
  readonly id: string;
  readonly role: 'assistant';
  content: string;
  toolCalls: ToolCall[];
}
interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; arguments: string };
}
interface OtherMessage {
  readonly id: string;
  readonly role: 'tool' | 'reasoning';
  content: string;
  readonly toolCallId?: string;
}
type Message = AssistantMessage | OtherMessage;

const maxCharacters = 4_194_304;

export class Transcript {
  readonly #messages = new Map<string, Message>();
  readonly #open = new Map<string, ContentEvent>();
  readonly #calls = new Map<string, ToolCall>();
  #characters = 0;

  add(event: ContentEvent): void {
    switch (event.type) {
      case 'TEXT_MESSAGE_START':
        this.#assistant(event.messageId);
        this.#open.set(`text:${event.messageId}`, event);
        return;
      case 'TEXT_MESSAGE_CONTENT':
        this.#assistant(event.messageId).content += event.delta;
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
        this.#other({ id: event.messageId, role: 'reasoning', content: '' });
        this.#open.set(`reasoning:${event.messageId}`, event);
        return;
      case 'REASONING_MESSAGE_CONTENT':
        this.#other({ id: event.messageId, role: 'reasoning', content: '' }).content += event.delta;
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
        const call: ToolCall = {
          id: event.toolCallId,
          type: 'function',
          function: { name: event.toolCallName, arguments: '' },
        };
        this.#assistant(event.parentMessageId ?? event.toolCallId).toolCalls.push(call);
        this.#calls.set(event.toolCallId, call);
        this.#open.set(`call:${event.toolCallId}`, event);
        return;
      }
      case 'TOOL_CALL_ARGS': {
        const call = this.#calls.get(event.toolCallId);
        if (call !== undefined) call.function.arguments += event.delta;
        this.#count(event.delta.length);
        return;
      }
      case 'TOOL_CALL_END':
        this.#open.delete(`call:${event.toolCallId}`);
        return;
      case 'TOOL_CALL_RESULT':
        this.#other({
          id: event.messageId,
          role: 'tool',
          content: event.content,
          toolCallId: event.toolCallId,
        });
        this.#count(event.content.length);
        return;
      default:
    }
  }

  /** The messages so far, oldest first, as AG-UI messages. */
  messages(): readonly JsonObject[] {
    return [...this.#messages.values()].map((message) => {
      if (message.role !== 'assistant') return { ...message };
      const { toolCalls, ...rest } = message;
      return toolCalls.length === 0 ? rest : { ...rest, toolCalls: toolCalls.map((call) => ({ ...call })) };
    });
  }

  /** Starts of what is open, in the order in which it was opened: what follows continues it. */
  reopened(): readonly ContentEvent[] {
    return [...this.#open.values()];
  }

  copy(): Transcript {
    const copy = new Transcript();
    for (const [id, message] of this.#messages) {
      const same =
        'toolCalls' in message ? { ...message, toolCalls: message.toolCalls.map(copyCall) } : { ...message };
      copy.#messages.set(id, same);
      if ('toolCalls' in same) for (const call of same.toolCalls) copy.#calls.set(call.id, call);
    }
    for (const [key, event] of this.#open) copy.#open.set(key, event);
    copy.#characters = this.#characters;
    return copy;
  }

  #assistant(id: string): AssistantMessage {
    const known = this.#messages.get(id);
    if (known?.role === 'assistant') return known;
    const message: AssistantMessage = { id, role: 'assistant', content: '', toolCalls: [] };
    this.#messages.set(id, message);
    return message;
  }

  #other(message: OtherMessage): OtherMessage {
    const known = this.#messages.get(message.id);
    if (known !== undefined && known.role !== 'assistant') return known;
    this.#messages.set(message.id, message);
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
  }
}

function copyCall(call: ToolCall): ToolCall {
  return { ...call, function: { ...call.function } };
}
