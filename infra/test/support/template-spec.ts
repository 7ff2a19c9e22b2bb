/**
 * Holds a template against AWS's own resource specification: unknown types and properties, missing required ones,
 * values outside an enumeration, at every depth. Intrinsic functions pass, since their value is only known at deployment.
 */
import { loadAwsServiceSpec } from '@aws-cdk/aws-service-spec';

type Spec = Awaited<ReturnType<typeof loadAwsServiceSpec>>;
type Resource = ReturnType<Spec['all']>[number];
type Properties = Extract<Resource, { properties: unknown }>['properties'];
type PropertyType = Properties[string]['type'];

export interface TemplateJson {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: object }>>;
}

/** One line per breach, with the path to it. */
export async function specBreaches(template: TemplateJson): Promise<string[]> {
  const spec = await loadAwsServiceSpec();
  return Object.entries(template.Resources).flatMap(([id, { Type, Properties: given }]) => {
    const found = spec.lookup('resource', 'cloudFormationType', 'equals', Type);
    if (found.length === 0) return [`${id}: unknown type ${Type}`];
    return objectBreaches(spec, found.only().properties, given ?? {}, `${id} (${Type})`);
  });
}

function objectBreaches(spec: Spec, properties: Properties, given: object, path: string): string[] {
  const required = Object.entries(properties).filter(
    ([name, { required: isRequired }]) => isRequired === true && !(name in given),
  );
  return [
    ...required.map(([name]) => `${path}: ${name} is missing`),
    ...Object.entries(given).flatMap(([name, value]) => {
      const property = properties[name];
      return property === undefined
        ? [`${path}.${name}: unknown property`]
        : valueBreaches(spec, property.type, value, `${path}.${name}`);
    }),
  ];
}

function valueBreaches(spec: Spec, type: PropertyType, value: unknown, path: string): string[] {
  if (isIntrinsic(value)) return [];
  switch (type.type) {
    case 'string':
      return stringBreaches(type, value, path);
    case 'integer':
    case 'number':
      return Number.isNaN(Number(value)) ? [`${path}: not a number`] : [];
    case 'boolean':
      return ['true', 'false'].includes(String(value)) ? [] : [`${path}: not a boolean`];
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((each, at) => valueBreaches(spec, type.element, each, `${path}[${at}]`))
        : [`${path}: not a list`];
    case 'map':
      return isObject(value)
        ? Object.entries(value).flatMap(([key, each]) =>
            valueBreaches(spec, type.element, each, `${path}.${key}`),
          )
        : [`${path}: not a map`];
    case 'ref': {
      const definition = spec.get('typeDefinition', type.reference.$ref);
      return isObject(value)
        ? objectBreaches(spec, definition.properties, value, path)
        : [`${path}: not an object`];
    }
    case 'union': {
      const tries = type.types.map((each) => valueBreaches(spec, each, value, path));
      return tries.find((breaches) => breaches.length === 0) ?? tries[0] ?? [];
    }
    default:
      return [];
  }
}

/** The specification has enumerations but no patterns; those are cfn-lint's part. */
function stringBreaches(
  type: Extract<PropertyType, { type: 'string' }>,
  value: unknown,
  path: string,
): string[] {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return [`${path}: not a string`];
  const isKnown = type.allowedValues?.includes(String(value)) ?? true;
  return isKnown ? [] : [`${path}: '${value}' is none of ${type.allowedValues}`];
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isIntrinsic(value: unknown): boolean {
  const keys = isObject(value) ? Object.keys(value) : [];
  return keys.length === 1 && /^(?:Ref|Condition|Fn::.*)$/.test(keys[0] ?? '');
}
