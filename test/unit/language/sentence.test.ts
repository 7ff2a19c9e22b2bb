import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FaultName, faultNames } from '../../../src/errors/catalog.ts';
import { fault } from '../../../src/errors/fault.ts';
import { languages } from '../../../src/language/choose-language.ts';
import { sentence, texts } from '../../../src/language/sentence.ts';

/** The values that the code gives with each fault. */
const placeholders: Partial<Record<FaultName, readonly string[]>> = {
  'media-type-unsupported': ['given'],
  'body-too-large': ['limit'],
  'body-too-deep': ['limit'],
  'body-forbidden-key': ['key'],
  'method-not-allowed': ['allowed'],
  'envelope-invalid': ['where', 'problem'],
  'protocol-version-unsupported': ['given', 'supported'],
  'control-unknown': ['given'],
  'extension-invalid': ['where', 'problem'],
  'content-unsupported': ['type'],
  'media-type-not-an-image': ['given'],
  'media-too-large': ['limit'],
  'media-too-large-together': ['limit'],
  'resume-incomplete': ['missing'],
  'interrupt-unknown': ['id'],
  'payload-invalid': ['where', 'problem'],
  'too-many-requests': ['seconds'],
  'too-many-runs': ['limit'],
  'too-many-sockets': ['limit'],
  'too-many-sessions': ['limit'],
  'too-many-threads': ['limit'],
  'kernel-version': ['offered', 'needed'],
};

const cells = languages.flatMap((language) => faultNames.map((name) => ({ language, name })));
const names = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

describe('the texts', () => {
  it.each(languages)('have a sentence for every fault and no other in %s', (language) => {
    expect(Object.keys(texts[language]).sort()).toEqual([...faultNames].sort());
  });

  it('use exactly the values that come with a fault, in every language', () => {
    for (const { language, name } of cells) {
      const used = names(texts[language][name]);

      expect(used.sort(), `${language} ${name}`).toEqual([...(placeholders[name] ?? [])].sort());
    }
  });

  it('keep every value in a piece that can be left out', () => {
    for (const { language, name } of cells) {
      const outside = texts[language][name].replaceAll(/\[[^\]]*\]/g, '');

      expect(outside, `${language} ${name}`).not.toMatch(/[{}[\]]/);
    }
  });

  it('are translated: no language repeats another', () => {
    for (const name of faultNames) {
      const sentences = languages.map((language) => texts[language][name]);

      expect(new Set(sentences).size, name).toBe(languages.length);
    }
  });

  it('are one or two sentences that end as their language does', () => {
    for (const { language, name } of cells) {
      const text = sentence(fault(name), language);
      const ends = language === 'zh' || language === 'ja' ? /。/g : /\.(?= |$)/g;

      expect(text.match(ends)?.length, `${language} ${name}`).toBeOneOf([1, 2]);
      expect(text, `${language} ${name}`).toMatch(/[.。]$/);
      expect(text.length, `${language} ${name}`).toBeLessThan(240);
      expect(text, `${language} ${name}`).not.toMatch(/[!?！？]/);
    }
  });

  it('leave no trace of missing values', () => {
    for (const { language, name } of cells) {
      const text = sentence(fault(name), language);

      expect(text, `${language} ${name}`).not.toMatch(
        /[{}[\]]|\(\)|（）|“”|「」|«\s*»|„“| {2}| [.,;:]|[:：]\s*[.。]/,
      );
    }
  });

  it('name the same protocol words in every language', () => {
    const words =
      /\b(?:[a-z]+[A-Z]\w*(?:\.\w+)*|cwd|payload|UTF-8|JSON|PNG|AG-UI|A2A|Accept|Authorization)\b/g;
    for (const name of faultNames) {
      const expected = [...new Set(texts.en[name].replaceAll(/\{\w+\}/g, '').match(words))].sort();
      for (const language of languages) {
        for (const word of expected) expect(texts[language][name], `${language} ${name}`).toContain(word);
      }
    }
  });

  it('set French with no-break spaces around its tall punctuation', () => {
    for (const name of faultNames) {
      expect(texts.fr[name], name).not.toMatch(/ [:;»]|« |[^\u00a0][:;»]|«[^\u00a0]|'/);
    }
  });

  it('write Chinese and Japanese with full-width punctuation', () => {
    for (const language of ['zh', 'ja'] as const) {
      for (const name of faultNames) {
        expect(texts[language][name], `${language} ${name}`).not.toMatch(
          /[\u3040-\u30ff\u4e00-\u9fff][,;:?!()]/u,
        );
      }
    }
  });
});

describe('sentence', () => {
  it('fills in the values of the fault', () => {
    const invalid = fault('envelope-invalid', { where: 'messages[0].content', problem: 'expected a string' });

    expect(sentence(invalid, 'en')).toBe(
      'The run input is not valid at messages[0].content: expected a string. Correct it and send it again.',
    );
    expect(sentence(invalid, 'de')).toBe(
      'Die Eingabe für den Lauf ist ungültig bei messages[0].content: „expected a string“. Berichtigen Sie sie und senden Sie sie erneut.',
    );
  });

  it('leaves out only the piece whose value is missing', () => {
    expect(sentence(fault('envelope-invalid', { where: 'threadId' }), 'en')).toBe(
      'The run input is not valid at threadId. Correct it and send it again.',
    );
    expect(sentence(fault('kernel-version', { offered: '0.3' }), 'en')).toBe(
      'The agent speaks an unsupported version of A2A. Ask the operator to update it.',
    );
  });

  it('writes numbers as the language does', () => {
    const tooLarge = fault('body-too-large', { limit: 12_582_912 });

    expect(sentence(tooLarge, 'en')).toContain('12,582,912 bytes');
    expect(sentence(tooLarge, 'de')).toContain('12.582.912 Byte');
  });

  it('never shows the cause or its words', () => {
    const cause = new Error('ENOENT /srv/secret/threads/t.json');

    for (const { language, name } of cells) {
      expect(sentence(fault(name, {}, cause), language)).not.toMatch(/ENOENT|\/srv|Error/);
    }
  });

  it('treats brackets, braces and dollar signs in a value as text', () => {
    expect(sentence(fault('interrupt-unknown', { id: '$& [{id}] $1' }), 'en')).toContain('“$& [{id}] $1”');
  });

  it('shows values from a caller on one line, without direction marks, and shortened', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 2_000 }),
        fc.constantFrom(...languages),
        (id, language) => {
          const text = sentence(fault('interrupt-unknown', { id }), language);

          expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
          expect(text.length).toBeLessThan(400);
        },
      ),
    );
  });

  it('does not read members that a detail inherits', () => {
    const detail = Object.create({ id: 'inherited' }) as Record<string, string>;

    expect(sentence(fault('interrupt-unknown', detail), 'en')).not.toContain('inherited');
  });
});
