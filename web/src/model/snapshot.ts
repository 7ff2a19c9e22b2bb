/**
 * A `MESSAGES_SNAPSHOT` → the items of the run that it summarises. It tells the whole conversation: what earlier turns
 * show already is left out, and what this turn has shown in part is shown whole, in its place.
 */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  stringAt,
} from '../../../src/protocol/json.ts';
import type { Before } from './apply-event.ts';
import type { Item } from './thread.ts';

export function withMessages(
  items: readonly Item[],
  messages: readonly JsonValue[],
  before: Before,
): readonly Item[] {
  const told = messages.filter(isJsonObject);
  const results = new Map(
    told
      .filter(({ role }) => role === 'tool')
      .map((message) => [stringAt(message, 'toolCallId') ?? '', contentOf(message)] as const),
  );
  const all = [...items];
  for (const item of told.flatMap((message) => itemsOf(message, results))) {
    const place = all.findIndex(({ kind, id }) => kind === item.kind && id === item.id);
    if (place >= 0) all[place] = { ...all[place], ...item };
    else if (!before.isKnown(item.id)) all.push(item);
  }
  return all;
}

function itemsOf(message: JsonObject, results: ReadonlyMap<string, string>): readonly Item[] {
  const id = stringAt(message, 'id') ?? '';
  switch (message['role']) {
    case 'reasoning':
      return [{ kind: 'reasoning', id, text: contentOf(message), isOpen: false }];
    case 'assistant': {
      const text = contentOf(message);
      const spoken: readonly Item[] =
        text === '' ? [] : [{ kind: 'text', id, role: 'assistant', text, isOpen: false }];
      const calls = listAt(message, 'toolCalls').filter(isJsonObject);
      return [...spoken, ...calls.map((call) => toolOf(call, results))];
    }
    default:
      return [];
  }
}

function toolOf(call: JsonObject, results: ReadonlyMap<string, string>): Item {
  const id = stringAt(call, 'id') ?? '';
  const made = objectAt(call, 'function');
  const result = results.get(id);
  return {
    kind: 'tool',
    id,
    name: stringAt(made, 'name') ?? '',
    args: stringAt(made, 'arguments') ?? '',
    isOpen: false,
    ...(result === undefined ? {} : { result }),
  };
}

function contentOf({ content }: JsonObject): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((part) => (isJsonObject(part) ? [stringAt(part, 'text') ?? ''] : [])).join('');
}
