/**
 * One event of iac-code's pipeline. What AG-UI has a word for becomes that; of the rest, the kinds that the contract lists
 * go out unchanged as `iac-code.pipeline.v1`, and nothing else does.
 */
import type { ContentEvent } from '../../protocol/events.ts';
import { type JsonObject, objectAt, stringAt } from '../../protocol/json.ts';
import { showCreatedArtifact } from '../artifacts.ts';
import { endReasoning, endText, endTurn, type Lane, newLane, say, think } from '../lane.ts';
import type { Memory } from '../memory.ts';
import { showTool } from '../tools.ts';
import { countUsage } from '../usage.ts';
import { laneKeyOf } from './coordinates.ts';
import { endsStep, showStep } from './steps.ts';

/** The kinds of the iac-code AG-UI reference. `pipeline_failed` is told by the run's own ending. */
export const customKinds: ReadonlySet<string> = new Set([
  'pipeline_started',
  'pipeline_resumed',
  'pipeline_completed',
  'pipeline_error',
  'pipeline_warning',
  'backup_blocked',
  'candidate_started',
  'candidate_completed',
  'candidate_failed',
  'candidate_interrupted',
  'candidate_restart_requested',
  'candidate_selected',
  'candidate_detail_shown',
  'candidate_step_failed',
  'sub_pipeline_started',
  'sub_pipeline_completed',
  'sub_step_failed',
  'step_failed',
  'stack_progress',
  'stack_instances_progress',
  'stack_current_changed',
  'cleanup_started',
  'cleanup_progress',
  'cleanup_completed',
  'cleanup_failed',
  'rollback_triggered',
  'rollback_completed',
  'context_compaction_started',
  'context_compacted',
  'context_compaction_failed',
  'fields_marked_stale',
  'diagram_shown',
  'mcp_status',
  'tool_progress',
]);

const maxLanes = 256;

/** `isRecovered`: from the journal, where an event that was not seen counts even below the newest one. */
export function showEnvelope(
  memory: Memory,
  envelope: JsonObject,
  isRecovered: boolean,
  out: ContentEvent[],
): void {
  const eventType = stringAt(envelope, 'eventType');
  if (eventType === undefined || !isNew(memory, envelope, isRecovered)) return;
  showStandard(memory, eventType, envelope, out);
  if (endsStep(eventType)) endLane(memory, envelope, out);
  showStep(memory.pipeline, eventType, envelope, out);
  if (customKinds.has(eventType)) out.push({ type: 'CUSTOM', name: 'iac-code.pipeline.v1', value: envelope });
}

/**
 * Terminal events come out of order, so that an id decides, and a sequence only where there is none. Deltas are merged on
 * their way, the last id standing for all of them: a delta of the journal below the newest event was shown.
 */
function isNew({ pipeline }: Memory, envelope: JsonObject, isRecovered: boolean): boolean {
  const eventId = stringAt(envelope, 'eventId');
  const sequence = typeof envelope.sequence === 'number' ? envelope.sequence : 0;
  if (eventId !== undefined && pipeline.seenEvents.has(eventId)) return false;
  // The journal holds such an event twice; the other one was sent.
  if (isRecovered && envelope.visibility === 'pending_backup') return false;
  if (isRecovered && isDelta(envelope) && sequence > 0 && sequence <= pipeline.sequence) return false;
  if (eventId === undefined && sequence > 0 && sequence <= pipeline.sequence) return false;
  if (!isRecovered && sequence > 0 && sequence <= pipeline.resumeSequence) return false;
  if (eventId !== undefined) pipeline.seenEvents.add(eventId);
  pipeline.sequence = Math.max(pipeline.sequence, sequence);
  return true;
}

function isDelta({ eventType }: JsonObject): boolean {
  return eventType === 'text_delta' || eventType === 'thinking_delta';
}

function showStandard(memory: Memory, eventType: string, envelope: JsonObject, out: ContentEvent[]): void {
  const data = objectAt(envelope, 'data') ?? {};
  switch (eventType) {
    case 'text_delta': {
      const text = stringAt(data, 'text') ?? '';
      if (text !== '') say(laneOf(memory, envelope), text, memory, out);
      return;
    }
    case 'thinking_delta': {
      const text = data.type === 'raw_thinking' ? (stringAt(data, 'text') ?? '') : '';
      if (text !== '') think(laneOf(memory, envelope), text, memory, out);
      return;
    }
    case 'message_started':
      endTurn(laneOf(memory, envelope), out);
      return;
    case 'message_tombstone':
      endText(laneOf(memory, envelope), out, { 'agentcore-agui': { withdrawn: true } });
      return;
    case 'tool_started':
      showTool(memory, toolOf(data, 'input_complete'), laneOf(memory, envelope), out);
      return;
    case 'tool_result':
      showTool(
        memory,
        toolOf(data, data.isError === true ? 'failed' : 'completed'),
        laneOf(memory, envelope),
        out,
      );
      return;
    case 'artifact_created':
      showCreatedArtifact(memory, data, out);
      return;
    case 'usage':
      countUsage(memory, data, false);
      return;
    default:
  }
}

function toolOf(data: JsonObject, status: string): JsonObject {
  return {
    status,
    toolUseId: data.toolUseId,
    name: data.toolName,
    toolInput: data.input,
    result: data.result,
  };
}

/** Who worked on a step that is over has said all. */
function endLane({ pipeline }: Memory, envelope: JsonObject, out: ContentEvent[]): void {
  const lane = pipeline.lanes.get(laneKeyOf(envelope));
  if (lane === undefined) return;
  endReasoning(lane, out);
  endTurn(lane, out);
}

function laneOf({ pipeline }: Memory, envelope: JsonObject): Lane {
  const key = laneKeyOf(envelope);
  const known = pipeline.lanes.get(key);
  if (known !== undefined) return known;
  const lane = newLane(key);
  if (pipeline.lanes.size >= maxLanes) {
    const idle = [...pipeline.lanes].find(
      ([, { openText, openReasoning }]) => openText === undefined && openReasoning === undefined,
    );
    if (idle !== undefined) pipeline.lanes.delete(idle[0]);
  }
  pipeline.lanes.set(key, lane);
  return lane;
}
