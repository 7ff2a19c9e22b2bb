/**
 * Pipeline steps as AG-UI steps. A step is open in the business sense from its start to its end, over any number of runs;
 * on one run's stream it is opened and closed in balance.
 */
import type { ContentEvent } from '../../protocol/events.ts';
import { type JsonObject, objectAt, stringAt } from '../../protocol/json.ts';
import type { PipelineMemory } from '../memory.ts';
import { stepNameOf } from './step-name.ts';

const opening = new Set(['step_started', 'candidate_step_started', 'input_received']);
const closing = new Set([
  'step_completed',
  'step_failed',
  'candidate_step_completed',
  'candidate_step_failed',
]);

export function endsStep(eventType: string): boolean {
  return closing.has(eventType);
}

/** `step:<id>`, or `candidate:<candidate>:<id>`: candidates work on steps of the same names at the same time. */
function stepKeyOf(envelope: JsonObject): string | undefined {
  const candidate = objectAt(envelope, 'candidate');
  const stepId =
    stringAt(objectAt(envelope, 'candidateStep'), 'id') ?? stringAt(objectAt(envelope, 'step'), 'id');
  if (stepId === undefined) return undefined;
  if (candidate === undefined) return `step:${stepId}`;
  const candidateId =
    stringAt(candidate, 'id') ?? stringAt(candidate, 'subPipelineId') ?? stringAt(candidate, 'runId') ?? '';
  return `candidate:${candidateId}:${stepId}`;
}

export function showStep(
  pipeline: PipelineMemory,
  eventType: string,
  envelope: JsonObject,
  out: ContentEvent[],
): void {
  const isOpening = opening.has(eventType);
  if (!isOpening && !closing.has(eventType)) return;
  const key = stepKeyOf(envelope);
  if (key === undefined) return;
  const stepName = stepNameOf(key);
  if (isOpening) {
    pipeline.openSteps.add(key);
    if (pipeline.shownSteps.has(key)) return;
    pipeline.shownSteps.add(key);
    out.push({ type: 'STEP_STARTED', stepName });
    return;
  }
  if (!pipeline.openSteps.delete(key)) return;
  // Open since an earlier run and not reopened on this one: shown as a step without duration.
  if (!pipeline.shownSteps.delete(key)) out.push({ type: 'STEP_STARTED', stepName });
  out.push({ type: 'STEP_FINISHED', stepName });
}
