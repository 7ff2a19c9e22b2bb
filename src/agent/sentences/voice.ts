/** Which language the offline author speaks, and how it puts words together in it. */
import type { Turn } from '../author.ts';
import { isSpoken, languageOf, type SpokenLanguage } from '../understanding/language.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import { italian } from './it.ts';
import { japanese } from './ja.ts';
import { portuguese } from './pt.ts';
import type { Sentences } from './sentences.ts';
import { chinese } from './zh.ts';

export const sentencesOf: Readonly<Record<SpokenLanguage, Sentences>> = {
  de: german,
  en: english,
  es: spanish,
  fr: french,
  it: italian,
  ja: japanese,
  pt: portuguese,
  zh: chinese,
};

/** What the caller demands, then the person's own words, then the conversation's language, then what is preferred. */
export function chooseLanguage(
  { language, demandedLanguage }: Turn,
  folded: string,
  before: string | undefined,
): SpokenLanguage {
  if (isSpoken(demandedLanguage)) return demandedLanguage;
  const told = languageOf(folded, [before, language]);
  if (told !== undefined) return told;
  if (isSpoken(before)) return before;
  return isSpoken(language) ? language : 'en';
}

export function joined(list: readonly string[], language: SpokenLanguage): string {
  const { and } = sentencesOf[language];
  if (list.length < 2) return list[0] ?? '';
  const isUnspaced = language === 'zh' || language === 'ja';
  const [comma, last] = isUnspaced ? ['、', and] : [', ', ` ${and} `];
  return `${list.slice(0, -1).join(comma)}${last}${list.at(-1)}`;
}

/** Word by word, so that a reader sees it come; Chinese and Japanese, which have no blanks, by their marks. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/[^\s，。：、]*[\s，。：、]+|[^\s，。：、]+/gu) ?? [];
}
