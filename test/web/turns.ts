/** Threads and events for the tests of the page's logic. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/protocol/json.ts';
import type { Item, Thread, Turn } from '../../web/src/model/thread.ts';
import { newThread, reduceThread } from '../../web/src/model/thread-reducer.ts';

export const at = 1_000;

export function threadWith(text = 'Hello', runId = 'run-1'): Thread {
  const thread = newThread({ id: 'thread', sessionId: 'session' }, at);
  return asked(thread, text, runId);
}

export function asked(thread: Thread, text: string, runId: string): Thread {
  const question = { kind: 'message', messageId: `of-${runId}`, text } as const;
  return reduceThread(thread, { type: 'asked', runId, asked: question, at });
}

export function receive(thread: Thread, events: readonly JsonObject[], runId = 'run-1'): Thread {
  return reduceThread(thread, { type: 'events', runId, events, at: at + 1 });
}

export function started(runId = 'run-1'): JsonObject {
  return { type: 'RUN_STARTED', threadId: 'thread', runId };
}

export function finished(outcome: JsonObject = { type: 'success' }): JsonObject {
  return { type: 'RUN_FINISHED', threadId: 'thread', runId: 'run-1', outcome };
}

export function said(messageId: string, ...deltas: readonly string[]): readonly JsonObject[] {
  return [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
    ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })),
    { type: 'TEXT_MESSAGE_END', messageId },
  ];
}

export function pipeline(eventType: string, more: JsonObject): JsonObject {
  const value = { eventType, eventId: `${eventType}-1`, pipelineRunId: 'p', ...more };
  return { type: 'CUSTOM', name: 'iac-code.pipeline.v1', value };
}

export function golden(name: string): readonly JsonObject[] {
  const file = join(import.meta.dirname, '../golden', name, 'events.jsonl');
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JsonObject);
}

export function turnOf(thread: Thread): Turn {
  const turn = thread.turns.at(-1);
  if (turn === undefined) throw new Error('no turn');
  return turn;
}

export function itemsOf<Kind extends Item['kind']>(
  thread: Thread,
  kind: Kind,
): Extract<Item, { kind: Kind }>[] {
  return turnOf(thread).items.filter((item): item is Extract<Item, { kind: Kind }> => item.kind === kind);
}
