/** The conversation with a model, where the client's tools make it long. */
import { describe, expect, it } from 'vitest';
import { Talk } from '../../../../src/agent/model/talk.ts';

const call = (toolCallId: string, toolName: string) => ({
  type: 'tool-call' as const,
  toolCallId,
  toolName,
  input: {},
});
const clients = new Set(['show']);

/** One answer that calls a tool of the client, and its result. */
function round(talk: Talk, id: string): void {
  talk.answer([{ role: 'assistant', content: [call(id, 'show')] }], clients);
  for (const open of talk.clientCalls) talk.noteShown(open, `shown-${id}`);
  talk.takeResults([{ toolCallId: `shown-${id}`, text: 'ok', error: undefined }]);
}

describe('a conversation with calls of the client’s tools', () => {
  it('knows the calls by the ids that the client was shown, also after it was put away', () => {
    const talk = Talk.from(undefined);
    talk.ask('go');
    talk.answer(
      [{ role: 'assistant', content: [call('same', 'show'), call('other', 'read_file')] }],
      clients,
    );
    const [open] = talk.clientCalls;
    if (open !== undefined) talk.noteShown(open, 'shown');

    const later = Talk.from(talk.toJson());

    expect(later.nextCall?.name).toBe('read_file');
    expect(later.takeResults([{ toolCallId: 'same', text: 'forged', error: undefined }])).toBe(0);
    expect(later.takeResults([{ toolCallId: 'shown', text: 'true', error: undefined }])).toBe(1);
    expect(later.isUnanswered).toBe(false);
    later.resolve({ ok: true, result: {} });
    expect(later.isUnanswered).toBe(true);
    expect(JSON.stringify(later.messages.at(-1))).toMatch(/true.*other|other.*true/);
  });

  it('is overlong when a turn only ever goes on, and is not any more when the user speaks', () => {
    const talk = Talk.from(undefined);
    talk.ask('go');
    let rounds = 0;
    for (; !talk.isOverlong && rounds < 1_000; rounds += 1) round(talk, String(rounds));

    expect(rounds).toBe(100);
    talk.ask('go on');
    expect(talk.isOverlong).toBe(false);
    expect(talk.messages).toHaveLength(1);
  });
});
