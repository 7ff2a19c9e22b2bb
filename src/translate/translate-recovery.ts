/** The pipeline's journal, read when a run takes up where nobody listened: a snapshot for the display, then what was missed. */
import type { ContentEvent } from '../protocol/events.ts';
import { isJsonObject, type JsonObject, listAt, objectAt, stringAt } from '../protocol/json.ts';
import type { Memory } from './memory.ts';
import { showEnvelope } from './pipeline/envelope.ts';

/** `state` is `{snapshot, events}` of iac-code's pipeline state endpoint. */
export function translateRecovery(
  memory: Memory,
  state: JsonObject,
): { readonly memory: Memory; readonly events: readonly ContentEvent[] } {
  const events: ContentEvent[] = [];
  const snapshot = objectAt(state, 'snapshot');
  if (snapshot !== undefined) {
    const pipelineRunId = stringAt(snapshot, 'pipelineRunId') ?? memory.threadId;
    events.push({
      type: 'ACTIVITY_SNAPSHOT',
      messageId: `pipeline:${pipelineRunId}`,
      activityType: 'iac-code.pipeline.v1',
      content: { schemaVersion: 1, pipelineRunId, snapshot },
      replace: true,
    });
  }
  for (const event of listAt(state, 'events')) {
    if (isJsonObject(event)) showEnvelope(memory, event, true, events);
  }
  const last = snapshot?.lastSequence;
  if (typeof last === 'number') memory.pipeline.sequence = Math.max(memory.pipeline.sequence, last);
  return { memory, events };
}
