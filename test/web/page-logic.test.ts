/** The rest of the page's logic: conversations as inputs, recovery, settings, Markdown, links, words. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClientError } from '../../src/client/client-error.ts';
import { inputOf } from '../../web/src/model/conversation.ts';
import { safeDiagram } from '../../web/src/model/diagram-source.ts';
import { addEvents, emptyLog, filterEvents, maxEntries, toJsonLines } from '../../web/src/model/event-log.ts';
import { failureOfThrown } from '../../web/src/model/failure.ts';
import { safeLink } from '../../web/src/model/links.ts';
import { markdownBlocks } from '../../web/src/model/markdown-blocks.ts';
import { recover } from '../../web/src/model/recovery.ts';
import { readSettings, writeSettings } from '../../web/src/model/settings.ts';
import { openInterrupts } from '../../web/src/model/thread.ts';
import { reduceThread } from '../../web/src/model/thread-reducer.ts';
import { de } from '../../web/src/texts/de.ts';
import { en } from '../../web/src/texts/en.ts';
import { fr } from '../../web/src/texts/fr.ts';
import { it as italian } from '../../web/src/texts/it.ts';
import { chooseLanguage, translator } from '../../web/src/texts/translate.ts';
import { zh } from '../../web/src/texts/zh.ts';
import { asked, at, finished, receive, said, started, threadWith, turnOf } from './turns.ts';

describe('a conversation of the chat page', () => {
  it('is sent whole: what was said, called and answered', () => {
    const call = [
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'f' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{}' },
      { type: 'TOOL_CALL_RESULT', messageId: 't', toolCallId: 'c', content: 'ok' },
    ];
    const first = receive(threadWith('Hi'), [started(), ...call, ...said('m', 'Hello'), finished()]);
    const { messages } = inputOf(asked(first, 'More', 'run-2'), 'run-2', {});

    expect(messages).toEqual([
      { id: 'of-run-1', role: 'user', content: 'Hi' },
      {
        id: 'call-c',
        role: 'assistant',
        toolCalls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { id: 'tool-result-c', role: 'tool', toolCallId: 'c', content: 'ok' },
      { id: 'm', role: 'assistant', content: 'Hello' },
      { id: 'of-run-2', role: 'user', content: 'More' },
    ]);
  });

  it('brings answers as resume entries, and the state as the agent left it', () => {
    const entries = [{ interruptId: 'i', status: 'resolved', payload: { decision: 'deny' } }] as const;
    const told = receive(threadWith(), [
      started(),
      { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } },
      { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/b', value: 2 }] },
      { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/none' }] },
      finished({ type: 'interrupt', interrupts: [{ id: 'i', reason: 'x' }] }),
    ]);
    const answers = { kind: 'answers', entries } as const;
    const thread = reduceThread(told, { type: 'asked', runId: 'run-2', asked: answers, at });

    expect(inputOf(thread, 'run-2', {})).toMatchObject({ resume: entries, state: { a: 1, b: 2 } });
  });

  it('shows a late result of a call by the name of its call', () => {
    const first = receive(threadWith(), [
      started(),
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'delete_file' },
    ]);
    const result = { type: 'TOOL_CALL_RESULT', messageId: 't', toolCallId: 'c', content: 'gone' };
    const second = receive(asked(first, 'Go', 'run-2'), [started('run-2'), result], 'run-2');

    expect(turnOf(second).items).toMatchObject([{ kind: 'tool', name: 'delete_file', result: 'gone' }]);
  });

  it('asks again when an answer was not taken, and not when it was', () => {
    const interrupts = [{ id: 'i', reason: 'x' }];
    const told = receive(threadWith(), [started(), finished({ type: 'interrupt', interrupts })]);
    const answers = { kind: 'answers', entries: [{ interruptId: 'i', status: 'resolved' }] } as const;
    const answered = reduceThread(told, { type: 'asked', runId: 'run-2', asked: answers, at });
    const failing = (fault: string) => {
      const thrown = new ClientError({ code: 'VALIDATION_ERROR', message: 'no', fault });
      const failure = failureOfThrown(thrown, false);
      return openInterrupts(reduceThread(answered, { type: 'failed', runId: 'run-2', failure, at }));
    };

    expect(openInterrupts(told)).toEqual(interrupts);
    expect(openInterrupts(answered)).toEqual([]);
    expect(failing('RESUME_PAYLOAD_INVALID')).toEqual(interrupts);
    expect(failing('RESUME_ALREADY_APPLIED')).toEqual([]);
  });

  it('is called by its first words', () => {
    expect(threadWith('  Create a VPC\nplease').title).toBe('Create a VPC');
    expect(threadWith('x'.repeat(90)).title).toHaveLength(60);
  });
});

describe('a lost run', () => {
  const lost = (facts: Partial<ClientError>) =>
    new ClientError({ code: 'TRUNCATED', message: 'lost', ...facts });

  it('is looked for again, with longer waits, once it has begun', () => {
    const waits = [0, 1, 2, 9].map((attempts) => recover(lost({}), { hasBegun: true, attempts }));

    expect(waits.map((each) => each.kind === 'attach' && each.afterMs)).toEqual([500, 1_000, 2_000, 10_000]);
    expect(recover(lost({}), { hasBegun: true, attempts: 99 })).toMatchObject({ kind: 'fail' });
  });

  it('is only sent again under its own id when it may have arrived', () => {
    const refused = lost({ code: 'CONNECTION_FAILED' });

    expect(recover(refused, { hasBegun: false, attempts: 0 })).toMatchObject({
      failure: { remedy: 'same-run' },
    });
    const known = lost({ code: 'SESSION_BUSY', fault: 'DUPLICATE_RUN_ID' });
    expect(recover(known, { hasBegun: false, attempts: 0 })).toEqual({ kind: 'attach', afterMs: 0 });
    const gone = lost({ code: 'VALIDATION_ERROR', fault: 'EXECUTION_NOT_FOUND' });
    expect(recover(gone, { hasBegun: true, attempts: 1 })).toMatchObject({ failure: { remedy: 'new-run' } });
    const twice = lost({ code: 'VALIDATION_ERROR', fault: 'RESUME_ALREADY_APPLIED' });
    expect(recover(twice, { hasBegun: false, attempts: 0 })).toMatchObject({ failure: { remedy: 'none' } });
    expect(recover(lost({ code: 'ABORTED' }), { hasBegun: true, attempts: 0 })).toEqual({ kind: 'stop' });
  });
});

describe('settings of the chat page', () => {
  it('come back as they were, but for what looks like a secret', () => {
    const forwardedProps = {
      iacCode: { model: 'm', llmApiKey: 'k', alibabaCloud: { accessKeySecret: 's', regionId: 'r' } },
    };
    const settings = { ...readSettings(null), transport: 'sse', theme: 'dark', forwardedProps } as const;

    expect(readSettings(writeSettings(settings))).toEqual({
      ...settings,
      forwardedProps: { iacCode: { model: 'm', alibabaCloud: { regionId: 'r' } } },
    });
  });

  it('are the defaults where something else was kept', () => {
    for (const text of ['', '[]', '{"theme":1,"transport":{}}', 'null'])
      expect(readSettings(text)).toEqual(readSettings(null));
  });
});

describe('Markdown in blocks', () => {
  it('stays whole inside fences and lists', () => {
    const fence = '```yaml\na: 1\n\nb: 2\n```';
    const list = '1. one\n\n2. two\n\n   more';

    expect(markdownBlocks(`Text\n\n${fence}\n\n${list}\n\nEnd`)).toEqual(['Text', fence, list, 'End']);
  });

  it('loses no line, and never changes a block that is followed by another', () => {
    const line = fc.constantFrom('', 'text', '- item', '  more', '```', '~~~', '# head', '> quote');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const text = lines.join('\n');
        const kept = markdownBlocks(text)
          .join('\n')
          .split('\n')
          .filter((each) => each.trim() !== '');
        expect(kept).toEqual(lines.filter((each) => each.trim() !== ''));
        const earlier = markdownBlocks(lines.slice(0, -1).join('\n')).slice(0, -1);
        expect(markdownBlocks(text).slice(0, earlier.length)).toEqual(earlier);
      }),
    );
  });
});

describe('links', () => {
  it('lead to http, https and mail only', () => {
    const bad = [
      'javascript:alert(1)',
      ' JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc',
      '/path',
      '//host',
      'blob:x',
    ];

    expect(bad.filter((each) => safeLink(each) !== undefined)).toEqual([]);
    expect(['https://a.example/x', 'http://a.example', 'mailto:a@b.example'].map(safeLink)).not.toContain(
      undefined,
    );
  });
});

describe('a diagram of an agent', () => {
  it('has no tags, hidden or not, and no settings', () => {
    const source = '---\nconfig:\n  htmlLabels: true\n---\n%%{init: {"htmlLabels": true}}%%\ngraph TD\n';
    const nodes =
      'A["<img src=x onerror=a()>"] <--> B["#lt;img#gt; &#60;b&gt; #quot;x#quot;"]\n<<img onerror=a()>>';

    expect(safeDiagram(source + nodes)).toBe(
      '\ngraph TD\nA["‹img src=x onerror=a()>"] <--> B["lt;imggt; 60;bgt; #quot;x#quot;"]\n<‹img onerror=a()>>',
    );
  });

  it('keeps what diagrams are made of', () => {
    const source = 'classDiagram\n  class A["one<br/>two"]\n  <<interface>> A\n  A <|-- B\n  A <-- C : a < b';

    expect(safeDiagram(source)).toBe(source);
  });
});

describe('the event log', () => {
  it('finds events by all of the words, keeps the newest, and is saved line by line', () => {
    const log = addEvents(emptyLog, [{ type: 'A', x: 'Foo' }, { type: 'B' }], at);

    expect(filterEvents(log.entries, 'foo a')).toMatchObject([{ number: 1 }]);
    expect(toJsonLines(log.entries)).toBe('{"type":"A","x":"Foo"}\n{"type":"B"}\n');
    const many = addEvents(
      log,
      Array.from({ length: maxEntries }, () => ({ type: 'C' })),
      at,
    );
    expect([many.entries.length, many.entries[0]?.number, many.total]).toEqual([
      maxEntries,
      3,
      maxEntries + 2,
    ]);
  });
});

describe('the words of the chat page', () => {
  it('have the same values in every language', () => {
    const valuesOf = (text: string) => [...text.matchAll(/\{\{\w+\}\}/g)].map(String).sort();
    const different = Object.entries({ de, fr, it: italian, zh }).flatMap(([language, texts]) =>
      Object.entries(en)
        .filter(([key, text]) => {
          const other = texts[key as keyof typeof en];
          return other.trim() === '' || valuesOf(other).join() !== valuesOf(text).join();
        })
        .map(([key]) => `${language} ${key}`),
    );

    expect(different).toEqual([]);
  });

  it('are in the first language that the browser asks for and that there is', () => {
    expect(chooseLanguage('', ['ja', 'fr-CA', 'de'])).toBe('fr');
    expect(chooseLanguage('', ['zh-Hant-TW'])).toBe('zh');
    expect(chooseLanguage('it', ['fr'])).toBe('it');
    expect(chooseLanguage('', ['xx'])).toBe('en');
  });

  it('count', () => {
    expect([1, 2].map((count) => translator('fr')('stack.resources', { count }))).toEqual([
      '1 ressource',
      '2 ressources',
    ]);
    expect(translator('zh')('stack.resources', { count: 2 })).toBe('2 个资源');
  });
});
