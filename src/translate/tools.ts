/** Tool calls: start, arguments, end and result, each once, in the words of `metadata.iac_code.tool`. */
import type { ContentEvent } from '../protocol/events.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '../protocol/json.ts';
import { beginCall, endTurn, type Lane } from './lane.ts';
import { type Memory, noteText, type OpenCall } from './memory.ts';

/** Calls without a result that are remembered. */
const maxOpenCalls = 1_024;

/** One frame's tool object, shown in the lane that the call belongs to. */
export function showTool(memory: Memory, tool: JsonObject, lane: Lane, out: ContentEvent[]): void {
  const id = stringAt(tool, 'toolUseId');
  if (id === undefined) return;
  switch (tool.status) {
    case 'started':
      open(memory, id, tool, lane, out);
      return;
    case 'input_complete':
      complete(memory, id, tool, lane, out);
      return;
    case 'completed':
    case 'failed':
      finish(memory, id, tool, lane, out);
      return;
    case 'progress':
      out.push({ type: 'CUSTOM', name: 'iac-code.tool-progress.v1', value: { schemaVersion: 1, ...tool } });
      return;
    default:
    // `input_delta` tells only a length, and what is not known yet can't be shown.
  }
}

function open(
  memory: Memory,
  id: string,
  tool: JsonObject,
  lane: Lane,
  out: ContentEvent[],
): OpenCall | undefined {
  if (memory.finishedCalls.has(id)) return undefined;
  const known = memory.openCalls.get(id);
  if (known !== undefined) return known;
  noteText(memory);
  const parentMessageId = beginCall(lane, memory, out);
  const toolCallName = stringAt(tool, 'name') ?? stringAt(tool, 'toolName') ?? 'tool';
  out.push({ type: 'TOOL_CALL_START', toolCallId: id, toolCallName, parentMessageId });
  const call: OpenCall = { lane, hasArguments: false };
  memory.openCalls.set(id, call);
  const oldest = memory.openCalls.size > maxOpenCalls ? memory.openCalls.keys().next().value : undefined;
  if (oldest !== undefined) memory.openCalls.delete(oldest);
  return call;
}

function complete(
  memory: Memory,
  id: string,
  tool: JsonObject,
  lane: Lane,
  out: ContentEvent[],
): OpenCall | undefined {
  const call = open(memory, id, tool, lane, out);
  if (call === undefined || call.hasArguments) return call;
  call.hasArguments = true;
  const input = argumentsOf(tool);
  if (input !== undefined) out.push({ type: 'TOOL_CALL_ARGS', toolCallId: id, delta: sortedJson(input) });
  out.push({ type: 'TOOL_CALL_END', toolCallId: id });
  return call;
}

function finish(memory: Memory, id: string, tool: JsonObject, lane: Lane, out: ContentEvent[]): void {
  if (memory.finishedCalls.has(id)) return;
  // A resumed run answers calls that an earlier run has shown: their start is not said again.
  const isFromEarlierRun = memory.isResume && !memory.openCalls.has(id);
  const call = isFromEarlierRun ? undefined : complete(memory, id, tool, lane, out);
  memory.openCalls.delete(id);
  memory.finishedCalls.add(id);
  endTurn(call?.lane ?? lane, out);
  const { result } = tool;
  out.push({
    type: 'TOOL_CALL_RESULT',
    messageId: `tool-result-${id}`,
    toolCallId: id,
    content: typeof result === 'string' ? result : sortedJson(result ?? ''),
    role: 'tool',
    // AG-UI 1.0 has no word for a failed tool, and its client should still see that it failed.
    ...(tool.status === 'failed' ? { metadata: { 'agentcore-agui': { failed: true } } } : {}),
  });
}

/** The arguments; older kernels only tell their names and types. */
function argumentsOf(tool: JsonObject): JsonValue | undefined {
  if (tool.toolInput !== undefined && tool.toolInput !== null) return tool.toolInput;
  return tool.inputSummary === undefined || tool.inputSummary === null
    ? undefined
    : { summary: tool.inputSummary };
}

/** Compact JSON with sorted members, so that the same arguments read the same every time. */
export function sortedJson(value: JsonValue): string {
  if (value === '') return '';
  return JSON.stringify(value, (_key, member: JsonValue) =>
    isJsonObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}
