import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxJsonDepth, parseJsonBytes, parseJsonText } from '../../../src/wire/json-text.ts';

describe('reading JSON from a request', () => {
  it('gives what JSON.parse gives for every JSON text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        fc.pre(!JSON.stringify(value).includes('__proto__'));
        const parsed = parseJsonBytes(new TextEncoder().encode(JSON.stringify(value)));

        expect(parsed).toEqual({ ok: true, value: JSON.parse(JSON.stringify(value)) });
      }),
    );
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(typeof parseJsonBytes(bytes).ok).toBe('boolean');
      }),
    );
  });

  it('tolerates a byte order mark', () => {
    expect(parseJsonBytes(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))).toEqual({ ok: true, value: 1 });
  });

  it('takes nesting up to its limit and not beyond', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

    expect(parseJsonText(nested(maxJsonDepth)).ok).toBe(true);
    expect(parseJsonText(nested(maxJsonDepth + 1))).toMatchObject({
      ok: false,
      fault: { fault: 'body-too-deep' },
    });
    expect(parseJsonText(nested(100_000))).toMatchObject({ ok: false });
  });
});
