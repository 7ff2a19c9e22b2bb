import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownPrefixLength, TextTrack } from '../../../src/translate/text-track.ts';

function trackOf(pieces: readonly string[]): TextTrack {
  const track = new TextTrack();
  for (const piece of pieces) track.append(piece);
  return track;
}

const long = Array.from({ length: 4_000 }, (_, index) => `word ${index} `);

describe('a text that is remembered without its words', () => {
  it('has the same digest however it was cut, surrogate pairs included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, at) => {
        const cut = text.length === 0 ? 0 : at % text.length;

        expect(trackOf([text.slice(0, cut), text.slice(cut)]).digest()).toEqual(trackOf([text]).digest());
      }),
    );
    expect(trackOf(long).digest()).toEqual(trackOf([long.join('')]).digest());
  });

  it.each([[['Hel', 'lo']], [long]])('knows what another text holds behind it', (pieces) => {
    const track = trackOf(pieces);

    expect(track.missingOf(`${pieces.join('')} and more`)).toBe(' and more');
    expect(track.missingOf(pieces.join(''))).toBe('');
    expect(track.isPrefixOf(`x${pieces.join('')}`)).toBe(false);
  });

  it('finds its end in a text that has lost its beginning', () => {
    expect(trackOf(long).missingOf(`${long.slice(-500).join('')}and more`)).toBe('and more');
  });

  it('claims nothing about a text that it does not end in', () => {
    expect(trackOf(long).missingOf('something else entirely')).toBeUndefined();
    expect(trackOf(['Hel']).missingOf('something with Hel in it')).toBeUndefined();
  });
});

describe('texts known by their digests', () => {
  it('tells the longest one that another text begins with', () => {
    const known = [trackOf(['Hello']).digest(), trackOf(['Hello, wor']).digest(), trackOf(['Bye']).digest()];

    expect(knownPrefixLength('Hello, world', known)).toBe('Hello, wor'.length);
    expect(knownPrefixLength('Hello!', known)).toBe('Hello'.length);
    expect(knownPrefixLength('Good bye', known)).toBe(0);
  });
});
