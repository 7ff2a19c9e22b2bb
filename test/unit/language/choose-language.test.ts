import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chooseLanguage,
  type Language,
  languages,
  localeLanguage,
  toLanguage,
} from '../../../src/language/choose-language.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const headers: readonly (readonly [header: string, expected: Language, why: string])[] = [
  ['', 'pt', 'an empty header says nothing'],
  ['de', 'de', 'a bare tag'],
  ['zh-CN', 'zh', 'a region is cut off'],
  ['zh_Hant_TW', 'zh', 'underscores count as hyphens'],
  [' FR-ca ', 'fr', 'case and blanks do not matter'],
  ['de, fr', 'de', 'the earlier of equals'],
  ['de;q=0.5, fr;q=0.5', 'de', 'the earlier of equal qualities'],
  ['de;q=0.4, fr;q=0.9, es;q=0.8', 'fr', 'the highest quality'],
  ['de;q=0.4, fr', 'fr', 'no quality is the highest'],
  ['nl, sv;q=0.9, ja;q=0.1', 'ja', 'languages that are not ours are passed over'],
  ['nl, sv', 'pt', 'nothing of ours at all'],
  ['*', 'pt', 'any language is the fallback'],
  ['*;q=0.9, de;q=0.5', 'pt', 'any language competes with its quality'],
  ['*;q=0.1, de;q=0.5', 'de', 'a named language of higher quality beats any'],
  ['de;q=0, fr;q=0.1', 'fr', 'quality 0 is a refusal'],
  ['de;q=1.1, fr;q=0.1', 'fr', 'a quality above 1 does not count'],
  ['de;q=-1, fr;q=0.1', 'fr', 'a negative quality does not count'],
  ['de;q=NaN, fr;q=0.1', 'fr', 'a quality that is no number does not count'],
  ['de;q=Infinity, fr;q=0.1', 'fr', 'an infinite quality does not count'],
  ['de;q=0x1, fr;q=0.1', 'fr', 'hexadecimal is no quality'],
  ['de;q=, fr;q=0.1', 'fr', 'an empty quality does not count'],
  ['de;Q=0.2, fr;q=0.1', 'de', 'the parameter name has no case'],
  ['de;level=1;q=0.2, fr;q=0.1', 'de', 'other parameters are passed over'],
  ['de;q=0.1;q=1, fr;q=0.2', 'fr', 'the first quality counts'],
  ['de ; q = 0.3 , fr;q=0.2', 'de', 'blanks around everything'],
  ['de;q=.5, fr;q=0.2', 'de', 'a quality without its leading zero'],
  [',,;;=,de', 'de', 'empty items'],
];

describe('chooseLanguage', () => {
  it.each(headers)('reads Accept-Language %j as %s: %s', (header, expected) => {
    expect(chooseLanguage({ acceptLanguage: header, fallback: 'pt' })).toBe(expected);
  });

  it('prefers what the request names over the header', () => {
    expect(chooseLanguage({ preferred: 'fr-FR', acceptLanguage: 'de', fallback: 'en' })).toBe('fr');
  });

  it('keeps to the header when the request names a language that is not ours', () => {
    expect(chooseLanguage({ preferred: 'tlh', acceptLanguage: 'de', fallback: 'en' })).toBe('de');
  });

  it('falls back when nobody says anything', () => {
    expect(chooseLanguage({ fallback: 'it' })).toBe('it');
  });

  it('gives a language of ours for any header and any wish', () => {
    const item = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.constantFrom(...languages, '*', 'xx', 'de-AT'), fc.string())
        .map(([tag, q]) => `${tag};q=${q}`),
    );
    fc.assert(
      fc.property(
        fc.array(item),
        fc.string({ unit: 'binary' }),
        fc.constantFrom(...languages),
        (items, preferred, fallback) => {
          const chosen = chooseLanguage({ preferred, acceptLanguage: items.join(','), fallback });

          expect(languages).toContain(chosen);
        },
      ),
    );
  });

  it('picks the highest quality of any well-formed header', () => {
    const entries = fc.uniqueArray(
      fc.record({ tag: fc.constantFrom(...languages), quality: fc.integer({ min: 1, max: 1000 }) }),
      { selector: ({ quality }) => quality, minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(entries, (list) => {
        const acceptLanguage = list.map(({ tag, quality }) => `${tag};q=${quality / 1000}`).join(', ');
        const best = list.reduce((left, right) => (right.quality > left.quality ? right : left));

        expect(chooseLanguage({ acceptLanguage, fallback: 'en' })).toBe(best.tag);
      }),
    );
  });

  it.each([
    ['commas', ','],
    ['semicolons', ';'],
    ['equal signs', '='],
    ['digits in a quality', '1'],
    ['blanks', ' '],
    ['hyphens', '-'],
    ['tags', 'de;q=0.1,'],
  ])('takes time in proportion to a hostile header of %s', (_name, unit) => {
    const started = cpuMs();
    const header = `de;q=${unit.repeat(200_000 / unit.length)}x`;

    expect(languages).toContain(
      chooseLanguage({ preferred: header, acceptLanguage: header, fallback: 'en' }),
    );
    // Quadratic work on 200 kB takes many seconds; linear work takes milliseconds.
    expect(cpuMs() - started).toBeLessThan(2_000);
  });
});

describe('localeLanguage', () => {
  it.each([
    [[undefined, 'zh_CN.UTF-8', 'de'], 'zh'],
    [['C.UTF-8', 'POSIX', 'pt_BR@euro'], 'pt'],
    [['nl:fr:de', undefined], 'fr'],
    [[undefined, ''], 'en'],
    [[], 'en'],
  ] as const)('takes from %j the first language of ours', (locales, expected) => {
    expect(localeLanguage(locales)).toBe(expected);
  });
});

describe('toLanguage', () => {
  it('does not take members that every object has for languages', () => {
    expect(toLanguage('constructor')).toBeUndefined();
    expect(toLanguage('__proto__')).toBeUndefined();
  });
});
