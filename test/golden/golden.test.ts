/**
 * Recorded kernel streams and the AG-UI events that they must become: `<case>/frames.jsonl` → `<case>/events.jsonl`. A
 * frame file may begin with `{"profile":…}`; a line `{"recovery":…}` is a pipeline's journal. `GOLDEN=write` writes the
 * events anew: read what it wrote before you keep it.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyEvents } from '@ag-ui/client';
import { EventSchemas } from '@ag-ui/core/schemas';
import { verifyEvents as olderVerifyEvents } from 'ag-ui-client-0.0.59';
import { from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { EventOrder } from '../../src/domain/run/event-order.ts';
import type { AgUiEvent, ContentEvent } from '../../src/protocol/events.ts';
import { isJsonObject, type JsonObject, objectAt } from '../../src/protocol/json.ts';
import { type Memory, newMemory, reopenSteps, usageOf } from '../../src/translate/memory.ts';
import { translateFrame } from '../../src/translate/translate-frame.ts';
import { translateRecovery } from '../../src/translate/translate-recovery.ts';

const cases = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

function linesOf(name: string, file: string): readonly JsonObject[] {
  const text = readFileSync(join(import.meta.dirname, name, file), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonObject);
}

interface Played {
  readonly events: readonly ContentEvent[];
  readonly memory: Memory;
}

function play(name: string): Played {
  const lines = linesOf(name, 'frames.jsonl');
  const setting = lines[0]?.['profile'] === undefined ? {} : (lines[0] ?? {});
  const memory = newMemory({
    profile: setting['profile'] === 'a2a' ? 'a2a' : 'iac-code',
    threadId: 'thread-1',
    runId: 'run-1',
    ...(isJsonObject(setting['resume']) ? { resume: setting['resume'] as never } : {}),
  });
  const events: ContentEvent[] = [...reopenSteps(memory).events];
  for (const line of lines.slice(setting['profile'] === undefined ? 0 : 1)) {
    const recovery = objectAt(line, 'recovery');
    const translated = recovery === undefined ? translateFrame(memory, line) : translateRecovery(memory, recovery);
    events.push(...translated.events);
  }
  return { events, memory };
}

describe.each(cases)('the kernel stream %s', (name) => {
  const file = join(import.meta.dirname, name, 'events.jsonl');
  if (process.env['GOLDEN'] === 'write' || !existsSync(file)) {
    writeFileSync(file, `${play(name).events.map((event) => JSON.stringify(event)).join('\n')}\n`);
  }

  it('becomes the recorded events', () => {
    expect(play(name).events).toEqual(linesOf(name, 'events.jsonl'));
  });

  it('becomes a stream that the official schemas and both official verifiers accept', async () => {
    const { events, memory } = play(name);
    const order = new EventOrder();
    const out: AgUiEvent[] = [];
    order.admit([{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }, ...events], out);
    const usage = usageOf(memory);
    order.admit([{ type: 'RUN_FINISHED', threadId: 't', runId: 'r', ...(usage.length > 0 ? { usage } : {}) }], out);

    for (const event of out) expect(EventSchemas.safeParse(event)).toMatchObject({ success: true });
    for (const verify of [verifyEvents, olderVerifyEvents]) {
      // The verifiers are typed by the official event classes; the wire form is the same.
      const seen = await lastValueFrom(from(out as never[]).pipe(verify(false), toArray()));
      expect(seen).toHaveLength(out.length);
    }
  });
});
