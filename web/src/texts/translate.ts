/** Which language, and its words. i18next does plurals and values; nothing is loaded from elsewhere. */
import i18next from 'i18next';
import { de } from './de.ts';
import { en, type TextKey } from './en.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { zh } from './zh.ts';

export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  it: 'Italiano',
  zh: '中文',
} as const;
export type Language = keyof typeof languages;

/** Keys that i18next finds by the count. */
type PluralKey = 'stack.resources';
export type Translate = (
  key: TextKey | PluralKey,
  values?: Readonly<Record<string, string | number>>,
) => string;

const i18n = i18next.createInstance({
  lng: 'en',
  fallbackLng: 'en',
  keySeparator: false,
  nsSeparator: false,
  initAsync: false,
  // React escapes what it shows.
  interpolation: { escapeValue: false },
  resources: Object.fromEntries(
    Object.entries({ en, de, fr, it, zh }).map(([tag, translation]) => [tag, { translation }]),
  ),
});
void i18n.init();

/** The wish, else the first of the browser's languages that we have, else English. */
export function chooseLanguage(wish: string, preferred: readonly string[]): Language {
  for (const tag of [wish, ...preferred]) {
    const base = tag.toLowerCase().split('-', 1)[0] ?? '';
    if (isLanguage(base)) return base;
  }
  return 'en';
}

export function translator(language: Language): Translate {
  const fixed = i18n.getFixedT(language);
  return (key, values = {}) => fixed(key, values);
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(languages, tag);
}
