/**
 * One AG-UI event → the next state of its turn. Pure, and never fails: what is not known or not well-formed changes
 * nothing, as a newer agent may say more than this page understands.
 *
 * A `RUN_STARTED` begins to tell the turn anew: whoever attaches to a run from its start sees each word once.
 */
import type { Interrupt } from '../../../src/protocol/interrupt.ts';
import { isJsonObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/protocol/json.ts';
import { applyCustom, applyPipelineSnapshot } from './apply-custom.ts';
import { failureOfEvent } from './failure.ts';
import { changeItem, upsertItem } from './items.ts';
import { withMessages } from './snapshot.ts';
import { type Item, type StepItem, shownItems, type ToolItem, type Turn } from './thread.ts';

/** Of the turns before: what a snapshot tells again and what an artifact looked like. */
export interface Before {
  isKnown(messageId: string): boolean;
  artifactText(id: string, name: string): string | undefined;
  /** A call whose result may come in a later run, behind the answer to a question. */
  call(id: string): ToolItem | undefined;
}

type Apply = (turn: Turn, event: JsonObject, before: Before) => Turn;

const handlers: Readonly<Record<string, Apply>> = {
  RUN_STARTED: begin,
  RUN_FINISHED: finish,
  RUN_ERROR: (turn, event) => {
    const failure = failureOfEvent(event);
    const isCancel = failure.code === 'CANCELLED' || failure.code === 'abort';
    return end(turn, event, isCancel ? { kind: 'cancelled' } : { kind: 'failed', failure });
  },
  TEXT_MESSAGE_START: (turn, event) =>
    onItems(turn, (items) => {
      const fresh = { kind: 'text', id: idOf(event), role: roleOf(event), text: '', isOpen: true } as const;
      return upsertItem(items, 'text', fresh, (item) => ({ ...item, isOpen: true }));
    }),
  TEXT_MESSAGE_CONTENT: (turn, event) =>
    onItems(turn, (items) => changeItem(items, 'text', idOf(event), (item) => appended(item, event))),
  TEXT_MESSAGE_END: (turn, event) =>
    onItems(turn, (items) => changeItem(items, 'text', idOf(event), (item) => ({ ...item, isOpen: false }))),
  REASONING_MESSAGE_START: (turn, event) =>
    onItems(turn, (items) => {
      const fresh = { kind: 'reasoning', id: idOf(event), text: '', isOpen: true } as const;
      return upsertItem(items, 'reasoning', fresh, (item) => ({ ...item, isOpen: true }));
    }),
  REASONING_MESSAGE_CONTENT: (turn, event) =>
    onItems(turn, (items) => changeItem(items, 'reasoning', idOf(event), (item) => appended(item, event))),
  REASONING_MESSAGE_END: (turn, event) =>
    onItems(turn, (items) =>
      changeItem(items, 'reasoning', idOf(event), (item) => ({ ...item, isOpen: false })),
    ),
  TOOL_CALL_START: (turn, event) =>
    onItems(turn, (items) => {
      const name = stringAt(event, 'toolCallName') ?? '';
      const fresh = { kind: 'tool', id: callOf(event), name, args: '', isOpen: true } as const;
      return upsertItem(items, 'tool', fresh, (item) => ({ ...item, isOpen: true }));
    }),
  TOOL_CALL_ARGS: (turn, event) =>
    onItems(turn, (items) =>
      changeItem(items, 'tool', callOf(event), (item) => ({ ...item, args: item.args + deltaOf(event) })),
    ),
  TOOL_CALL_END: (turn, event) =>
    onItems(turn, (items) =>
      changeItem(items, 'tool', callOf(event), (item) => ({ ...item, isOpen: false })),
    ),
  TOOL_CALL_RESULT: (turn, event, before) =>
    onItems(turn, (items) => {
      const id = callOf(event);
      const fresh = before.call(id) ?? { kind: 'tool', id, name: '', args: '', isOpen: false };
      const result = textOfContent(event);
      return upsertItem(items, 'tool', fresh, (item) => ({ ...item, isOpen: false, result }));
    }),
  STEP_STARTED: (turn, event) =>
    onItems(turn, (items) => startStep(items, stringAt(event, 'stepName') ?? '')),
  STEP_FINISHED: (turn, event) =>
    onItems(turn, (items) =>
      changeItem(items, 'step', stepIdOf(items, stringAt(event, 'stepName') ?? ''), (item) => ({
        ...item,
        state: item.state === 'running' ? 'done' : item.state,
      })),
    ),
  MESSAGES_SNAPSHOT: (turn, event, before) =>
    onItems(turn, (items) => withMessages(items, listAt(event, 'messages'), before)),
  ACTIVITY_SNAPSHOT: (turn, event) => onItems(turn, (items) => showActivity(items, event)),
  CUSTOM: (turn, event, before) => onItems(turn, (items) => applyCustom(items, event, before)),
};

export function applyEvent(turn: Turn, event: JsonObject, before: Before): Turn {
  const handler = handlers[stringAt(event, 'type') ?? ''];
  return handler === undefined ? turn : handler(turn, event, before);
}

/** A server that was restarted may tell less than its predecessor: what the person has seen stays. */
function begin({ endedAt: _endedAt, ...turn }: Turn): Turn {
  const shown = shownItems(turn);
  const earlier = shown.length === 0 ? {} : { earlier: shown };
  return { ...turn, ...earlier, items: [], usage: [], status: { kind: 'running' } };
}

function onItems(turn: Turn, change: (items: readonly Item[]) => readonly Item[]): Turn {
  const items = change(turn.items);
  return items === turn.items ? turn : { ...turn, items };
}

function finish(turn: Turn, event: JsonObject): Turn {
  const outcome = objectAt(event, 'outcome');
  switch (stringAt(outcome, 'type')) {
    case 'cancelled':
      return end(turn, event, { kind: 'cancelled' });
    case 'interrupt': {
      const interrupts = listAt(outcome, 'interrupts').flatMap(readInterrupt);
      return end(turn, event, { kind: 'interrupted', interrupts });
    }
    default:
      return end(turn, event, { kind: 'success' });
  }
}

function end(turn: Turn, event: JsonObject, status: Turn['status']): Turn {
  const usage = listAt(event, 'usage').filter(isJsonObject);
  const { earlier: _earlier, ...rest } = turn;
  return { ...rest, items: shownItems(turn).map(closed), status, usage };
}

/** Nothing goes on behind the end of a run, whatever the agent left open. */
function closed(item: Item): Item {
  if (item.kind === 'step') return item.state === 'running' ? { ...item, state: 'done' } : item;
  return 'isOpen' in item && item.isOpen ? { ...item, isOpen: false } : item;
}

function readInterrupt(value: unknown): readonly Interrupt[] {
  if (!isJsonObject(value) || typeof value['id'] !== 'string') return [];
  const reason = stringAt(value, 'reason') ?? '';
  const message = stringAt(value, 'message');
  const toolCallId = stringAt(value, 'toolCallId');
  const expiresAt = stringAt(value, 'expiresAt');
  const responseSchema = objectAt(value, 'responseSchema');
  const metadata = objectAt(value, 'metadata');
  return [
    {
      id: value['id'],
      reason,
      ...(message === undefined ? {} : { message }),
      ...(toolCallId === undefined ? {} : { toolCallId }),
      ...(expiresAt === undefined || Number.isNaN(Date.parse(expiresAt)) ? {} : { expiresAt }),
      ...(responseSchema === undefined ? {} : { responseSchema }),
      ...(metadata === undefined ? {} : { metadata }),
    },
  ];
}

/** The same step can come again in one run, each time as a step of its own. */
function startStep(items: readonly Item[], name: string): readonly Item[] {
  const id = `${name}#${items.filter((item) => item.kind === 'step' && item.name === name).length + 1}`;
  const step: StepItem = { kind: 'step', id, name, state: 'running' };
  return [...items, step];
}

function stepIdOf(items: readonly Item[], name: string): string {
  return items.findLast((item) => item.kind === 'step' && item.name === name)?.id ?? '';
}

function showActivity(items: readonly Item[], event: JsonObject): readonly Item[] {
  const activityType = stringAt(event, 'activityType') ?? '';
  const content = objectAt(event, 'content') ?? {};
  if (activityType === 'iac-code.pipeline.v1') return applyPipelineSnapshot(items, content);
  const fresh = { kind: 'activity', id: idOf(event), activityType, content } as const;
  const isKept = event['replace'] === false;
  return upsertItem(items, 'activity', fresh, (item) => (isKept ? item : { ...item, activityType, content }));
}

function textOfContent({ content }: JsonObject): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((part) => (isJsonObject(part) ? [stringAt(part, 'text') ?? ''] : [])).join('');
}

function appended<Kept extends { readonly text: string }>(item: Kept, event: JsonObject): Kept {
  return { ...item, text: item.text + deltaOf(event) };
}

const idOf = (event: JsonObject): string => stringAt(event, 'messageId') ?? '';
const callOf = (event: JsonObject): string => stringAt(event, 'toolCallId') ?? '';
const deltaOf = (event: JsonObject): string => stringAt(event, 'delta') ?? '';
const roleOf = (event: JsonObject): string => stringAt(event, 'role') ?? 'assistant';
