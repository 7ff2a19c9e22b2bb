import { describe, expect, it } from 'vitest';
import { languages } from '../../../src/language/choose-language.ts';
import { interruptTexts } from '../../../src/language/interrupt-text.ts';

describe('interruptTexts', () => {
  it('has words of its own for both kinds of question in every language', () => {
    const all = languages.flatMap((language) => Object.values(interruptTexts(language)));

    expect(new Set(all).size).toBe(languages.length * 2);
    expect(all.every((text) => text.trim() === text && text.length > 0)).toBe(true);
  });

  it.each([
    ['fr-CA', 'Une réponse est nécessaire'],
    ['zh_CN', '需要您的输入'],
    ['nl', 'Input is required'],
    ['', 'Input is required'],
  ])('speaks to %j as %s', (tag, expected) => {
    expect(interruptTexts(tag).inputRequired).toBe(expected);
  });
});
