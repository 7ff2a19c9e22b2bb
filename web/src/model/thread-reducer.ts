/** What can happen to a conversation, as one pure function. */
import { type JsonObject, type JsonValue, listAt, stringAt } from '../../../src/protocol/json.ts';
import { applyEvent, type Before } from './apply-event.ts';
import { textOf } from './artifact.ts';
import type { Failure } from './failure.ts';
import { findItem } from './items.ts';
import { patchState } from './shared-state.ts';
import { type ArtifactItem, type Asked, type Item, shownItems, type Thread, type Turn } from './thread.ts';

export type ThreadAction =
  | { readonly type: 'asked'; readonly runId: string; readonly asked: Asked; readonly at: number }
  | {
      readonly type: 'events';
      readonly runId: string;
      readonly events: readonly JsonObject[];
      readonly at: number;
    }
  | { readonly type: 'failed'; readonly runId: string; readonly failure: Failure; readonly at: number }
  /** The same run is asked for again, or looked for. */
  | { readonly type: 'reopened'; readonly runId: string }
  | { readonly type: 'cancelled'; readonly runId: string; readonly at: number };

const maxTitleLength = 60;

export function newThread(ids: { readonly id: string; readonly sessionId: string }, at: number): Thread {
  return { ...ids, title: '', createdAt: at, updatedAt: at, turns: [], state: {} };
}

export function reduceThread(thread: Thread, action: ThreadAction): Thread {
  switch (action.type) {
    case 'asked':
      return ask(thread, action.runId, action.asked, action.at);
    case 'events':
      return take(thread, action.runId, action.events, action.at);
    case 'failed':
      return changeTurn(thread, action.runId, (turn) =>
        turn.status.kind === 'running'
          ? settled(turn, { kind: 'failed', failure: action.failure }, action.at)
          : turn,
      );
    case 'reopened':
      return changeTurn(thread, action.runId, ({ endedAt: _endedAt, ...turn }) => ({
        ...turn,
        status: { kind: 'running' },
      }));
    case 'cancelled':
      return changeTurn(thread, action.runId, (turn) =>
        turn.status.kind === 'running' ? settled(turn, { kind: 'cancelled' }, action.at) : turn,
      );
  }
}

/** Ended by the page itself, as no event told it. */
function settled(turn: Turn, status: Turn['status'], at: number): Turn {
  const { earlier: _earlier, ...rest } = turn;
  return { ...rest, items: shownItems(turn), status, endedAt: at };
}

function ask(thread: Thread, runId: string, asked: Asked, at: number): Thread {
  const turn: Turn = { runId, startedAt: at, asked, items: [], status: { kind: 'running' }, usage: [] };
  const title = thread.title === '' && asked.kind === 'message' ? titleOf(asked.text) : thread.title;
  return { ...thread, title, updatedAt: at, turns: [...thread.turns, turn] };
}

function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length <= maxTitleLength ? line : `${line.slice(0, maxTitleLength - 1).trimEnd()}…`;
}

function take(thread: Thread, runId: string, events: readonly JsonObject[], at: number): Thread {
  const before = beforeOf(thread, runId);
  const changed = changeTurn(thread, runId, (turn) => {
    const folded = events.reduce((each, event) => applyEvent(each, event, before), turn);
    const hasEnded = turn.status.kind === 'running' && folded.status.kind !== 'running';
    return hasEnded ? { ...folded, endedAt: at } : folded;
  });
  const state = events.reduce(nextState, thread.state);
  return { ...changed, state, updatedAt: at };
}

function nextState(state: JsonValue, event: JsonObject): JsonValue {
  switch (stringAt(event, 'type')) {
    case 'STATE_SNAPSHOT':
      return event['snapshot'] ?? null;
    case 'STATE_DELTA':
      return patchState(state, listAt(event, 'delta'));
    default:
      return state;
  }
}

function changeTurn(thread: Thread, runId: string, change: (turn: Turn) => Turn): Thread {
  const index = thread.turns.findLastIndex((turn) => turn.runId === runId);
  const turn = thread.turns[index];
  return turn === undefined ? thread : { ...thread, turns: thread.turns.with(index, change(turn)) };
}

/** Computed when it is asked for, which is seldom: few events refer to earlier turns. */
function beforeOf(thread: Thread, runId: string): Before {
  const earlier = thread.turns.filter((turn) => turn.runId !== runId);
  const newest = <Found>(find: (items: readonly Item[]) => Found | undefined): Found | undefined =>
    earlier
      .toReversed()
      .map(({ items }) => find(items))
      .find((found) => found !== undefined);
  return {
    isKnown: (id) =>
      earlier.some(({ asked, items }) => isOf(asked, id) || items.some((item) => item.id === id)),
    artifactText: (id, name) => textOf(newest((items) => findArtifact(items, id, name))),
    call: (id) => newest((items) => findItem(items, 'tool', id)),
  };
}

function findArtifact(items: readonly Item[], id: string, name: string): ArtifactItem | undefined {
  return items
    .filter((item) => item.kind === 'artifact')
    .findLast((item) => item.id === id || item.name === name);
}

function isOf(asked: Asked, messageId: string): boolean {
  return asked.kind === 'message' && asked.messageId === messageId;
}
