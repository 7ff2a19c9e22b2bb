/**
 * One A2A frame → AG-UI events and facts. Pure in what counts: from the same memory the same frames give the same events;
 * no clock, no chance, nothing read. The memory is changed in place and handed back (see `memory.ts`).
 *
 * Inside a frame: pipeline events, reasoning, tool, AG-UI's own, usage, artifact, then text. The kernel's words for its own failure
 * are not shown: they may be an exception, and the run's ending says that it failed.
 */
import type { ContentEvent } from '../protocol/events.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  stringAt,
} from '../protocol/json.ts';
import { showAguiWords } from './agui-words.ts';
import { showArtifactsOf, showArtifactUpdate } from './artifacts.ts';
import { type Frame, type FrameFacts, factsOf, isFromAgent, readFrame } from './facts.ts';
import { catchUp } from './history.ts';
import { think } from './lane.ts';
import type { Memory } from './memory.ts';
import { showEnvelope } from './pipeline/envelope.ts';
import { hear } from './speech.ts';
import { showTool } from './tools.ts';
import { countUsage } from './usage.ts';

export type { FrameFacts, KernelInput } from './facts.ts';

export interface Translated {
  readonly memory: Memory;
  readonly events: readonly ContentEvent[];
  readonly facts: FrameFacts;
}

export function translateFrame(memory: Memory, item: JsonObject): Translated {
  const frame = readFrame(item);
  const facts = factsOf(frame, memory.profile, memory.lastFacts);
  memory.lastFacts = facts;
  const events: ContentEvent[] = [];
  if (facts.state === 'TASK_STATE_FAILED' || facts.state === 'TASK_STATE_REJECTED') memory.hasFailed = true;
  if (frame.extension !== undefined) showExtension(memory, frame, frame.extension, events);
  if (frame.kind === 'artifact') showArtifactUpdate(memory, frame.body, events);
  if (frame.kind === 'task') showArtifactsOf(memory, frame.body, events);
  if (!memory.hasFailed && facts.state !== 'TASK_STATE_CANCELED') showWords(memory, frame, events);
  return { memory, events, facts };
}

function showExtension(memory: Memory, { kind }: Frame, extension: JsonObject, out: ContentEvent[]): void {
  // A snapshot repeats the newest envelope; what was missed comes from the journal.
  if (kind !== 'task') {
    for (const each of listAt(objectAt(extension, 'pipelineBatch'), 'events')) {
      if (isJsonObject(each)) showEnvelope(memory, each, false, out);
    }
    const envelope = objectAt(extension, 'pipeline');
    if (envelope !== undefined) showEnvelope(memory, envelope, false, out);
  }
  const thinking = objectAt(extension, 'thinking');
  if (thinking?.type === 'raw_thinking' && kind !== 'task') {
    const text = stringAt(thinking, 'text') ?? '';
    if (text !== '') think(memory.speech.lane, text, memory, out);
  }
  const tool = objectAt(extension, 'tool');
  if (tool !== undefined && (kind !== 'task' || tool.status !== 'progress'))
    showTool(memory, tool, memory.speech.lane, out);
  const agui = objectAt(extension, 'agui');
  if (agui !== undefined && kind !== 'task') showAguiWords(memory, agui, out);
  const usage = objectAt(extension, 'usage');
  if (usage !== undefined) countUsage(memory, usage, kind === 'task');
}

function showWords(memory: Memory, { kind, body, extension, message }: Frame, out: ContentEvent[]): void {
  if (kind === 'task') {
    catchUp(memory, body, out);
  } else if (message !== undefined && extension?.mcpWarning === undefined) {
    // A warning of the kernel about its own tools rides under the answer's id and is no part of the answer.
    hear(memory, message, objectAt(extension, 'assistantFinal')?.complete === true, out);
    if (memory.profile === 'a2a') showOtherParts(message, out);
  }
}

/** Data and files in the words of a plain agent: no AG-UI event says them, and they must not vanish. */
function showOtherParts(message: JsonObject, out: ContentEvent[]): void {
  if (!isFromAgent(message)) return;
  const parts = listAt(message, 'parts').filter(
    (part: JsonValue) =>
      isJsonObject(part) && (part.data !== undefined || part.raw !== undefined || part.url !== undefined),
  );
  if (parts.length === 0) return;
  const messageId = stringAt(message, 'messageId');
  out.push({
    type: 'CUSTOM',
    name: 'agentcore-agui.parts.v1',
    value: { schemaVersion: 1, ...(messageId === undefined ? {} : { messageId }), parts },
  });
}
