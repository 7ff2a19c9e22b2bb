/**
 * Guards the order of a run's events, one lookup an event: lawful ones pass, what can be mended is mended (a missing
 * start is put in, a doubled start or a stray end is left out), and everything open is closed before an ending. What
 * leaves here is accepted by the verifier of the official client. Source: AG-UI 1.0 event sequence rules.
 *
 * One guard belongs to one run. It does not decide how the run ends.
 */
import type { AgUiEvent, ContentEvent, ToolCallStart } from '../../protocol/events.ts';

export class EventOrder {
  readonly #texts = new Set<string>();
  readonly #reasonings = new Set<string>();
  readonly #spans = new Set<string>();
  readonly #calls = new Set<string>();
  readonly #steps = new Set<string>();
  #phase: 'new' | 'open' | 'over' = 'new';

  /** Appends to `out` what may be sent of `events`, in order. */
  admit(events: readonly AgUiEvent[], out: AgUiEvent[]): void {
    for (const event of events) {
      switch (event.type) {
        case 'RUN_STARTED':
          if (this.#phase === 'new') out.push(event);
          this.#phase = this.#phase === 'new' ? 'open' : this.#phase;
          break;
        case 'RUN_ERROR':
          if (this.#phase !== 'over') this.#end(event, out);
          break;
        case 'RUN_FINISHED':
          if (this.#phase === 'open') this.#end(event, out);
          break;
        default:
          if (this.#phase === 'open') this.#admitContent(event, out);
      }
    }
  }

  /** Ends of all that is open, innermost first; nothing is open afterwards. */
  closeAll(): readonly ContentEvent[] {
    const ends: ContentEvent[] = [];
    for (const messageId of this.#reasonings) ends.push({ type: 'REASONING_MESSAGE_END', messageId });
    for (const messageId of this.#spans) ends.push({ type: 'REASONING_END', messageId });
    for (const toolCallId of this.#calls) ends.push({ type: 'TOOL_CALL_END', toolCallId });
    for (const messageId of this.#texts) ends.push({ type: 'TEXT_MESSAGE_END', messageId });
    for (const stepName of this.#steps) ends.push({ type: 'STEP_FINISHED', stepName });
    for (const open of [this.#reasonings, this.#spans, this.#calls, this.#texts, this.#steps]) open.clear();
    return ends;
  }

  #end(event: AgUiEvent, out: AgUiEvent[]): void {
    for (const end of this.closeAll()) out.push(end);
    this.#phase = 'over';
    out.push(event);
  }

  #admitContent(event: ContentEvent, out: AgUiEvent[]): void {
    switch (event.type) {
      case 'TEXT_MESSAGE_CONTENT':
        if (event.delta === '') return;
        if (enter(this.#texts, event.messageId)) {
          out.push({ type: 'TEXT_MESSAGE_START', messageId: event.messageId, role: 'assistant' });
        }
        out.push(event);
        return;
      case 'TEXT_MESSAGE_START':
        if (enter(this.#texts, event.messageId)) out.push(event);
        return;
      case 'TEXT_MESSAGE_END':
        if (this.#texts.delete(event.messageId)) out.push(event);
        return;
      case 'STEP_STARTED':
        if (enter(this.#steps, event.stepName)) out.push(event);
        return;
      case 'STEP_FINISHED':
        if (this.#steps.delete(event.stepName)) out.push(event);
        return;
      case 'TOOL_CALL_START':
      case 'TOOL_CALL_ARGS':
      case 'TOOL_CALL_END':
      case 'TOOL_CALL_RESULT':
        this.#admitCall(event, out);
        return;
      case 'REASONING_START':
      case 'REASONING_MESSAGE_START':
      case 'REASONING_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_END':
      case 'REASONING_END':
        this.#admitReasoning(event, out);
        return;
      default:
        out.push(event);
    }
  }

  #admitCall(event: Extract<ContentEvent, { toolCallId: string }>, out: AgUiEvent[]): void {
    const { toolCallId } = event;
    switch (event.type) {
      case 'TOOL_CALL_START':
        if (enter(this.#calls, toolCallId)) out.push(event);
        return;
      case 'TOOL_CALL_ARGS':
        if (event.delta === '') return;
        if (enter(this.#calls, toolCallId)) out.push(unnamedCall(toolCallId));
        out.push(event);
        return;
      case 'TOOL_CALL_END':
        if (this.#calls.delete(toolCallId)) out.push(event);
        return;
      case 'TOOL_CALL_RESULT':
        // The official client lets a result pass at any time, but a result does not close its call.
        if (this.#calls.delete(toolCallId)) out.push({ type: 'TOOL_CALL_END', toolCallId });
        out.push(event);
    }
  }

  #admitReasoning(event: Extract<ContentEvent, { type: `REASONING_${string}` }>, out: AgUiEvent[]): void {
    const { messageId } = event;
    switch (event.type) {
      case 'REASONING_START':
        if (enter(this.#spans, messageId)) out.push(event);
        return;
      case 'REASONING_MESSAGE_START':
        if (enter(this.#reasonings, messageId)) out.push(event);
        return;
      case 'REASONING_MESSAGE_CONTENT':
        if (event.delta === '') return;
        if (enter(this.#reasonings, messageId)) {
          out.push({ type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' });
        }
        out.push(event);
        return;
      case 'REASONING_MESSAGE_END':
        if (this.#reasonings.delete(messageId)) out.push(event);
        return;
      case 'REASONING_END':
        if (this.#reasonings.delete(messageId)) out.push({ type: 'REASONING_MESSAGE_END', messageId });
        if (this.#spans.delete(messageId)) out.push(event);
    }
  }
}

/** True when it was not in the set before. */
function enter(open: Set<string>, id: string): boolean {
  if (open.has(id)) return false;
  open.add(id);
  return true;
}

/** A call whose arguments come before its name. */
function unnamedCall(toolCallId: string): ToolCallStart {
  return { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'tool' };
}
