/**
 * JSON Schema for the form renderer by a validator that interprets schemas: the usual one compiles them to code, which
 * the page's content security policy refuses. The server has the last word; patterns are left to it, as an agent's
 * regular expression could keep a browser busy for ever.
 */
import { type Schema, Validator } from '@cfworker/json-schema';
import { type RJSFSchema, type RJSFValidationError, toErrorSchema, type ValidatorType } from '@rjsf/utils';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/protocol/json.ts';

export function createFormValidator(missing: string): ValidatorType {
  return {
    validateFormData: (data, schema) => {
      const errors = problemsOf(schema, data, missing);
      return { errors, errorSchema: toErrorSchema(errors) };
    },
    isValid: (schema, data, root) => {
      const { definitions, $defs } = root;
      const whole = { ...(definitions && { definitions }), ...($defs && { $defs }), ...schema };
      return problemsOf(whole, data, missing).length === 0;
    },
    rawValidation: (schema, data) => ({ errors: problemsOf(schema, data, missing) as never[] }),
  };
}

function problemsOf(schema: RJSFSchema, data: unknown, missing: string): RJSFValidationError[] {
  try {
    // The renderer's schemas are JSON, and so are the answers.
    const validator = new Validator(withoutPatterns(schema as JsonObject) as Schema, '2020-12', false);
    const { valid, errors } = validator.validate(data ?? null);
    if (valid) return [];
    const own = errors.filter(({ keyword }) => !combining.has(keyword));
    return (own.length > 0 ? own : errors).map(({ keyword, instanceLocation, error }) => {
      const [, member] = keyword === 'required' ? (/"(.+)"/.exec(error) ?? []) : [];
      const path = [...pathOf(instanceLocation), ...(member === undefined ? [] : [member])];
      const message = keyword === 'required' || keyword === 'minLength' ? missing : error;
      return { name: keyword, message, property: path.map((each) => `.${each}`).join(''), stack: message };
    });
  } catch {
    // A schema that can't be read: whatever is answered, the server judges.
    return [];
  }
}

/** These only say that something below them failed. */
const combining: ReadonlySet<string> = new Set([
  'properties',
  'items',
  'allOf',
  'anyOf',
  'oneOf',
  '$ref',
  'if',
]);

function pathOf(location: string): readonly string[] {
  return location
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function withoutPatterns(schema: JsonObject): JsonObject {
  const strip = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(strip);
    return isJsonObject(value) ? withoutPatterns(value) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) => {
      const isPattern = (name === 'pattern' && typeof value === 'string') || name === 'patternProperties';
      return value === undefined || isPattern ? [] : [[name, strip(value)] as const];
    }),
  );
}
