/** The raw events of a run for developers: bounded, filtered by words, written as JSON lines. */
import { type JsonObject, stringAt } from '../../../src/protocol/json.ts';

export interface LoggedEvent {
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly event: JsonObject;
}

export interface EventLog {
  readonly entries: readonly LoggedEvent[];
  /** How many there were, those that were let go included. */
  readonly total: number;
}

export const emptyLog: EventLog = { entries: [], total: 0 };
/** The newest events that are kept. */
export const maxEntries = 20_000;

export function addEvents(log: EventLog, events: readonly JsonObject[], at: number): EventLog {
  const fresh = events.map((event, index) => ({ number: log.total + index + 1, at, event }));
  return { entries: [...log.entries, ...fresh].slice(-maxEntries), total: log.total + events.length };
}

/** Each word must stand in the type or anywhere in the JSON. */
export function filterEvents(entries: readonly LoggedEvent[], words: string): readonly LoggedEvent[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return entries;
  return entries.filter(({ event }) => {
    const text = JSON.stringify(event).toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

export function toJsonLines(entries: readonly LoggedEvent[]): string {
  return entries.map(({ event }) => `${JSON.stringify(event)}\n`).join('');
}

export function typeOf({ event }: LoggedEvent): string {
  const name = stringAt(event, 'name');
  const type = stringAt(event, 'type') ?? '';
  return name === undefined ? type : `${type} ${name}`;
}
