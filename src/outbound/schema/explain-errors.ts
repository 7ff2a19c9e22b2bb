/**
 * What ajv found wrong, as a place and a few words for the caller. The words are ours; of the schema only the name of
 * a missing member is quoted, which the caller has been shown in `responseSchema`.
 */
import type { ErrorObject } from 'ajv/dist/2020.js';

export interface Explanation {
  /** Path inside the payload, such as `items[0].name`; empty for the payload itself. */
  readonly where: string;
  readonly problem: string;
}

const maxLength = 200;

/** Keywords whose failure comes after those of their branches in ajv's list, and says more than they do. */
const choices: ReadonlySet<string> = new Set(['oneOf', 'anyOf']);

const fixedProblems: Readonly<Record<string, string>> = {
  anyOf: 'matches none of the allowed forms',
  enum: 'is not one of the allowed values',
  const: 'is not the allowed value',
  minLength: 'is too short',
  maxLength: 'is too long',
  pattern: 'does not match the pattern',
  minimum: 'is too small',
  exclusiveMinimum: 'is too small',
  maximum: 'is too large',
  exclusiveMaximum: 'is too large',
  multipleOf: 'is not a multiple of the step',
  minItems: 'has too few items',
  maxItems: 'has too many items',
  uniqueItems: 'has equal items',
  contains: 'lacks an item that is asked for',
  minProperties: 'has too few members',
  maxProperties: 'has too many members',
  propertyNames: 'has a member of a name that is not allowed',
  unevaluatedProperties: 'has a member that is not allowed',
  unevaluatedItems: 'has an item that is not allowed',
  not: 'has a form that is not allowed',
};

export function explain(errors: readonly ErrorObject[]): Explanation {
  const error = errors.findLast(({ keyword }) => choices.has(keyword)) ?? errors[0];
  if (error === undefined) return { where: '', problem: 'is not allowed' };
  return {
    where: toPath(error.instancePath).slice(0, maxLength),
    problem: toProblem(error).slice(0, maxLength),
  };
}

function toProblem({ keyword, params }: ErrorObject): string {
  switch (keyword) {
    case 'oneOf':
      return params['passingSchemas'] === null
        ? 'matches none of the allowed forms'
        : 'matches more than one of the allowed forms';
    case 'type':
      return `is not of type ${[params['type']].flat().join(' or ')}`;
    case 'format':
      return `is no valid ${String(params['format'])}`;
    case 'required':
    case 'dependentRequired':
      return `lacks the member "${String(params['missingProperty'])}"`;
    case 'additionalProperties':
      return `has the member "${String(params['additionalProperty'])}", which is not allowed`;
    default:
      return fixedProblems[keyword] ?? 'is not allowed';
  }
}

/** JSON pointer to path: `/items/0/name` is `items[0].name`. */
function toPath(pointer: string): string {
  let path = '';
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    path += /^\d+$/.test(name) ? `[${name}]` : path === '' ? name : `.${name}`;
  }
  return path;
}
