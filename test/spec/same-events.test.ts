/** Every recorded kernel stream by Server-Sent Events and by WebSocket: the same list of events. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { Conversation } from '../support/conversation.ts';
import type { WireEvent } from '../support/requests.ts';
import { ScriptedKernel } from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { verifiesOn } from './verifies.ts';

const golden = join(import.meta.dirname, '../golden');

interface Recorded {
  readonly profile: 'a2a' | 'iac-code';
  readonly frames: readonly JsonObject[];
}

/** Undefined for what is no first turn: a resume, or a journal. */
function recorded(name: string): Recorded | undefined {
  const file = join(golden, name, 'frames.jsonl');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonObject);
  const [first] = lines;
  const hasSetting = first?.['profile'] !== undefined;
  if (first?.['resume'] !== undefined || lines.some((line) => line['recovery'] !== undefined))
    return undefined;
  const profile = first?.['profile'] === 'a2a' ? 'a2a' : 'iac-code';
  return { profile, frames: hasSetting ? lines.slice(1) : lines };
}

const cases = readdirSync(golden).flatMap((name) => {
  const found = recorded(name);
  return found === undefined ? [] : [{ name, ...found }];
});

/**
 * Without what belongs to the wire and not to the event: place in the stream, and how deltas were put together; and
 * without the execution's id and the time when questions expire, which are new each time.
 */
function eventsAsMeant(events: readonly WireEvent[]): readonly WireEvent[] {
  const meant: WireEvent[] = [];
  for (const { metadata, ...event } of JSON.parse(JSON.stringify(events, withoutExecution)) as WireEvent[]) {
    const { id, offset, requestId, ...vendor } = Object(Object(metadata)['agentcore-agui']);
    const clean: WireEvent = { ...event, ...(Object.keys(vendor).length > 0 ? { metadata: vendor } : {}) };
    const before = meant.at(-1);
    if (isSameDelta(before, clean))
      meant[meant.length - 1] = { ...clean, delta: `${before?.['delta']}${clean['delta']}` };
    else meant.push(clean);
  }
  return meant;
}

const withoutExecution = (key: string, value: unknown): unknown =>
  key === 'executionId' || key === 'expiresAt' ? undefined : value;

function isSameDelta(before: WireEvent | undefined, event: WireEvent): boolean {
  if (before?.type !== event.type || typeof event['delta'] !== 'string') return false;
  return before['messageId'] === event['messageId'] && before['toolCallId'] === event['toolCallId'];
}

describe.each(cases)('the kernel stream $name', ({ profile, frames }) => {
  it('is the same events by POST /invocations and on /ws', async () => {
    verifiesOn('ws', 'ws.conversation');
    const play = async (door: 'agentcore' | 'ws') => {
      const kernel = new ScriptedKernel(async function* () {
        yield frames;
      }, profile);
      const talk = new Conversation(await startServer({ replace: { kernel } }), door, {
        threadId: 'thread-1',
      });
      return eventsAsMeant((await talk.send(talk.body({ runId: 'run-1', forwardedProps: {} }))).events);
    };

    const bySse = await play('agentcore');
    const bySocket = await play('ws');

    expect(bySocket).toEqual(bySse);
    expect(bySse.at(-1)?.type).toMatch(/^RUN_(FINISHED|ERROR)$/);
  });
});

it('takes most of the recorded kernel streams', () => {
  expect(cases.length).toBeGreaterThan(25);
});
