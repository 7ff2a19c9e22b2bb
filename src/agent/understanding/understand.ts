/** What a message asks for: parts of a template with what is said about them, the platform, and what is to be done. */
import { type Part, type PartKind, type Platform, partKinds } from '../templates/template-request.ts';
import { type Details, detailsOf, isTakenBack, namingsIn, partOf } from './details.ts';
import { cloudFormationWords, fold, type Intent, intentWords, partWords, rosWords } from './words.ts';

export interface Understood {
  readonly folded: string;
  readonly platform: Platform | undefined;
  /** In the order in which they were named. */
  readonly parts: readonly Part[];
  /** What is said about a part, also where none is named: « make it 3 subnets », « without NAT ». */
  readonly details: Details;
  readonly intents: ReadonlySet<Intent>;
  /** `2`, `1 and 3`, `the first one`: an answer to a list. Counted from 1. */
  readonly choices: readonly number[];
  /** A file that was named, such as `vpc.yaml`, as it was written. */
  readonly file: string | undefined;
}

export function understand(text: string): Understood {
  const folded = fold(text);
  const intents = new Set<Intent>();
  for (const [intent, pattern] of Object.entries(intentWords))
    if (pattern.test(folded)) intents.add(intent as Intent);
  const file = fileOf(text);
  const words = file === undefined ? folded : folded.replace(fold(file), ' ');
  const details = detailsOf(text, folded);
  return {
    folded,
    platform: platformIn(words),
    parts: partsIn(words, text, details),
    details,
    intents,
    choices: choicesOf(folded),
    file,
  };
}

/** The platform that words are about, if they are about one. `words` as `fold` gives them. */
export function platformIn(words: string): Platform | undefined {
  if (rosWords.test(words)) return 'ros';
  return cloudFormationWords.test(words) ? 'cloudformation' : undefined;
}

/** Of several names each belongs to the part right before it; a single one belongs to all that is asked for. */
function partsIn(words: string, text: string, details: Details): readonly Part[] {
  const namings = namingsIn(text);
  const kinds = kindsIn(words);
  if (namings.length < 2) return kinds.map((kind) => partOf(kind, details));
  const names = new Map(namings.map(({ before, name }) => [kindsIn(fold(before)).at(-1), name]));
  const { name: _first, ...others } = details;
  return kinds.map((kind) => {
    const name = names.get(kind);
    return partOf(kind, name === undefined ? others : { ...others, name });
  });
}

/** « No VPC, only a bucket » names a bucket; « remove the bucket » names it too. */
function kindsIn(folded: string): readonly PartKind[] {
  return partKinds
    .map((kind) => ({ kind, at: placeOf(kind, folded) }))
    .filter(({ at }) => at >= 0)
    .sort((left, right) => left.at - right.at)
    .map(({ kind }) => kind);
}

function placeOf(kind: PartKind, folded: string): number {
  const isRemoval = intentWords.delete.test(folded);
  for (const match of folded.matchAll(new RegExp(partWords[kind], 'gu'))) {
    if (isRemoval || !isTakenBack(folded.slice(0, match.index))) return match.index;
  }
  return -1;
}

/** Dots and slashes in front belong to it: what leads out of the workspace must be seen by its guard. */
function fileOf(text: string): string | undefined {
  return /(?<![A-Za-z0-9:/.@_-])(?:\.{0,2}\/)*[A-Za-z0-9_-][A-Za-z0-9_./-]{0,100}\.(?:ya?ml|json|template|txt|md|tf)(?![A-Za-z0-9/])/i.exec(
    text.slice(0, 4_000),
  )?.[0];
}

const ordinals: readonly RegExp[] = [
  /\b(?:first|premiere?|primo|prima|primer[oa]?|primeir[oa]|erste[nrs]?)\b|第一|一番目/,
  /\b(?:second|deuxieme|seconde|secondo|seconda|segund[oa]|zweite[nrs]?)\b|第二|二番目/,
  /\b(?:third|troisieme|terz[oa]|tercer[oa]?|terceir[oa]|dritte[nrs]?)\b|第三|三番目/,
  /\b(?:fourth|quatrieme|quart[oa]|cuart[oa]|vierte[nrs]?)\b|第四|四番目/,
  /\b(?:fifth|cinquieme|quint[oa]|funfte[nrs]?)\b|第五|五番目/,
  /\b(?:sixth|sixieme|sest[oa]|sext[oa]|sechste[nrs]?)\b|第六|六番目/,
];

/** Single digits with little between them, or ordinals: « 1 and 3 », « the first one ». */
function choicesOf(folded: string): readonly number[] {
  if (/^(?:\D{0,12}(?<!\d)\d(?!\d)){1,6}\D{0,12}$/.test(folded.trim()))
    return [...new Set(folded.match(/\d/g)?.map(Number))];
  return ordinals.flatMap((pattern, index) => (pattern.test(folded) ? [index + 1] : []));
}
