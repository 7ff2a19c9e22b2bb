/** An agent's schema is as foreign as a caller's body: whatever it holds, nobody else waits for it. */
import { describe, expect, it } from 'vitest';
import { MemoryThreadStore } from '../../src/outbound/memory/memory-thread-store.ts';
import type { JsonObject, JsonValue } from '../../src/protocol/json.ts';
import { longestPing } from '../support/ping-watch.ts';
import { eventsOf, input, run } from '../support/requests.ts';
import { inputOf, ScriptedKernel, stateOf, submitted, type TaskNames } from '../support/scripted-kernel.ts';
import { startServer, type TestServer } from '../support/servers.ts';

const maxPingMs = 250;

function nested(depth: number): JsonObject {
  let schema: JsonObject = { type: 'string' };
  for (let level = 0; level < depth; level += 1) schema = { allOf: [schema] };
  return schema;
}

const evil = 'a'.repeat(40_000);
const hostile: readonly (readonly [string, JsonObject, JsonValue])[] = [
  ['nested quantifiers', { properties: { t: { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } } }, { t: evil }],
  ['quantifiers of member names', { patternProperties: { '^(a+)+$': false } }, { [`${evil}!`]: 1 }],
  ['a repeated repetition', { properties: { t: { pattern: '(a{1,1000}){1,1000}b' } } }, { t: evil }],
  ['deep nesting', nested(2_000), {}],
  [
    'an exponential choice',
    { anyOf: Array.from({ length: 200 }, (_none, n) => ({ oneOf: [{ const: n }, nested(5)] })) },
    { t: 1 },
  ],
  ['references to itself', { $ref: '#', properties: { t: { $ref: '#' } } }, { t: { t: { t: {} } } }],
  ['references that triple', tripling(30), {}],
  ['a list of everything', { enum: Array.from({ length: 50_000 }, (_none, n) => `value-${n}`) }, { t: 1 }],
  [
    'unique items',
    { properties: { t: { uniqueItems: true } } },
    { t: Array.from({ length: 20_000 }, (_none, n) => ({ n })) },
  ],
  ['a schema elsewhere', { $ref: 'http://127.0.0.1:1/schema.json' }, {}],
  ['no schema at all', { type: 7, pattern: [], $defs: 'x' }, {}],
];

function tripling(steps: number): JsonObject {
  const $defs: Record<string, JsonValue> = { [`d${steps}`]: { type: 'object' } };
  for (let n = 0; n < steps; n += 1)
    $defs[`d${n}`] = { allOf: [1, 2, 3].map(() => ({ $ref: `#/$defs/d${n + 1}` })) };
  return { $ref: '#/$defs/d0', $defs };
}

const form = (inputId: string, responseSchema: JsonObject): JsonObject => ({
  kind: 'form',
  inputId,
  prompt: 'Fill in',
  responseSchema,
});

/** Asks with the schema that the test names in its message. */
function asking(schemas: ReadonlyMap<string, JsonObject>): ScriptedKernel {
  return new ScriptedKernel(async function* ({ message }, names) {
    if (message.taskId !== undefined) yield [stateOf(names, 'TASK_STATE_COMPLETED')];
    else
      yield [
        submitted(names),
        inputOf(names, form('question', schemas.get(message.parts[0]?.text ?? '') ?? {})),
      ];
  });
}

const ask = (text: string) => input({ messages: [{ id: 'm', role: 'user', content: text }] });

async function answer(server: TestServer, asked: Record<string, unknown>, resume: readonly object[]) {
  const body = input({ threadId: asked['threadId'], messages: [], resume });
  return run(`${server.url}/invocations`, body);
}

describe('a hostile schema of an agent', () => {
  it('holds up no /ping and breaks no run, whatever is answered', { timeout: 120_000 }, async () => {
    const schemas = new Map(hostile.map(([what, schema]) => [what, schema]));
    const server = await startServer({
      replace: { kernel: asking(schemas), store: new MemoryThreadStore() },
    });
    const statuses: number[] = [];
    const attempt = () =>
      longestPing(server.url, async () => {
        for (const [what, , payload] of hostile) {
          const asked = ask(what);
          const question = await run(`${server.url}/invocations`, asked);
          expect(eventsOf(question.text).at(-1)?.type).toBe('RUN_FINISHED');
          const entry = { interruptId: 'question', status: 'resolved', payload };
          statuses.push((await answer(server, asked, [entry])).status);
        }
      });

    // The best of three, so that a busy machine does not decide.
    const longest = Math.min(await attempt(), await attempt(), await attempt());

    expect(longest).toBeLessThan(maxPingMs);
    expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
  });

  it('ten thousand different ones, a hundred in each of a hundred answers, hold up no /ping', {
    timeout: 120_000,
  }, async () => {
    const [threads, questions] = [100, 100];
    const kernel = new ScriptedKernel(async function* ({ message }, names) {
      if (message.taskId !== undefined) yield [stateOf(names, 'TASK_STATE_COMPLETED')];
      else yield [submitted(names), manyQuestions(names, message.parts[0]?.text ?? '', questions)];
    });
    const server = await startServer({ replace: { kernel, store: new MemoryThreadStore() } });
    const asked = Array.from({ length: threads }, (_none, n) => ask(`thread ${n}`));
    const ends = await Promise.all(asked.map((each) => run(`${server.url}/invocations`, each)));
    const faults = new Set<string | undefined>();

    const longest = await longestPing(server.url, async () => {
      for (const each of asked) {
        const entries = Array.from({ length: questions }, (_none, n) => ({
          interruptId: `question-${n}`,
          status: 'resolved',
          // The last one is wrong: all have to be checked, and nothing is sent.
          payload: { value: n === questions - 1 ? 'wrong' : n },
        }));
        const refused = await answer(server, each, entries);
        faults.add(/"fault":"(\w+)"/.exec(refused.text)?.[1]);
      }
    });

    expect(eventsOf(ends[0]?.text ?? '').at(-1)).toMatchObject({
      outcome: { type: 'interrupt', interrupts: expect.arrayContaining([]) },
    });
    expect([...faults]).toEqual(['RESUME_PAYLOAD_INVALID']);
    expect(longest).toBeLessThan(maxPingMs);
  });
});

function manyQuestions(names: TaskNames, seed: string, count: number): JsonObject {
  const { taskId, contextId } = names;
  const pendingPermissions = Array.from({ length: count }, (_none, n) => ({
    schemaVersion: 1,
    requestTaskId: taskId,
    contextId,
    required: true,
    ...form(`question-${n}`, {
      type: 'object',
      title: `${seed} ${n}`,
      properties: { value: { type: 'integer', minimum: 0, maximum: 1_000 + n } },
      required: ['value'],
    }),
  }));
  return {
    statusUpdate: {
      taskId,
      contextId,
      status: { state: 'TASK_STATE_INPUT_REQUIRED' },
      metadata: { iac_code: { pendingPermissions } },
    },
  };
}
