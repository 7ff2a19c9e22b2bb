/** The keywords of JSON Schema 2020-12 that are honoured, by what they hold. All others are left out. */

/** Hold one schema. */
export const schemaKeywords: ReadonlySet<string> = new Set([
  'not',
  'if',
  'then',
  'else',
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** Hold a list of schemas. */
export const listKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);

/** Hold schemas by name. */
export const mapKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);

/** Hold plain values. */
export const valueKeywords: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'required',
  'dependentRequired',
  'format',
]);
