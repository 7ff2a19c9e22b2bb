import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseParser, SseOverflow, type SseParserOptions } from '../../../src/wire/sse-parser.ts';

interface Parsed {
  readonly events: readonly (readonly [string, string | undefined, string | undefined])[];
  readonly comments: readonly string[];
  readonly isWhole: boolean;
}

const utf8 = new TextEncoder();

function parse(chunks: readonly (Uint8Array | string)[], options: Partial<SseParserOptions> = {}): Parsed {
  const events: (readonly [string, string | undefined, string | undefined])[] = [];
  const comments: string[] = [];
  const parser = createSseParser({
    onEvent: (data, id, event) => events.push([data, id, event]),
    onComment: (text) => comments.push(text),
    ...options,
  });
  for (const chunk of chunks) parser.feed(chunk);
  return { events, comments, isWhole: parser.end() };
}

function dataOf(text: string): readonly string[] {
  return parse([utf8.encode(text)]).events.map(([data]) => data);
}

/** The bytes, cut at the given places. */
function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((from, index) => bytes.subarray(from, sorted[index] ?? bytes.length));
}

describe('the SSE parser', () => {
  it('takes LF, CRLF and CR, also mixed', () => {
    expect(dataOf('data: 1\n\ndata: 2\r\n\r\ndata: 3\r\rdata: 4\r\n\ndata: 5\n\r')).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
  });

  it('joins several data lines with a line feed', () => {
    expect(dataOf('data: {\ndata:  "a": 1\r\ndata:}\n\n')).toEqual(['{\n "a": 1\n}']);
  });

  it('removes one byte order mark at the beginning, and leaves others alone', () => {
    expect(dataOf('\uFEFFdata: \uFEFFa\n\n')).toEqual(['\uFEFFa']);
  });

  it('tells id and event name of an event, and forgets them with it', () => {
    const { events } = parse(['id: 7\nevent: error\ndata: a\n\ndata: b\n\n']);

    expect(events).toEqual([
      ['a', '7', 'error'],
      ['b', undefined, undefined],
    ]);
  });

  it('hands comments over, and ignores fields that it does not know', () => {
    const { events, comments } = parse([': ping - 1\n\nretry: soon\nfoo: bar\ndata\n\n:\n']);

    expect(events.map(([data]) => data)).toEqual(['']);
    expect(comments).toEqual(['ping - 1', '']);
  });

  it('drops an event that the end of the stream cuts off, and says so', () => {
    expect(parse(['data: a\n\ndata: b\n'])).toMatchObject({
      events: [['a', undefined, undefined]],
      isWhole: false,
    });
    expect(parse(['data: a\n\ndata: b'])).toMatchObject({
      events: [['a', undefined, undefined]],
      isWhole: false,
    });
    expect(parse(['data: a\n\n: ping\n'])).toMatchObject({ isWhole: true });
    expect(parse(['data: a\r\r'])).toMatchObject({ events: [['a', undefined, undefined]], isWhole: true });
    expect(parse([])).toMatchObject({ events: [], isWhole: true });
  });

  it('replaces bytes that are no UTF-8 and reads on', () => {
    const bytes = new Uint8Array([...utf8.encode('data: a'), 0xff, ...utf8.encode('b\n\ndata: c\n\n')]);

    expect(parse([bytes]).events.map(([data]) => data)).toEqual(['a\uFFFDb', 'c']);
  });

  it('reads one event of many megabytes', () => {
    const large = 'x'.repeat(5 * 1024 * 1024);
    const bytes = utf8.encode(`data: ${large}\n\n`);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 16_384) }, (_, index) =>
      bytes.subarray(index * 16_384, (index + 1) * 16_384),
    );

    expect(parse(pieces).events.map(([data]) => data.length)).toEqual([large.length]);
  });

  it('delivers an event of exactly the greatest size, and throws at one character more, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 }),
        fc.array(fc.nat(40), { maxLength: 6 }),
        fc.constantFrom(0, 1, 2),
        (lines, places, excess) => {
          const whole = [...lines.map((length) => 'é'.repeat(length)), 'z'].join('\n');
          const bytes = utf8.encode(
            `${whole
              .split('\n')
              .map((line) => `data: ${line}\r\n`)
              .join('')}\r\n`,
          );
          const read = () => parse(cut(bytes, places), { maxEventChars: whole.length - excess }).events;

          if (excess === 0) expect(read()).toEqual([[whole, undefined, undefined]]);
          else expect(read).toThrow(SseOverflow);
        },
      ),
    );
  });

  it('stops holding an endless line, and keeps throwing', () => {
    const seen: string[] = [];
    const parser = createSseParser({ onEvent: (data) => seen.push(data), maxEventChars: 1_000 });
    parser.feed('data: first\n\ndata: ');
    const endless = (): void => {
      for (let count = 0; count < 100; count += 1) parser.feed('x'.repeat(1_000));
    };

    expect(endless).toThrow(SseOverflow);
    expect(() => parser.feed('\n\ndata: later\n\n')).toThrow(SseOverflow);
    expect(seen).toEqual(['first']);
  });

  it('gives the same events however the bytes of a stream are cut', () => {
    const line = fc.oneof(
      { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => `data: ${text}`) },
      fc.constantFrom(
        'data',
        'data:',
        ':',
        ': ping',
        'id: 1',
        'id:\0',
        'event: error',
        'retry: 5',
        'foo',
        'datax: 1',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constant(''),
      fc.constant(''),
    );
    const stream = fc
      .tuple(
        fc.constantFrom('', '\uFEFF', '\uFEFF\uFEFF'),
        fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 20 }),
      )
      .map(([mark, lines]) => utf8.encode(mark + lines.flat().join('')));

    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 30 }), (bytes, places) => {
        const whole = parse([bytes]);

        expect(parse(cut(bytes, places))).toEqual(whole);
        expect(parse(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole);
        expect(parse([new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)])).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });
});
