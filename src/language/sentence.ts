/**
 * A fault as one or two sentences for people: what is wrong and what to do. The texts hold `{name}` for a value of the
 * fault's detail, and `[…]` around a piece that is left out when a value in it is missing. Only what the detail holds is
 * filled in; an exception's own message never comes here.
 */
import type { FaultName } from '../errors/catalog.ts';
import type { Fault, FaultDetail } from '../errors/fault.ts';
import type { Language } from './choose-language.ts';
import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { it } from './texts/it.ts';
import { ja } from './texts/ja.ts';
import { pt } from './texts/pt.ts';
import { zh } from './texts/zh.ts';

export const texts: Readonly<Record<Language, Readonly<Record<FaultName, string>>>> = {
  en,
  zh,
  es,
  fr,
  de,
  ja,
  pt,
  it,
};

/** Longest value that is shown, in UTF-16 units; the rest is cut with an ellipsis. */
const maxValueLength = 160;

/** The public sentence of a fault. A value that the detail lacks leaves no trace. */
export function sentence(fault: Fault, language: Language): string {
  return texts[language][fault.fault].replace(
    /\[([^\]]*)\]|\{(\w+)\}/g,
    (_whole, piece: string | undefined, name) =>
      piece === undefined
        ? (shownValue(fault.detail, name, language) ?? '')
        : fillPiece(piece, fault.detail, language),
  );
}

function fillPiece(piece: string, detail: FaultDetail, language: Language): string {
  let isComplete = true;
  const filled = piece.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = shownValue(detail, name, language);
    isComplete &&= value !== undefined;
    return value ?? '';
  });
  return isComplete ? filled : '';
}

function shownValue(detail: FaultDetail, name: string, language: Language): string | undefined {
  const value = Object.hasOwn(detail, name) ? detail[name] : undefined;
  if (value === undefined) return undefined;
  const shown = typeof value === 'number' ? value.toLocaleString(language) : visible(value);
  return shown === '' ? undefined : shown;
}

/** Values may come from the caller: no control or direction characters, and never long. */
function visible(value: string): string {
  const head = value
    .slice(0, maxValueLength)
    .replace(/\p{C}+/gu, ' ')
    .trim();
  return value.length > maxValueLength ? `${head}…` : head;
}
