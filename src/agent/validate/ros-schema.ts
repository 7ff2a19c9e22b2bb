/**
 * Alibaba Cloud ROS resource types of the services that people ask for most, generated from Alibaba's own CDK packages
 * (`tools/ros-schema/generate.ts`; the file's head names packages and versions). Other services are not judged.
 */
import { isJsonObject, type JsonObject, type JsonValue, listAt, objectAt } from '../../protocol/json.ts';
import {
  type Lookup,
  nearest,
  type Properties,
  type Property,
  type ResourceSchema,
  type ValueShape,
} from './schema.ts';

/** Imported, not read as a file: so the compiler and the bundler take it along. */
export async function loadRosSchema(): Promise<ResourceSchema> {
  const { default: parsed }: { default: unknown } = await import('../data/ros-schema.json', {
    with: { type: 'json' },
  });
  return new RosSchema((isJsonObject(parsed) ? objectAt(parsed, 'resources') : undefined) ?? {});
}

class RosSchema implements ResourceSchema {
  readonly #resources: JsonObject;
  readonly #services: ReadonlySet<string>;

  constructor(resources: JsonObject) {
    this.#resources = resources;
    this.#services = new Set(Object.keys(resources).map(serviceOf));
  }

  lookup(type: string): Lookup {
    const resource = Object.hasOwn(this.#resources, type) ? objectAt(this.#resources, type) : undefined;
    if (resource !== undefined) {
      return {
        properties: propertiesOf(objectAt(resource, 'properties') ?? {}, objectAt(resource, 'types') ?? {}),
        attributes: new Set(listAt(resource, 'attributes').map(String)),
        hasOpenAttributes: false,
      };
    }
    if (!/^(?:ALIYUN|DATASOURCE|MODULE|Terraform|TFModule)::/.test(type)) return 'unknown';
    return this.#services.has(serviceOf(type)) ? 'unknown' : 'unchecked';
  }

  similar(type: string): string | undefined {
    return nearest(type, Object.keys(this.#resources));
  }
}

/** `ALIYUN::ECS::Instance` belongs to `ALIYUN::ECS`. */
function serviceOf(type: string): string {
  return type.split('::').slice(0, 2).join('::');
}

function propertiesOf(described: JsonObject, types: JsonObject): Properties {
  const properties = new Map<string, Property>();
  for (const [name, value] of Object.entries(described)) {
    const isFull = isJsonObject(value) && 'type' in value;
    const limits = isFull ? value : {};
    const shape = shapeOf(isFull ? value.type : value, types);
    properties.set(name, { required: limits.required === true, shape: limited(shape, limits) });
  }
  return properties;
}

function limited(shape: ValueShape, limits: JsonObject): ValueShape {
  const bounds = Object.fromEntries(
    ['min', 'max', 'minLength', 'maxLength']
      .filter((name) => typeof limits[name] === 'number')
      .map((name) => [name, limits[name]]),
  );
  switch (shape.kind) {
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean': {
      const values = listAt(limits, 'values').filter(isPlain);
      return {
        ...shape,
        ...bounds,
        ...(values.length === 0 ? {} : { values }),
        ...(typeof limits.pattern === 'string' ? { pattern: new RegExp(limits.pattern) } : {}),
      };
    }
    case 'list':
      return { ...shape, ...bounds };
    default:
      return shape;
  }
}

function isPlain(value: JsonValue): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function shapeOf(type: JsonValue | undefined, types: JsonObject): ValueShape {
  if (typeof type === 'string') return namedShape(type, types);
  if (!isJsonObject(type)) return { kind: 'any' };
  if (type.list !== undefined) return { kind: 'list', element: shapeOf(type.list, types) };
  if (type.map !== undefined) return { kind: 'map', element: shapeOf(type.map, types) };
  return { kind: 'either', shapes: listAt(type, 'either').map((each) => shapeOf(each, types)) };
}

function namedShape(type: string, types: JsonObject): ValueShape {
  if (type === 'string' || type === 'number' || type === 'boolean') return { kind: type };
  if (type === 'map') return { kind: 'map', element: { kind: 'any' } };
  if (!type.startsWith('#')) return { kind: 'any' };
  const name = type.slice(1);
  return { kind: 'object', name, properties: () => propertiesOf(objectAt(types, name) ?? {}, types) };
}
