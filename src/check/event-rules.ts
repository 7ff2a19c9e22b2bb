/**
 * A stream of events before AG-UI's own judges: the official schemas for each event, the official verifier for their
 * order. Both are the packages that clients run, so what they refuse, clients refuse.
 */
import { transformChunks, verifyEvents } from '@ag-ui/client';
import { type BaseEvent, EventType } from '@ag-ui/core';
import { EventSchemas } from '@ag-ui/core/schemas';
import { from, lastValueFrom, toArray } from 'rxjs';
import type { TypedEvent } from './exchange.ts';

const knownTypes: ReadonlySet<string> = new Set(Object.values(EventType));

export function isKnown({ type }: TypedEvent): boolean {
  return knownTypes.has(type);
}

export interface Breach {
  readonly why: string;
  readonly event: TypedEvent;
}

/** The first event of a known type that the schema refuses. */
export function schemaBreach(events: readonly TypedEvent[]): Breach | undefined {
  for (const event of events.filter(isKnown)) {
    const { success, error } = EventSchemas.safeParse(event);
    if (success) continue;
    const [issue] = error.issues;
    const at = issue?.path.join('.') ?? '';
    return { why: `${event.type}${at === '' ? '' : `.${at}`}: ${issue?.message ?? 'refused'}`, event };
  }
  return undefined;
}

/**
 * What the verifier says against the order of lawful events; undefined when it takes them all. Events that the schema
 * refuses are left to `schemaBreach`.
 */
export async function orderBreach(events: readonly TypedEvent[]): Promise<string | undefined> {
  const lawful = events.filter((event) => isKnown(event) && EventSchemas.safeParse(event).success);
  // What the schema has let through is an event of the protocol.
  const stream = from(lawful as readonly unknown[] as readonly BaseEvent[]);
  try {
    await lastValueFrom(stream.pipe(transformChunks(false), verifyEvents(false), toArray()));
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : 'the verifier refused the stream';
  }
}
