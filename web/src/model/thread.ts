/**
 * What the page knows of a conversation, as plain data that IndexedDB keeps: turns, and in each turn what the agent
 * showed, in order. Only `applyEvent` and `reduceThread` make new states of it.
 */
import type { Interrupt, ResumeEntry } from '../../../src/protocol/interrupt.ts';
import type { JsonObject, JsonValue } from '../../../src/protocol/json.ts';
import { asksAgain, type Failure } from './failure.ts';

export interface Thread {
  readonly id: string;
  /** The AgentCore session of this conversation. */
  readonly sessionId: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly turns: readonly Turn[];
  /** AG-UI's shared state, as the agent left it. */
  readonly state: JsonValue;
}

/** One run, with what started it. */
export interface Turn {
  readonly runId: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly asked: Asked;
  readonly items: readonly Item[];
  /** While the run is told again from its start: what had been shown of it before. */
  readonly earlier?: readonly Item[];
  readonly status: TurnStatus;
  readonly usage: readonly JsonObject[];
}

export type Asked =
  | { readonly kind: 'message'; readonly messageId: string; readonly text: string }
  | { readonly kind: 'answers'; readonly entries: readonly ResumeEntry[] };

export type TurnStatus =
  | { readonly kind: 'running' }
  | { readonly kind: 'success' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'interrupted'; readonly interrupts: readonly Interrupt[] }
  | { readonly kind: 'failed'; readonly failure: Failure };

export type Item =
  | TextItem
  | ReasoningItem
  | ToolItem
  | StepItem
  | CandidatesItem
  | StackItem
  | ArtifactItem
  | ActivityItem
  | NoticeItem;

export interface TextItem {
  readonly kind: 'text';
  readonly id: string;
  readonly role: string;
  readonly text: string;
  readonly isOpen: boolean;
}

export interface ReasoningItem {
  readonly kind: 'reasoning';
  readonly id: string;
  readonly text: string;
  readonly isOpen: boolean;
}

export interface ToolItem {
  readonly kind: 'tool';
  readonly id: string;
  readonly name: string;
  /** JSON, as far as it has come. */
  readonly args: string;
  readonly isOpen: boolean;
  readonly progress?: Progress;
  readonly result?: string;
  readonly isError?: boolean;
}

export interface Progress {
  /** 0 to 1; absent when the agent did not say how much there is. */
  readonly part?: number;
  readonly message?: string;
}

export interface StepItem {
  readonly kind: 'step';
  readonly id: string;
  readonly name: string;
  readonly state: 'running' | 'done' | 'failed';
}

export interface Candidate {
  readonly id: string;
  readonly index: number;
  readonly name: string;
  readonly state: 'running' | 'done' | 'failed' | 'selected';
  readonly summary?: string;
  readonly cost?: string;
  readonly costItems: readonly CostItem[];
  readonly diagram?: string;
}

export interface CostItem {
  readonly name: string;
  readonly spec?: string;
  readonly monthly?: string;
}

export interface CandidatesItem {
  readonly kind: 'candidates';
  readonly id: string;
  readonly candidates: readonly Candidate[];
}

export interface StackItem {
  readonly kind: 'stack';
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** 0 to 1. */
  readonly part?: number;
  readonly resources: readonly { readonly name: string; readonly type: string; readonly status: string }[];
}

export interface ArtifactItem {
  readonly kind: 'artifact';
  readonly id: string;
  readonly name: string;
  readonly parts: readonly ArtifactPart[];
  /** The content that this one took the place of, to show what changed. */
  readonly previous?: string;
}

export interface ArtifactPart {
  readonly mediaType: string;
  readonly filename?: string;
  readonly text?: string;
  /** Base64. */
  readonly raw?: string;
  readonly url?: string;
}

export interface ActivityItem {
  readonly kind: 'activity';
  readonly id: string;
  readonly activityType: string;
  readonly content: JsonObject;
}

export interface NoticeItem {
  readonly kind: 'notice';
  readonly id: string;
  readonly eventType: string;
  readonly tone: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** What was told anew in the place of what it tells again, and nothing that had been shown goes away. */
export function shownItems({ items, earlier }: Pick<Turn, 'items' | 'earlier'>): readonly Item[] {
  if (earlier === undefined) return items;
  const fresh = new Map(items.map((item) => [`${item.kind} ${item.id}`, item]));
  const known = earlier.map((item) => {
    const key = `${item.kind} ${item.id}`;
    const again = fresh.get(key);
    fresh.delete(key);
    return again === undefined ? item : retold(item, again);
  });
  return [...known, ...fresh.values()];
}

/**
 * A text told again begins as the one that was shown, and grows. A server that was restarted may only know how it went
 * on: then the two belong together.
 */
function retold(shown: Item, again: Item): Item {
  if (!('text' in shown && 'text' in again) || again.text.startsWith(shown.text)) return again;
  const text = shown.text.startsWith(again.text) ? shown.text : shown.text + again.text;
  return { ...again, text };
}

export function lastTurn(thread: Thread): Turn | undefined {
  return thread.turns.at(-1);
}

const nothing: readonly Interrupt[] = [];

/**
 * The questions that wait for answers: those of the newest turn, as a later turn has answered or outlived the others; or
 * those before it, when its answers were not taken.
 */
export function openInterrupts({ turns }: Thread): readonly Interrupt[] {
  const status = turns.at(-1)?.status;
  if (status?.kind === 'interrupted') return status.interrupts;
  const before = turns.at(-2)?.status;
  const isAskedAgain = status?.kind === 'failed' && asksAgain(status.failure);
  return isAskedAgain && before?.kind === 'interrupted' ? before.interrupts : nothing;
}
