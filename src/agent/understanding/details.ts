/** What a message says about a part, wherever it stands in the words: numbers, a block, a name, an engine. */
import type { Part, PartKind } from '../templates/template-request.ts';

export interface Details {
  readonly name?: string;
  readonly cidr?: string;
  readonly subnets?: number;
  readonly nat?: boolean;
  readonly fifo?: boolean;
  readonly runtime?: 'nodejs' | 'python';
  readonly engine?: 'mysql' | 'postgres';
  readonly instances?: number;
}

/** Everything that stands before a word and takes it back. */
const negation =
  "(?:without|no|not|drop|remove|don't (?:create|make|want|need)|do not (?:create|make|want|need)|sans|pas de|enleve[rz]?|supprime[rz]?|senza|non|togli|rimuovi|sin|sem|quita|remova|ohne|keine?n?|entferne|不要|不需要|不用|无|去掉|删除)";
const article = '(?:\\s*(?:an?|the|any|un|une|le|la|il|lo|el|o|a|das|der|die|den|ein|eine)(?![a-z0-9]))?';

/** Whether the words right before a place take back what follows. */
export function isTakenBack(before: string): boolean {
  return new RegExp(`(?<![a-z0-9])${negation}${article}\\s*$`).test(before.slice(-48));
}

/** `text` as written, `folded` as `words.fold` gives it. */
export function detailsOf(text: string, folded: string): Details {
  const found: { -readonly [Key in keyof Details]: Details[Key] } = {};
  const name = nameOf(text);
  const cidr = /(?<![\d.])(\d{1,3}(?:\.\d{1,3}){3}\/\d{1,2})(?!\d)/.exec(folded)?.[1];
  const subnets = countOf(folded, subnetWords) ?? countOf(folded, zoneWords);
  const instances = countOf(folded, instanceWords);
  const nat = natOf(folded);
  if (name !== undefined) found.name = name;
  if (cidr !== undefined) found.cidr = cidr;
  if (subnets !== undefined) found.subnets = subnets;
  if (nat !== undefined) found.nat = nat;
  if (/(?<![a-z0-9])fifo(?![a-z0-9])/.test(folded)) found.fifo = true;
  if (/(?<![a-z0-9])python/.test(folded)) found.runtime = 'python';
  else if (/(?<![a-z0-9])node(?:\.?js)?(?![a-z0-9])|javascript|typescript/.test(folded))
    found.runtime = 'nodejs';
  if (/postgres/.test(folded)) found.engine = 'postgres';
  else if (/mysql/.test(folded)) found.engine = 'mysql';
  // « Un serveur web » is no count.
  if (instances !== undefined && instances > 1) found.instances = instances;
  return found;
}

/** The part with those details that it can have. */
export function partOf(kind: PartKind, details: Details): Part {
  const wanted = detailsOfKind[kind];
  const own = Object.entries(details).filter(
    ([key]) => key === 'name' || wanted.some((each) => each === key),
  );
  return { kind, ...Object.fromEntries(own) } as Part;
}

const detailsOfKind: Readonly<Record<PartKind, readonly (keyof Details)[]>> = {
  vpc: ['cidr', 'subnets', 'nat'],
  bucket: [],
  queue: ['fifo'],
  function: ['runtime'],
  database: ['engine'],
  'web-server': ['instances'],
};

const subnetWords =
  'subnets?|v-?switch(?:es)?|sous-?reseaux?|sottoret[ei]|subredes?|subred|sub-?redes?|subnetze?n?|子网|交换机|サブネット';
const zoneWords =
  '(?:availability )?zones?|azs?|zones? de disponibilite|zone di disponibilita|zonas? de disponib\\w*|verfugbarkeitszonen?|可用区|アベイラビリティーゾーン';
const instanceWords =
  'instances?|servers?|machines?|serveurs?|istanz[ae]|macchine|instancias?|servidores?|instanzen?|实例|服务器|サーバー|インスタンス';

function natOf(folded: string): boolean | undefined {
  const match = /(?<![a-z0-9])nat(?![a-z0-9])/.exec(folded);
  if (match === null) return undefined;
  const isWithout =
    isTakenBack(folded.slice(0, match.index)) || /^\S{0,12}\s*(?:なし|不要)/.test(folded.slice(match.index));
  return !isWithout;
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
  cinco: 5,
  seis: 6,
  dois: 2,
  duas: 2,
  quatro: 4,
  zwei: 2,
  drei: 3,
  vier: 4,
  funf: 5,
  sechs: 6,
  一: 1,
  两: 2,
  二: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
};
const number = `(?<![a-z0-9./])(\\d{1,2}|${Object.keys(numerals).join('|')})`;
const between =
  '(?:\\s+(?:public|private|public and private|publics?|prives?|pubblich[ei]|privat[ei]|publicas?|privadas?|availability))?\\s*[个台つ]?の?\\s*';

/** The number before a word (`3 subnets`, `trois sous-réseaux`, `两个子网`), or behind one in Chinese and Japanese. */
function countOf(folded: string, words: string): number | undefined {
  const match =
    new RegExp(`${number}${between}(?:${words})`, 'u').exec(folded) ??
    new RegExp(`(?:${words})(?:数量|数)?\\s*(?:改成|改为|を|は|to|=|:)\\s*${number}`, 'u').exec(folded);
  const found = match?.[1];
  if (found === undefined) return undefined;
  return /^\d+$/.test(found) ? Number(found) : numerals[found];
}

const identifier = '["\'«“]?\\s*([A-Za-z][A-Za-z0-9-]{1,40})(?![\\p{L}\\p{N}])';
const namePatterns: readonly RegExp[] = [
  new RegExp(
    `(?<!\\p{L})(?:named|called|name|nomm[ée]e?s?|appel[ée]e?s?|chiamat[aoei]|nome|llamad[ao]s?|nombre|chamad[ao]s?|namens|genannt|名为|名称为|叫做?|命名为|名前は)\\s*[:=]?\\s*${identifier}`,
    'iu',
  ),
  new RegExp(
    `(?<!\\p{L})(?:rename|renomm|rinomin|r?enombr|renómbr|renome|nenne|call|appelle|chiama|llám|llama|cham[ea])\\p{L}*(?:[\\s-]+(?:it|them|this|that|le|la|les|lo|es|ihn|sie|o))?(?:\\s+(?:to|as|en|in|a|como|para|de))?\\s+${identifier}`,
    'iu',
  ),
  new RegExp(`(?:重命名为|改名为|改名叫)\\s*${identifier}`, 'iu'),
  /["«“]\s*([A-Za-z][A-Za-z0-9-]{1,40})\s*["»”]/u,
];
const noName = new Set(
  'it them this that the of to as is for in en le la les lo el es de du des il un una une per para como mir sie'.split(
    ' ',
  ),
);

/** Each « named orders » in the text, with what stands between it and the one before. */
export function namingsIn(text: string): readonly { readonly before: string; readonly name: string }[] {
  const [naming] = namePatterns;
  if (naming === undefined) return [];
  const start = text.slice(0, 4_000);
  let end = 0;
  return [...start.matchAll(new RegExp(naming, 'giu'))].flatMap((match) => {
    const [whole, name = ''] = match;
    const before = start.slice(end, match.index);
    end = match.index + whole.length;
    return noName.has(name.toLowerCase()) ? [] : [{ before, name }];
  });
}

/** Said in quotes, or behind a word for a name. */
function nameOf(text: string): string | undefined {
  const start = text.slice(0, 4_000);
  for (const pattern of namePatterns) {
    const name = pattern.exec(start)?.[1];
    if (name !== undefined && !noName.has(name.toLowerCase())) return name;
  }
  return undefined;
}
