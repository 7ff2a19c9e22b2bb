/** The form of one entry of the manifest. */
export const doors = ['iac-code', 'agentcore', 'ws'] as const;
export type Door = (typeof doors)[number];

export interface Requirement {
  readonly source: string;
  readonly sentence: string;
  readonly doors: readonly Door[];
}

export type Row = readonly [doors: readonly Door[], sentence: string];

export const iacCode: readonly Door[] = ['iac-code'];
export const agentCore: readonly Door[] = ['agentcore'];
export const ws: readonly Door[] = ['ws'];
/** Both doors that answer by SSE. */
export const sse: readonly Door[] = ['iac-code', 'agentcore'];
/** The platform's container contract, by POST and by WebSocket. */
export const container: readonly Door[] = ['agentcore', 'ws'];
export const everyDoor: readonly Door[] = doors;

/** Entries that stand in one section of a contract. */
export function section<Id extends string>(
  source: string,
  rows: Readonly<Record<Id, Row>>,
): Readonly<Record<Id, Requirement>> {
  const entries = Object.entries<Row>(rows).map(([id, [on, sentence]]) => [
    id,
    { source, sentence, doors: on },
  ]);
  return Object.fromEntries(entries) as Record<Id, Requirement>;
}
