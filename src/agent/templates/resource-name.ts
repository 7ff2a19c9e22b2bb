/**
 * Fits a name that a user gave to what a service allows. Where nothing usable is left, the answer is undefined and the
 * cloud picks a name.
 */

export interface NameRule {
  readonly maxLength: number;
  readonly minLength?: number;
  readonly lowerCase?: boolean;
  /** The first character must be a letter: leading digits are dropped. */
  readonly letterFirst?: boolean;
}

/** Letters, digits and single inner hyphens, within the rule. */
export function fitName(name: string | undefined, rule: NameRule): string | undefined {
  if (name === undefined) return undefined;
  const cased = rule.lowerCase === true ? name.toLowerCase() : name;
  const clean = cased
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(rule.letterFirst === true ? /^[^A-Za-z]+/ : /^-+/, '')
    .slice(0, rule.maxLength)
    .replace(/-+$/, '');
  return clean.length >= (rule.minLength ?? 1) ? clean : undefined;
}

/** An optional member: `{ [key]: value }`, or nothing where the value is undefined. */
export function named<T>(key: string, value: T | undefined): Readonly<Record<string, T>> {
  return value === undefined ? {} : { [key]: value };
}
