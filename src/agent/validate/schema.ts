/**
 * What a platform says about its resource types, in one form for CloudFormation and ROS. Types are asked for one by one,
 * because the databases behind them are large.
 */
export type ValueShape =
  | {
      readonly kind: 'string' | 'number' | 'integer' | 'boolean';
      /** In the order of the schema. */
      readonly values?: readonly (string | number | boolean)[];
      readonly pattern?: RegExp;
      readonly min?: number;
      readonly max?: number;
      readonly minLength?: number;
      readonly maxLength?: number;
    }
  | {
      readonly kind: 'list';
      readonly element: ValueShape;
      readonly minLength?: number;
      readonly maxLength?: number;
    }
  | { readonly kind: 'map'; readonly element: ValueShape }
  | { readonly kind: 'object'; readonly name: string; readonly properties: () => Properties }
  | { readonly kind: 'either'; readonly shapes: readonly ValueShape[] }
  | { readonly kind: 'any' };

export interface Property {
  readonly shape: ValueShape;
  readonly required: boolean;
}
export type Properties = ReadonlyMap<string, Property>;

export interface ResourceType {
  readonly properties: Properties;
  readonly attributes: ReadonlySet<string>;
  /** Attributes that exist but can't be listed, such as the outputs of a nested stack. */
  readonly hasOpenAttributes: boolean;
}

/** `unchecked`: the type may exist, this schema does not cover it. */
export type Lookup = ResourceType | 'unknown' | 'unchecked';

export interface ResourceSchema {
  lookup(type: string): Lookup;
  /** A known type that is spelled nearly like this one. */
  similar(type: string): string | undefined;
}

/** The name among `known` that differs only in case or by one or two letters. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = 3;
  for (const each of known) {
    if (Math.abs(each.length - name.length) >= bestDistance) continue;
    const distance = each.toLowerCase() === name.toLowerCase() ? 0.5 : editDistance(name, each);
    if (distance < bestDistance) {
      best = each;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_none, index) => index);
  for (let index = 0; index < left.length; index += 1) {
    const next = [index + 1];
    for (let column = 0; column < right.length; column += 1) {
      const change = (row[column] ?? 0) + (left[index] === right[column] ? 0 : 1);
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
