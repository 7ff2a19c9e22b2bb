/**
 * The languages that people can be spoken to, and in which of them a caller is answered: what the request asks for by
 * `preferredLanguage`, else by `Accept-Language`, else what the process falls back to. Never fails: whatever can't be
 * read counts as not said. Reads the environment nowhere; the locales are given.
 */
export const languages = ['en', 'zh', 'es', 'fr', 'de', 'ja', 'pt', 'it'] as const;
export type Language = (typeof languages)[number];

const supported: ReadonlySet<string> = new Set(languages);

export interface LanguageWishes {
  /** `forwardedProps.iacCode.preferredLanguage` as sent. Wins when it names a language of ours. */
  readonly preferred?: string | undefined;
  /** The `Accept-Language` header as sent. */
  readonly acceptLanguage?: string | undefined;
  readonly fallback: Language;
}

export function chooseLanguage(wishes: LanguageWishes): Language {
  const preferred = wishes.preferred === undefined ? undefined : toLanguage(wishes.preferred);
  return preferred ?? acceptedLanguage(wishes.acceptLanguage ?? '', wishes.fallback) ?? wishes.fallback;
}

/**
 * The fallback of a process: the first language of ours among its locales, given in the order of precedence
 * (`LANGUAGE`, `LC_ALL`, `LC_MESSAGES`, `LANG`); English when there is none.
 */
export function localeLanguage(locales: readonly (string | undefined)[]): Language {
  for (const locale of locales) {
    for (const name of (locale ?? '').split(':')) {
      const language = toLanguage(name);
      if (language !== undefined) return language;
    }
  }
  return 'en';
}

/** The highest quality wins, the earlier of equals; `*` stands for the fallback (RFC 9110, 12.5.4). */
function acceptedLanguage(header: string, fallback: Language): Language | undefined {
  let best: Language | undefined;
  let bestQuality = 0;
  for (const item of header.split(',')) {
    const [range = '', ...parameters] = item.split(';');
    const language = range.trim() === '*' ? fallback : toLanguage(range);
    if (language === undefined) continue;
    const quality = qualityOf(parameters);
    if (quality > bestQuality) {
      best = language;
      bestQuality = quality;
    }
  }
  return best;
}

const longestQuality = 16;

/** The first `q` parameter; 1 without one, 0 when it is no number from 0 to 1. */
function qualityOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=', 2);
    if (name.trim().toLowerCase() !== 'q') continue;
    const text = value.trim();
    const isNumber = text.length <= longestQuality && /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(text);
    const quality = isNumber ? Number(text) : 0;
    return quality <= 1 ? quality : 0;
  }
  return 1;
}

/**
 * The language of a tag (`zh-CN`), a locale (`pt_BR.UTF-8`) or a bare subtag, whatever its case; undefined when it is
 * not one of ours.
 */
export function toLanguage(tag: string): Language | undefined {
  const trimmed = tag.trim();
  const end = trimmed.search(/[-_.@]/);
  const subtag = (end === -1 ? trimmed : trimmed.slice(0, end)).toLowerCase();
  return isLanguage(subtag) ? subtag : undefined;
}

function isLanguage(subtag: string): subtag is Language {
  return supported.has(subtag);
}
