/**
 * The custom events of iac-code's kernel → candidates, stacks, artifacts, tool progress and notes. Events of a pipeline
 * may come twice; each change here is the same when made twice. Names of other vendors are left to the inspector.
 */
import { isJsonObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/protocol/json.ts';
import type { Before } from './apply-event.ts';
import { showArtifact } from './artifact.ts';
import { changeCandidate, isCandidateEvent } from './candidates.ts';
import { changeItem, upsertItem } from './items.ts';
import type { Item, NoticeItem, Progress } from './thread.ts';

export function applyCustom(items: readonly Item[], event: JsonObject, before: Before): readonly Item[] {
  const value = objectAt(event, 'value');
  if (value === undefined) return items;
  switch (event['name']) {
    case 'iac-code.artifact.v1':
      return showArtifact(items, value, before);
    case 'iac-code.tool-progress.v1':
      return showProgress(items, stringAt(value, 'toolUseId') ?? '', objectAt(value, 'mcp') ?? value);
    case 'iac-code.pipeline.v1':
      return applyPipeline(items, value);
    default:
      return items;
  }
}

/** A resumed pipeline tells where it stands: steps that were open are opened by events, candidates are listed here. */
export function applyPipelineSnapshot(items: readonly Item[], content: JsonObject): readonly Item[] {
  const snapshot = objectAt(content, 'snapshot');
  return listAt(snapshot, 'candidates')
    .filter(isJsonObject)
    .reduce<readonly Item[]>((all, candidate) => {
      const eventType = `candidate_${stringAt(candidate, 'status') ?? 'started'}`;
      return changeCandidate(all, { ...content, candidate, eventType, data: candidate });
    }, items);
}

function applyPipeline(items: readonly Item[], envelope: JsonObject): readonly Item[] {
  const eventType = stringAt(envelope, 'eventType') ?? '';
  const data = objectAt(envelope, 'data') ?? {};
  if (isCandidateEvent(eventType, envelope)) return changeCandidate(items, envelope);
  switch (eventType) {
    case 'stack_progress':
    case 'stack_instances_progress':
    case 'stack_current_changed':
      return showStack(items, data);
    case 'tool_progress':
      return showProgress(items, stringAt(data, 'toolUseId') ?? '', objectAt(data, 'mcp') ?? data);
    case 'step_failed':
    case 'sub_step_failed':
      return showNotice(failStep(items, envelope), envelope, eventType, data);
    default:
      return noticeTones[eventType] === undefined ? items : showNotice(items, envelope, eventType, data);
  }
}

const noticeTones: Readonly<Record<string, NoticeItem['tone']>> = {
  pipeline_resumed: 'info',
  pipeline_completed: 'info',
  pipeline_error: 'error',
  pipeline_warning: 'warning',
  backup_blocked: 'warning',
  step_failed: 'error',
  sub_step_failed: 'error',
  cleanup_started: 'info',
  cleanup_progress: 'info',
  cleanup_completed: 'info',
  cleanup_failed: 'error',
  rollback_triggered: 'warning',
  rollback_completed: 'info',
  context_compacted: 'info',
  context_compaction_failed: 'warning',
  diagram_shown: 'info',
  mcp_status: 'info',
};

function showNotice(
  items: readonly Item[],
  envelope: JsonObject,
  eventType: string,
  data: JsonObject,
): readonly Item[] {
  const id = stringAt(envelope, 'eventId') ?? `${eventType}-${String(envelope['sequence'] ?? items.length)}`;
  const fresh: NoticeItem = {
    kind: 'notice',
    id,
    eventType,
    tone: noticeTones[eventType] ?? 'info',
    text: firstText(data, [
      'message',
      'reason',
      'error',
      'lastError',
      'resourceName',
      'summary',
      'mermaidSource',
    ]),
  };
  return upsertItem(items, 'notice', fresh, () => fresh);
}

function failStep(items: readonly Item[], envelope: JsonObject): readonly Item[] {
  const name = stringAt(objectAt(envelope, 'step'), 'id') ?? '';
  const step = items.findLast((item) => item.kind === 'step' && item.name === name);
  return step === undefined
    ? items
    : changeItem(items, 'step', step.id, (item) => ({ ...item, state: 'failed' }));
}

function showStack(items: readonly Item[], data: JsonObject): readonly Item[] {
  const id = stringAt(data, 'stackId') ?? stringAt(data, 'stackName') ?? '';
  const percent = numberOf(data['progressPercentage']);
  const resources = listAt(data, 'resources').filter(isJsonObject);
  const fresh = { kind: 'stack', id, name: id, status: '', resources: [] } as const;
  return upsertItem(items, 'stack', fresh, (item) => ({
    ...item,
    name: stringAt(data, 'stackName') ?? item.name,
    status: stringAt(data, 'status') ?? stringAt(data, 'stackStatus') ?? item.status,
    ...(percent === undefined ? {} : { part: Math.min(1, Math.max(0, percent / 100)) }),
    resources:
      resources.length === 0
        ? item.resources
        : resources.map((each) => ({
            name: stringAt(each, 'name') ?? '',
            type: stringAt(each, 'type') ?? '',
            status: stringAt(each, 'status') ?? '',
          })),
  }));
}

function showProgress(items: readonly Item[], id: string, said: JsonObject): readonly Item[] {
  const done = numberOf(said['progress']);
  const total = numberOf(said['total']);
  const message = stringAt(said, 'message');
  const progress: Progress = {
    ...(done === undefined || total === undefined || total <= 0 ? {} : { part: Math.min(1, done / total) }),
    ...(message === undefined ? {} : { message }),
  };
  return changeItem(items, 'tool', id, (item) => ({ ...item, progress }));
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function firstText(data: JsonObject, names: readonly string[]): string {
  for (const name of names) {
    const text = stringAt(data, name);
    if (text !== undefined && text !== '') return text;
  }
  return '';
}
