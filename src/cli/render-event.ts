/**
 * Events → text for people. What the agent says goes to `out`; reasoning, tools, steps and errors are notes. One renderer
 * belongs to one run. Pure, apart from remembering what is open.
 */
import type { createColors } from 'picocolors';
import type { ReceivedEvent } from '../client/transport.ts';
import { isJsonObject, type JsonObject, listAt, objectAt, stringAt } from '../protocol/json.ts';
import { printable } from './terminal.ts';

export interface Rendered {
  readonly out?: string;
  readonly notes?: string;
}

type Colors = ReturnType<typeof createColors>;

const maxToolChars = 200;

export class EventRenderer {
  readonly #colors: Colors;
  readonly #isAsking: boolean;
  readonly #calls = new Map<string, { readonly name: string; args: string }>();
  readonly #shown = new Set<string>();
  #endsWithLine = true;
  #reasoningEndsWithLine = true;
  #hasText = false;

  /** `isAsking`: the questions of an interrupted run are asked behind it, and not listed. */
  constructor(colors: Colors, isAsking = false) {
    this.#colors = colors;
    this.#isAsking = isAsking;
  }

  render(event: ReceivedEvent): Rendered {
    switch (event.type) {
      case 'TEXT_MESSAGE_START':
        this.#shown.add(stringAt(event, 'messageId') ?? '');
        return {};
      case 'TEXT_MESSAGE_CONTENT':
      case 'TEXT_MESSAGE_CHUNK':
        return this.#text(stringAt(event, 'delta') ?? '');
      case 'TEXT_MESSAGE_END':
        return this.#endLine();
      case 'REASONING_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_CHUNK':
        return this.#reasoning(stringAt(event, 'delta') ?? '');
      case 'REASONING_MESSAGE_END':
        return this.#endReasoning();
      case 'TOOL_CALL_START':
      case 'TOOL_CALL_ARGS':
      case 'TOOL_CALL_END':
      case 'TOOL_CALL_RESULT':
        return this.#tool(event);
      case 'STEP_STARTED':
        return this.#note(`• ${stringAt(event, 'stepName')}`);
      case 'STEP_FINISHED':
        return this.#note(`✓ ${stringAt(event, 'stepName')}`);
      case 'ACTIVITY_SNAPSHOT':
        return this.#note(`… ${stringAt(event, 'activityType')}`);
      case 'MESSAGES_SNAPSHOT':
        return this.#snapshot(event);
      case 'RUN_FINISHED':
        return this.#finished(event);
      case 'RUN_ERROR':
        return { ...this.#endLine(), notes: `${errorText(event, this.#colors)}\n` };
      default:
        return {};
    }
  }

  #text(delta: string): Rendered {
    const text = printable(delta);
    if (text === '') return {};
    this.#hasText = true;
    this.#endsWithLine = text.endsWith('\n');
    return { out: text };
  }

  #endLine(): Rendered {
    if (this.#endsWithLine) return {};
    this.#endsWithLine = true;
    return { out: '\n' };
  }

  #reasoning(delta: string): Rendered {
    const text = printable(delta);
    if (text === '') return {};
    this.#reasoningEndsWithLine = text.endsWith('\n');
    return { notes: this.#colors.dim(text) };
  }

  #endReasoning(): Rendered {
    if (this.#reasoningEndsWithLine) return {};
    this.#reasoningEndsWithLine = true;
    return { notes: '\n' };
  }

  #tool(event: ReceivedEvent): Rendered {
    const id = stringAt(event, 'toolCallId') ?? '';
    const call = this.#calls.get(id);
    switch (event.type) {
      case 'TOOL_CALL_START':
        this.#calls.set(id, { name: stringAt(event, 'toolCallName') ?? '', args: '' });
        return {};
      case 'TOOL_CALL_ARGS':
        if (call !== undefined) call.args += stringAt(event, 'delta') ?? '';
        return {};
      case 'TOOL_CALL_END':
        return call === undefined ? {} : this.#note(`→ ${call.name} ${call.args}`);
      default:
        return this.#note(`← ${call?.name ?? ''} ${stringAt(event, 'content') ?? ''}`);
    }
  }

  #note(text: string): Rendered {
    const line = printable(text).replace(/\s+/g, ' ').trim();
    const short = line.length > maxToolChars ? `${line.slice(0, maxToolChars)}…` : line;
    return { notes: `${this.#colors.cyan(short)}\n` };
  }

  /** What of this turn has been said and not seen: a reader came back late. */
  #snapshot(event: ReceivedEvent): Rendered {
    const messages = listAt(event, 'messages').filter(isJsonObject);
    const turn = messages.slice(
      messages.findLastIndex((message) => stringAt(message, 'role') === 'user') + 1,
    );
    let text = '';
    for (const message of turn) {
      const id = stringAt(message, 'id') ?? '';
      const content = stringAt(message, 'content');
      if (stringAt(message, 'role') !== 'assistant' || content === undefined || this.#shown.has(id)) continue;
      this.#shown.add(id);
      text += printable(content);
    }
    return this.#text(text);
  }

  #finished(event: ReceivedEvent): Rendered {
    const outcome = objectAt(event, 'outcome');
    const end = this.#endLine().out ?? '';
    if (stringAt(outcome, 'type') === 'interrupt') {
      if (this.#isAsking) return { out: end };
      const questions = listAt(outcome, 'interrupts').filter(isJsonObject);
      const lines = questions.map(
        (question) => `? ${stringAt(question, 'message') ?? stringAt(question, 'reason')}`,
      );
      return { out: end, notes: lines.map((line) => `${this.#colors.yellow(printable(line))}\n`).join('') };
    }
    if (stringAt(outcome, 'type') === 'cancelled')
      return { out: end, notes: `${this.#colors.yellow('cancelled')}\n` };
    const { result } = event;
    // An agent that says nothing may still have a result.
    return this.#hasText || result === undefined
      ? { out: end }
      : { out: `${end}${JSON.stringify(result)}\n` };
  }
}

/** `error CODE: sentence (request …)` */
export function errorText(event: JsonObject, colors: Colors): string {
  const vendor = objectAt(objectAt(event, 'metadata'), 'agentcore-agui');
  const code = stringAt(event, 'code');
  const fault = stringAt(vendor, 'fault');
  const words = [code, fault === code ? undefined : fault].filter((word) => word !== undefined).join('/');
  const requestId = stringAt(vendor, 'requestId');
  const tail = requestId === undefined ? '' : ` (request ${requestId})`;
  return colors.red(printable(`error ${words}: ${stringAt(event, 'message') ?? ''}${tail}`));
}
