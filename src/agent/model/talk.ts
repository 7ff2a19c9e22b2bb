/**
 * The conversation with a model as messages of the SDK, with the calls that still want a result. It goes to the thread's
 * memory as JSON, is whole at every moment (no call without a result reaches a provider) and never grows without bound:
 * the oldest turns are forgotten first. No key, header or option of a request is in it.
 */
import {
  type AssistantModelMessage,
  type ModelMessage,
  modelMessageSchema,
  type ToolModelMessage,
  type ToolResultPart,
} from 'ai';
import { isJsonObject, type JsonObject, listAt, stringAt } from '../../protocol/json.ts';
import type { ToolOutcome, TurnImage } from '../author.ts';
import type { ClientResult } from '../client-results.ts';

export type ResponseMessage = AssistantModelMessage | ToolModelMessage;

export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  /** A tool of the client, which carries it out after the run. */
  readonly isClients?: boolean;
  /** Under which id the client was shown it, once it was. */
  readonly shownId?: string;
}

const maxMessages = 200;
const maxCharacters = 400_000;
/** Characters of one tool's result that a model gets to see. */
const maxResult = 32_768;

export class Talk {
  readonly #messages: ModelMessage[];
  #open: OpenCall[];
  #results: ToolResultPart[];

  private constructor(messages: ModelMessage[], open: OpenCall[], results: ToolResultPart[]) {
    this.#messages = messages;
    this.#open = open;
    this.#results = results;
  }

  /** What cannot be read begins anew. */
  static from(document: JsonObject | undefined): Talk {
    const kept = objectsOf(document, 'messages').map((each) => modelMessageSchema.safeParse(each));
    const results = modelMessageSchema.safeParse({ role: 'tool', content: listAt(document, 'results') });
    const messages = kept.flatMap(({ data }) => (data === undefined ? [] : [data]));
    if (messages.length < kept.length || !results.success || results.data.role !== 'tool')
      return new Talk([], [], []);
    const open = objectsOf(document, 'open').map((call) => ({
      id: stringAt(call, 'id') ?? '',
      name: stringAt(call, 'name') ?? '',
      input: isJsonObject(call.input) ? call.input : {},
      ...(call.isClients === true ? { isClients: true } : {}),
      ...(typeof call.shownId === 'string' ? { shownId: call.shownId } : {}),
    }));
    return new Talk(
      messages,
      open,
      results.data.content.filter((part) => part.type === 'tool-result'),
    );
  }

  toJson(): JsonObject {
    // Messages of the SDK are JSON: they came over the wire, and what is not (undefined members) is left out here.
    return JSON.parse(
      JSON.stringify({
        messages: this.#messages.map(withoutImages),
        open: this.#open,
        results: this.#results,
      }),
    ) as JsonObject;
  }

  get messages(): ModelMessage[] {
    return [...this.#messages];
  }

  /** The next call that is the agent's to carry out. */
  get nextCall(): OpenCall | undefined {
    return this.#open.find(({ isClients }) => isClients !== true);
  }

  /** Calls that are the client's to carry out, in the model's order. */
  get clientCalls(): readonly OpenCall[] {
    return this.#open.filter(({ isClients }) => isClients === true);
  }

  /** The model has something to answer: words or results that it has not spoken to. */
  get isUnanswered(): boolean {
    const last = this.#messages.at(-1);
    return this.#open.length === 0 && (last?.role === 'user' || last?.role === 'tool');
  }

  /** The newest turn alone is longer than what is kept: results of a client's tools could make it grow for ever. */
  get isOverlong(): boolean {
    return this.#messages.length > maxMessages;
  }

  /** The client was shown this call under `shownId`. */
  noteShown(call: OpenCall, shownId: string): void {
    this.#open = this.#open.map((each) => (each === call ? { ...each, shownId } : each));
  }

  /** Results of calls that wait; all others are passed by. Answers how many were taken. */
  takeResults(results: readonly ClientResult[]): number {
    let taken = 0;
    for (const call of this.clientCalls) {
      const result = results.findLast(({ toolCallId }) => toolCallId === call.shownId);
      if (result === undefined) continue;
      taken += 1;
      this.#settleCall(call, result.text, result.error);
    }
    return taken;
  }

  /** The model has the last word: there is nothing that it would go on with. */
  get isAnswered(): boolean {
    return this.#open.length === 0 && this.#messages.at(-1)?.role === 'assistant';
  }

  /** A new turn. A question that was walked away from is answered first, in the user's stead. */
  ask(text: string, images: readonly TurnImage[] = []): void {
    this.closeCalls('the user went on without answering');
    this.#messages.push({ role: 'user', content: text });
    this.#bound();
    if (images.length === 0) return;
    const files = images.map(({ mediaType, base64 }) => ({ type: 'file' as const, mediaType, data: base64 }));
    const words = text === '' ? [] : [{ type: 'text' as const, text }];
    this.#messages.splice(-1, 1, { role: 'user', content: [...words, ...files] });
  }

  /** What the model said, with calls that the SDK answered itself because they could not be read. */
  answer(messages: readonly ResponseMessage[], clientTools: ReadonlySet<string> = new Set()): void {
    const calls: OpenCall[] = [];
    for (const message of messages) {
      if (message.role === 'tool') {
        this.#results.push(...message.content.filter((part) => part.type === 'tool-result'));
        continue;
      }
      this.#messages.push(message);
      for (const part of typeof message.content === 'string' ? [] : message.content) {
        if (part.type !== 'tool-call') continue;
        const input = isJsonObject(part.input) ? part.input : {};
        const isClients = clientTools.has(part.toolName) ? { isClients: true } : {};
        calls.push({ id: part.toolCallId, name: part.toolName, input, ...isClients });
      }
    }
    const answered = new Set(this.#results.map(({ toolCallId }) => toolCallId));
    this.#open = calls.filter(({ id }) => !answered.has(id));
    this.#settle();
  }

  /** Messages of an agent that carries out its calls itself. */
  append(messages: readonly ResponseMessage[]): void {
    this.#messages.push(...messages);
  }

  /** The result of the next call. */
  resolve(outcome: ToolOutcome): void {
    const call = this.nextCall;
    if (call === undefined) return;
    if (outcome.ok) this.#settleCall(call, JSON.stringify(outcome.result));
    else this.#settleCall(call, '', outcome.problem);
  }

  closeCalls(problem: string): void {
    for (const call of [...this.#open]) this.#settleCall(call, '', problem);
  }

  #settleCall(call: OpenCall, result: string, problem?: string): void {
    this.#open = this.#open.filter((each) => each !== call);
    const text = problem ?? result;
    const value =
      text.length > maxResult ? `${text.slice(0, maxResult)} … (${text.length} characters, cut here)` : text;
    const output = { type: problem === undefined ? ('text' as const) : ('error-text' as const), value };
    this.#results.push({ type: 'tool-result', toolCallId: call.id, toolName: call.name, output });
    this.#settle();
  }

  /** Everything, also what the newest turn has read: with it the next one would be too long again. */
  forget(): void {
    this.#messages.length = 0;
    this.#open = [];
    this.#results = [];
  }

  #settle(): void {
    if (this.#open.length > 0 || this.#results.length === 0) return;
    this.#messages.push({ role: 'tool', content: this.#results });
    this.#results = [];
  }

  /** Whole turns go, from the oldest; the newest stays whatever its size. */
  #bound(): void {
    const sizes = this.#messages.map((message) => JSON.stringify(message).length);
    let characters = sizes.reduce((sum, size) => sum + size, 0);
    let start = 0;
    while (this.#messages.length - start > maxMessages || characters > maxCharacters) {
      const next = this.#messages.findIndex(({ role }, index) => index > start && role === 'user');
      if (next < 0) break;
      characters -= sizes.slice(start, next).reduce((sum, size) => sum + size, 0);
      start = next;
    }
    this.#messages.splice(0, start);
  }
}

/** Pictures are for the turn that they came with: what is kept stays small. */
function withoutImages(message: ModelMessage): ModelMessage {
  if (message.role !== 'user' || typeof message.content === 'string') return message;
  const words = message.content.map((part) => (part.type === 'text' ? part.text : '(an image)'));
  return { role: 'user', content: words.join('\n') };
}

function objectsOf(document: JsonObject | undefined, name: string): readonly JsonObject[] {
  return listAt(document, name).filter(isJsonObject);
}
