/**
 * Makes `src/agent/data/ros-schema.json` from the generated modules of Alibaba's own `ros-cdk-*` packages (Apache-2.0).
 * Their validators list every property of a resource type: this script runs them once against a stand-in of the CDK core
 * that writes down what is asked for, so that nothing is read by pattern.
 *
 *   pip download --no-deps -d wheels ros-cdk-ecs==1.15.0 …        (each wheel holds the jsii package)
 *   unzip each wheel, untar its `_jsii/*.jsii.tgz` into PACKAGES/<name>@<version>/
 *   node tools/ros-schema/generate.ts PACKAGES
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

type Shape =
  | string
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly either: readonly Shape[] };
interface Property {
  type?: Shape;
  required?: true;
  values?: readonly unknown[];
  pattern?: string;
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
}
type Properties = Record<string, Property | Shape>;
interface ResourceSchema {
  readonly properties: Properties;
  readonly attributes: readonly string[];
  readonly types: Record<string, Properties>;
}

/** A validator of the stand-in: what it stands for. */
class Check {
  readonly shape: Shape | ((types: Types) => Shape);
  constructor(shape: Check['shape']) {
    this.shape = shape;
  }
}
type Types = Record<string, Properties>;
type Loaded = Record<string, unknown>;
interface Asked {
  readonly name: string;
  readonly validator: unknown;
  readonly argument: unknown;
}

const packages = resolve(process.argv[2] ?? '.');
let asked: Asked[] = [];
let attributes: string[] = [];

const leaf: Record<string, string> = {
  validateString: 'string',
  validateNumber: 'number',
  validateBoolean: 'boolean',
  validateAny: 'any',
  validateAnyDict: 'map',
  validateObject: 'map',
  validateDate: 'string',
  validateRosTag: 'tag',
};

class RosResource {
  getAtt(name: string): string {
    attributes.push(name);
    return name;
  }
}

const core = new Proxy(
  {
    RosResource,
    VALIDATION_SUCCESS: {},
    ValidationResults: class {
      collect(): void {
        asked = [...asked];
      }
      wrap(): unknown {
        return { assertSuccess: () => undefined };
      }
    },
    canInspect: (value: unknown) => !(value instanceof Mark),
    propertyValidator: (name: string, validator: unknown) => (argument: unknown) =>
      asked.push({ name, validator, argument }),
    listValidator: (inner: unknown) => new Check((types) => ({ list: shapeOf(inner, types) })),
    hashValidator: (inner: unknown) => new Check((types) => ({ map: shapeOf(inner, types) })),
    unionValidator: (...inner: unknown[]) =>
      new Check((types) => ({ either: inner.map((each) => shapeOf(each, types)) })),
    listMapper: () => (value: unknown) => value,
    hashMapper: () => (value: unknown) => value,
    unionMapper: () => (value: unknown) => value,
  } as Record<string, unknown>,
  {
    get: (known, name: string) => {
      if (name in known) return known[name];
      if (name in leaf) return new Check(leaf[name] ?? 'any');
      return name.endsWith('ToRosTemplate') ? (value: unknown) => value : name;
    },
  },
);

class Mark {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}
const marked = new Proxy({}, { get: (_none, name: string) => new Mark(name) });
/** A string passes every guard of the generated code. */
const filled = new Proxy({}, { get: () => 'x' });

function load(folder: string): Loaded {
  const library = join(folder, 'package/lib');
  const file = readdirSync(library).find((name) => name.endsWith('.generated.js'));
  if (file === undefined) throw new Error(`${folder} has no generated module`);
  const text = readFileSync(join(library, file), 'utf8');
  const names = [...text.matchAll(/^(?:function|class) (\w+)/gm)].map((match) => match[1]);
  const run = new Function('exports', 'require', `${text}\nreturn { ${names.join(', ')} };`);
  return run({}, () => core) as Loaded;
}

let current: Loaded = {};

function shapeOf(validator: unknown, types: Types): Shape {
  if (validator instanceof Check)
    return typeof validator.shape === 'function' ? validator.shape(types) : validator.shape;
  if (typeof validator !== 'function') return 'any';
  const [, owner = '', member = ''] = /^Ros(\w+?)_(\w+)PropertyValidator$/.exec(validator.name) ?? [];
  if (!(member in types)) {
    types[member] = {};
    types[member] = propertiesOf(validator.name, `ros${owner}${member}PropertyToRosTemplate`, types);
  }
  return `#${member}`;
}

function propertiesOf(validatorName: string, mapperName: string, types: Types): Properties {
  const before = asked;
  asked = [];
  call(validatorName, filled);
  const mine = asked;
  asked = before;
  const byName = new Map<string, Property>();
  for (const { name, validator, argument } of mine) {
    const known = byName.get(name) ?? {};
    byName.set(name, known);
    note(known, validator, argument, types);
  }
  const out: Properties = {};
  for (const [key, mark] of Object.entries(call(mapperName, marked) as Record<string, Mark>)) {
    const property = byName.get(mark.name) ?? {};
    const keys = Object.keys(property);
    out[key] = keys.length === 1 && property.type !== undefined ? property.type : property;
  }
  return out;
}

function call(name: string, argument: unknown): unknown {
  const known = current[name];
  if (typeof known !== 'function') throw new Error(`${name} is missing`);
  return known(argument);
}

function note(property: Property, validator: unknown, argument: unknown, types: Types): void {
  const limits = argument as Record<string, unknown>;
  if (validator === 'requiredValidator') property.required = true;
  else if (validator === 'validateAllowedValues') property.values = limits['allowedValues'] as unknown[];
  else if (validator === 'validateAllowedPattern') property.pattern = (limits['reg'] as RegExp).source;
  else if (validator === 'validateRange') bounds(property, limits, 'min', 'max');
  else if (validator === 'validateLength') bounds(property, limits, 'minLength', 'maxLength');
  else property.type = shapeOf(validator, types);
}

function bounds(
  property: Property,
  limits: Record<string, unknown>,
  low: 'min' | 'minLength',
  high: 'max' | 'maxLength',
): void {
  if (typeof limits['min'] === 'number') property[low] = limits['min'];
  if (typeof limits['max'] === 'number') property[high] = limits['max'];
}

function resourceOf(name: string): ResourceSchema {
  const types: Types = {};
  const properties = propertiesOf(`${name}PropsValidator`, `r${name.slice(1)}PropsToRosTemplate`, types);
  attributes = [];
  new (current[name] as new (...args: unknown[]) => unknown)({}, '', filled);
  return { properties, attributes: attributes.sort(), types };
}

const resources: Record<string, ResourceSchema> = {};
const sources: string[] = [];
for (const folder of readdirSync(packages).sort()) {
  sources.push(folder);
  current = load(join(packages, folder));
  for (const [name, member] of Object.entries(current)) {
    const type = (member as { ROS_RESOURCE_TYPE_NAME?: unknown }).ROS_RESOURCE_TYPE_NAME;
    if (typeof type === 'string') resources[type] = resourceOf(name);
  }
}

const head = `Generated by tools/ros-schema/generate.ts from ${sources.join(', ')} (Alibaba Cloud, Apache-2.0).`;
const sorted = Object.fromEntries(
  Object.entries(resources).sort(([left], [right]) => (left < right ? -1 : 1)),
);
const lines = Object.entries(sorted).map(
  ([type, schema]) => `${JSON.stringify(type)}:${JSON.stringify(schema)}`,
);
writeFileSync(
  join(import.meta.dirname, '../../src/agent/data/ros-schema.json'),
  `{"about":${JSON.stringify(head)},"resources":{\n${lines.join(',\n')}\n}}\n`,
);
