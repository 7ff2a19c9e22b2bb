/** A model of the SDK's own test kit that answers from a script, one entry for each call. */
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { EmbeddedAgent } from '../../../../src/agent/embedded-agent.ts';
import { VolatileMemory } from '../../../../src/agent/memory.ts';
import { ModelAuthor } from '../../../../src/agent/model/model-author.ts';
import type { Models } from '../../../../src/agent/model/models.ts';
import { createSchemaChecker } from '../../../../src/agent/tools/schema-checker.ts';
import { ToolBox } from '../../../../src/agent/tools/tool-box.ts';
import { systemClock, systemIds } from '../../../../src/outbound/system/system-runtime.ts';
import type { A2aMessage } from '../../../../src/protocol/a2a.ts';
import { isJsonObject, type JsonObject, objectAt } from '../../../../src/protocol/json.ts';
import { type LogLine, recordingLog } from '../../../support/servers.ts';

export type ModelCall = MockLanguageModelV4['doStreamCalls'][number];
type Stream = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'];
type Part = Stream extends ReadableStream<infer Each> ? Each : never;

export type Answer = readonly Part[] | Error;

const usage = {
  inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: undefined },
  outputTokens: { total: 5, text: 3, reasoning: 2 },
};

export const finish = (unified: 'stop' | 'tool-calls' | 'content-filter' = 'stop'): Part => ({
  type: 'finish',
  usage,
  finishReason: { unified, raw: unified },
});

export const says = (...words: readonly string[]): readonly Part[] => [
  { type: 'text-start', id: '1' },
  ...words.map((delta): Part => ({ type: 'text-delta', id: '1', delta })),
  { type: 'text-end', id: '1' },
];

export const thinks = (delta: string): readonly Part[] => [
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta },
  { type: 'reasoning-end', id: 'r', providerMetadata: { bedrock: { signature: 'signed' } } },
];

export const calls = (toolName: string, input: object | string, id = `call-${toolName}`): Part => ({
  type: 'tool-call',
  toolCallId: id,
  toolName,
  input: typeof input === 'string' ? input : JSON.stringify(input),
});

export const callsOnly = (...parts: readonly Part[]): Answer => [...parts, finish('tool-calls')];

export interface Rig {
  readonly agent: EmbeddedAgent;
  readonly seen: ModelCall[];
  readonly memory: VolatileMemory;
  readonly log: LogLine[];
  /** An agent of another process with the same memory and script. */
  readonly restarted: () => EmbeddedAgent;
}

/** The last answer of the script is repeated. */
export function rigOf(script: readonly Answer[] | ((call: ModelCall) => Answer | Stream), maxSteps = 8): Rig {
  const log: LogLine[] = [];
  const memory = new VolatileMemory();
  const left = typeof script === 'function' ? [] : [...script];
  const model = new MockLanguageModelV4({
    doStream: async (call) => {
      const next = (left.length > 1 ? left.shift() : left[0]) ?? [];
      const answer = typeof script === 'function' ? script(call) : next;
      if (answer instanceof Error) throw answer;
      if (answer instanceof ReadableStream) return { stream: answer };
      return { stream: convertArrayToReadableStream([{ type: 'stream-start', warnings: [] }, ...answer]) };
    },
  });
  const models: Models = async () => ({ model, effort: undefined, providerOptions: undefined });
  const start = (): EmbeddedAgent => {
    const tools = new ToolBox(systemIds, createSchemaChecker(systemClock));
    const author = new ModelAuthor({ models, maxRetries: 0, maxSteps, stallMs: 5_000, hasTerraform: false });
    const runtime = { clock: systemClock, ids: systemIds, log: recordingLog(log) };
    return new EmbeddedAgent({ runtime, memory, author, tools });
  };
  return { agent: start(), seen: model.doStreamCalls, memory, log, restarted: start };
}

export function userSays(text: string, cwd: string, options: JsonObject = {}): A2aMessage {
  return {
    messageId: 'm-1',
    role: 'ROLE_USER',
    contextId: 'context-1',
    parts: [{ text }],
    metadata: { iac_code: { cwd, ...options } },
  };
}

export function answers(question: JsonObject, cwd: string, said: string): A2aMessage {
  const { requestTaskId, inputId, toolUseId, kind } = question;
  const data = {
    schemaVersion: 1,
    kind: 'permission',
    requestTaskId,
    inputId,
    toolUseId,
    decision: said,
  } as JsonObject;
  const part = kind === 'permission' ? { data, mediaType: 'application/json' } : { text: said };
  return { ...userSays('', cwd), messageId: 'answer', taskId: String(requestTaskId), parts: [part] };
}

export async function framesOf(agent: EmbeddedAgent, message: A2aMessage): Promise<readonly JsonObject[]> {
  const frames: JsonObject[] = [];
  for await (const batch of agent.send({ message }, new AbortController().signal)) frames.push(...batch);
  return frames;
}

const extensionsOf = (frames: readonly JsonObject[]): readonly JsonObject[] =>
  frames
    .map((frame) => objectAt(objectAt(objectAt(frame, 'statusUpdate'), 'metadata'), 'iac_code'))
    .filter((extension) => extension !== undefined);

/** The members `name` of `metadata.iac_code`, in order. */
export function membersOf(frames: readonly JsonObject[], name: string): readonly JsonObject[] {
  return extensionsOf(frames)
    .map((extension) => extension[name])
    .filter(isJsonObject);
}

export function questionOf(frames: readonly JsonObject[]): JsonObject {
  return membersOf(frames, 'input').at(-1) ?? {};
}

export function wordsOf(frames: readonly JsonObject[]): string {
  return frames
    .map((frame) => objectAt(objectAt(objectAt(frame, 'statusUpdate'), 'status'), 'message'))
    .map((message) => Object(Object(message)['parts'])[0]?.text ?? '')
    .join('');
}

export function stateOf(frames: readonly JsonObject[]): unknown {
  return objectAt(objectAt(frames.at(-1), 'statusUpdate'), 'status')?.['state'];
}
