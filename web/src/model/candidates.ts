/** The plans that a pipeline works out side by side, as one item that each of its events changes. */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  stringAt,
} from '../../../src/protocol/json.ts';
import { upsertItem } from './items.ts';
import type { Candidate, CostItem, Item } from './thread.ts';

const states: Readonly<Record<string, Candidate['state']>> = {
  candidate_started: 'running',
  candidate_restart_requested: 'running',
  candidate_completed: 'done',
  candidate_failed: 'failed',
  candidate_interrupted: 'failed',
  candidate_selected: 'selected',
};

export function isCandidateEvent(eventType: string, envelope: JsonObject): boolean {
  const isAbout =
    eventType in states || eventType === 'candidate_detail_shown' || eventType === 'diagram_shown';
  return isAbout && candidateIdOf(envelope) !== undefined;
}

export function changeCandidate(items: readonly Item[], envelope: JsonObject): readonly Item[] {
  const id = candidateIdOf(envelope);
  if (id === undefined) return items;
  const group = stringAt(envelope, 'pipelineRunId') ?? 'candidates';
  const fresh = { kind: 'candidates', id: group, candidates: [] } as const;
  return upsertItem(items, 'candidates', fresh, (item) => {
    const known = item.candidates.find((each) => each.id === id);
    const changed = change(known ?? newCandidate(id, envelope), envelope);
    const others = item.candidates.filter((each) => each.id !== id);
    return { ...item, candidates: [...others, changed].sort((a, b) => a.index - b.index) };
  });
}

function candidateIdOf(envelope: JsonObject): string | undefined {
  const index = objectAt(envelope, 'data')?.['candidateIndex'];
  return (
    stringAt(objectAt(envelope, 'candidate'), 'id') ?? (typeof index === 'number' ? `sp${index}` : undefined)
  );
}

function newCandidate(id: string, envelope: JsonObject): Candidate {
  const index = objectAt(envelope, 'candidate')?.['index'] ?? objectAt(envelope, 'data')?.['candidateIndex'];
  return { id, index: typeof index === 'number' ? index : 0, name: id, state: 'running', costItems: [] };
}

function change(candidate: Candidate, envelope: JsonObject): Candidate {
  const data = objectAt(envelope, 'data') ?? {};
  const detail = objectAt(data, 'detail') ?? data;
  const name =
    stringAt(objectAt(envelope, 'candidate'), 'name') ??
    stringAt(data, 'candidateName') ??
    stringAt(detail, 'candidateName');
  const summary = stringAt(detail, 'summary');
  const cost = costText(detail['totalMonthlyCost']);
  const diagram = stringAt(data, 'mermaidSource');
  const costItems = readCostItems(detail);
  return {
    ...candidate,
    name: name ?? candidate.name,
    state: states[stringAt(envelope, 'eventType') ?? ''] ?? candidate.state,
    ...(summary === undefined ? {} : { summary }),
    ...(cost === undefined ? {} : { cost }),
    ...(diagram === undefined ? {} : { diagram }),
    costItems: costItems.length === 0 ? candidate.costItems : costItems,
  };
}

/** From an event's details or an option of a question; both spellings of the kernel. */
export function readCostItems(value: JsonObject): readonly CostItem[] {
  return [...listAt(value, 'costItems'), ...listAt(value, 'cost_items')].filter(isJsonObject).map((each) => {
    const spec = stringAt(each, 'spec');
    const monthly = costText(each['monthlyCost'] ?? each['monthly_cost']);
    return {
      name: stringAt(each, 'name') ?? '',
      ...(spec === undefined ? {} : { spec }),
      ...(monthly === undefined ? {} : { monthly }),
    };
  });
}

export function costText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
