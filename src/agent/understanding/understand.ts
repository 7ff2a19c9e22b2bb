/** What a message asks for: parts of a template with what is said about them, the platform, and what is to be done. */
import { type Part, type PartKind, type Platform, partKinds } from '../templates/template-request.ts';
import { cloudFormationWords, fold, type Intent, intentWords, partWords, rosWords } from './words.ts';

export interface Understood {
  readonly folded: string;
  readonly platform: Platform | undefined;
  /** In the order in which they were named. */
  readonly parts: readonly Part[];
  readonly intents: ReadonlySet<Intent>;
  /** `2`, `the first one`: an answer to a list. Counted from 1. */
  readonly choice: number | undefined;
  /** A number of subnets that was named, with or without a VPC. */
  readonly subnets: number | undefined;
  readonly name: string | undefined;
  /** A file that was named, such as `vpc.yaml`. */
  readonly file: string | undefined;
}

export function understand(text: string): Understood {
  const folded = fold(text);
  const intents = new Set<Intent>();
  for (const [intent, pattern] of Object.entries(intentWords))
    if (pattern.test(folded)) intents.add(intent as Intent);
  const name = nameOf(text);
  const subnets = countOf(
    folded,
    /subnets?|sous-?reseaux?|sottoret[ei]|subredes|sub-?redes|subnetze?n?|子网|サブネット/,
  );
  return {
    folded,
    platform: rosWords.test(folded) ? 'ros' : cloudFormationWords.test(folded) ? 'cloudformation' : undefined,
    parts: kindsIn(folded).map((kind) => partOf(kind, folded, subnets, name)),
    intents,
    choice: choiceOf(folded),
    subnets,
    name,
    file: /[A-Za-z0-9_-][A-Za-z0-9_./-]{0,100}\.[A-Za-z0-9]{1,8}(?![A-Za-z0-9/])/.exec(text)?.[0],
  };
}

function kindsIn(folded: string): readonly PartKind[] {
  return partKinds
    .map((kind) => ({ kind, at: folded.search(partWords[kind]) }))
    .filter(({ at }) => at >= 0)
    .sort((left, right) => left.at - right.at)
    .map(({ kind }) => kind);
}

function partOf(kind: PartKind, folded: string, subnets: number | undefined, name: string | undefined): Part {
  const named = name === undefined ? {} : { name };
  switch (kind) {
    case 'vpc': {
      const cidr = /\b(\d{1,3}(?:\.\d{1,3}){3}\/\d{1,2})\b/.exec(folded)?.[1];
      const nat = /\bnat\b/.test(folded);
      return {
        kind,
        ...named,
        ...(cidr === undefined ? {} : { cidr }),
        ...(subnets === undefined ? {} : { subnets }),
        ...(nat ? { nat } : {}),
      };
    }
    case 'queue':
      return { kind, ...named, ...(/\bfifo\b/.test(folded) ? { fifo: true } : {}) };
    case 'function':
      if (/\bpython\b/.test(folded)) return { kind, ...named, runtime: 'python' };
      return {
        kind,
        ...named,
        ...(/\bnode(?:\.?js)?\b|javascript|typescript/.test(folded) ? { runtime: 'nodejs' as const } : {}),
      };
    case 'database': {
      const engine = /postgres/.test(folded) ? 'postgres' : /mysql/.test(folded) ? 'mysql' : undefined;
      return { kind, ...named, ...(engine === undefined ? {} : { engine }) };
    }
    case 'web-server': {
      const instances = countOf(folded, /instances?|serveurs?|servers?|istanze?|server|台|实例/);
      return { kind, ...named, ...(instances === undefined || instances < 2 ? {} : { instances }) };
    }
    case 'bucket':
      return { kind, ...named };
  }
}

const numerals: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  un: 1,
  une: 1,
  deux: 2,
  trois: 3,
  quatre: 4,
  cinq: 5,
  uno: 1,
  una: 1,
  due: 2,
  tre: 3,
  quattro: 4,
  cinque: 5,
  sei: 6,
  dos: 2,
  tres: 3,
  cuatro: 4,
  dois: 2,
  quatro: 4,
  zwei: 2,
  drei: 3,
  vier: 4,
  一: 1,
  两: 2,
  二: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
};

/** The number before a word: `3 subnets`, `trois sous-réseaux`, `两个子网`. */
function countOf(folded: string, word: RegExp): number | undefined {
  const words = Object.keys(numerals).join('|');
  const before =
    '(?:\\s+(?:public|private|public and private|publics?|prives?|pubblich[ei]|privat[ei]))?\\s*[个台]?\\s*';
  const match = new RegExp(`(\\d{1,2}|${words})${before}(?:${word.source})`, 'u').exec(folded);
  const found = match?.[1];
  if (found === undefined) return undefined;
  return /^\d+$/.test(found) ? Number(found) : numerals[found];
}

/** Said in quotes, or behind a word for a name. */
function nameOf(text: string): string | undefined {
  const match =
    /(?<!\p{L})(?:named|called|name|nomm[ée]e?s?|appel[ée]e?|chiamat[aoei]|nome|llamad[ao]|namens|名为|叫做?|命名为)\s*[:=]?\s*["'«“]?\s*([A-Za-z][A-Za-z0-9-]{1,40})/u.exec(
      text,
    ) ?? /["«“]\s*([A-Za-z][A-Za-z0-9-]{1,40})\s*["»”]/u.exec(text);
  return match?.[1];
}

const ordinals: readonly RegExp[] = [
  /\b(?:first|premiere?|primo|prima|primer[oa]?|primeir[oa]|erste[nrs]?)\b|第一/,
  /\b(?:second|deuxieme|seconde|secondo|seconda|segund[oa]|zweite[nrs]?)\b|第二/,
  /\b(?:third|troisieme|terz[oa]|tercer[oa]?|terceir[oa]|dritte[nrs]?)\b|第三/,
  /\b(?:fourth|quatrieme|quart[oa]|cuart[oa]|vierte[nrs]?)\b|第四/,
  /\b(?:fifth|cinquieme|quint[oa]|funfte[nrs]?)\b|第五/,
  /\b(?:sixth|sixieme|sest[oa]|sext[oa]|sechste[nrs]?)\b|第六/,
];

function choiceOf(folded: string): number | undefined {
  const number = /^\D{0,12}(\d)\D{0,12}$/.exec(folded.trim())?.[1];
  if (number !== undefined) return Number(number);
  const index = ordinals.findIndex((pattern) => pattern.test(folded));
  return index < 0 ? undefined : index + 1;
}
