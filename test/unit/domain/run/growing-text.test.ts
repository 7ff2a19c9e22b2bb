import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrowingText } from '../../../../src/domain/run/growing-text.ts';

const blockLength = 16_384;

describe('a growing text', () => {
  it('is all its pieces, one behind the other, and so is a copy that goes its own way', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 30_000 })), fc.string(), (pieces, more) => {
        const text = new GrowingText(Number.POSITIVE_INFINITY);
        for (const piece of pieces) text.append(piece);
        const copy = text.copy();
        copy.append(more);

        expect(text.toString()).toBe(pieces.join(''));
        expect(text.length).toBe(pieces.join('').length);
        expect(copy.toString()).toBe(pieces.join('') + more);
      }),
      { numRuns: 50 },
    );
  });

  it('gives up its beginning when it is too long, and keeps at least the newest as long as it may be', () => {
    const maxLength = 100_000;
    const text = new GrowingText(maxLength);
    let whole = '';
    for (let index = 0; index < 40_000; index += 1) {
      text.append(`${index} `);
      whole += `${index} `;
      expect(text.length).toBeLessThanOrEqual(maxLength + 2 * blockLength);
    }

    expect(whole.endsWith(text.toString())).toBe(true);
    expect(text.length).toBeGreaterThan(maxLength - blockLength);
  });
});
