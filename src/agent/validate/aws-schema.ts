/** CloudFormation's resource types, from the database that the AWS CDK is generated from. */
import { loadAwsServiceSpec } from '@aws-cdk/aws-service-spec';
import type { PropertyType, Resource, ResourceProperties, SpecDatabase } from '@aws-cdk/service-spec-types';
import {
  type Lookup,
  nearest,
  type Properties,
  type Property,
  type ResourceSchema,
  type ValueShape,
} from './schema.ts';

/** Takes 0.3 to 0.7 s of processor time: call it where nobody waits for an answer to something else. */
export async function loadAwsSchema(): Promise<ResourceSchema> {
  return new AwsSchema(await loadAwsServiceSpec());
}

const tag: ValueShape = {
  kind: 'object',
  name: 'Tag',
  properties: () =>
    new Map<string, Property>([
      ['Key', { shape: { kind: 'string' }, required: true }],
      ['Value', { shape: { kind: 'string' }, required: true }],
    ]),
};

class AwsSchema implements ResourceSchema {
  readonly #database: SpecDatabase;
  readonly #types = new Map<string, Lookup>();

  constructor(database: SpecDatabase) {
    this.#database = database;
  }

  lookup(type: string): Lookup {
    const known = this.#types.get(type);
    if (known !== undefined) return known;
    const found = this.#find(type);
    this.#types.set(type, found);
    return found;
  }

  similar(type: string): string | undefined {
    return nearest(
      type,
      this.#database.all('resource').map(({ cloudFormationType }) => cloudFormationType),
    );
  }

  #find(type: string): Lookup {
    if (type.startsWith('Custom::')) return 'unchecked';
    // Types of registries and of transforms are known only where they are installed.
    if (!/^\w+(?:::[\w@-]+)+$/.test(type)) return 'unknown';
    if (!type.startsWith('AWS::') || type.startsWith('AWS::Serverless::')) return 'unchecked';
    const resource = this.#database.lookup('resource', 'cloudFormationType', 'equals', type)[0];
    if (resource === undefined) return 'unknown';
    return {
      properties: this.#properties(resource.properties),
      attributes: new Set(Object.keys(resource.attributes)),
      hasOpenAttributes: hasOpenAttributes(resource),
    };
  }

  #properties(properties: ResourceProperties): Properties {
    return new Map(
      Object.entries(properties).map(([name, { type, required }]) => [
        name,
        { shape: this.#shape(type), required: required === true },
      ]),
    );
  }

  #shape(type: PropertyType): ValueShape {
    switch (type.type) {
      case 'string':
      case 'integer':
        return {
          kind: type.type,
          ...(type.allowedValues === undefined ? {} : { values: type.allowedValues }),
        };
      case 'number':
      case 'boolean':
        return { kind: type.type };
      case 'date-time':
        return { kind: 'string' };
      case 'array':
        return { kind: 'list', element: this.#shape(type.element) };
      case 'map':
        return { kind: 'map', element: this.#shape(type.element) };
      case 'union':
        return { kind: 'either', shapes: type.types.map((each) => this.#shape(each)) };
      case 'tag':
        return tag;
      case 'ref':
        return this.#definition(type.reference.$ref);
      case 'json':
      case 'null':
        return { kind: 'any' };
    }
  }

  /** Definitions refer to themselves: what is inside is looked up when it is asked for. */
  #definition(id: string): ValueShape {
    const { name, properties } = this.#database.get('typeDefinition', id);
    let inside: Properties | undefined;
    return {
      kind: 'object',
      name,
      properties: () => {
        inside ??= this.#properties(properties);
        return inside;
      },
    };
  }
}

function hasOpenAttributes({ cloudFormationType }: Resource): boolean {
  return (
    cloudFormationType === 'AWS::CloudFormation::Stack' || cloudFormationType.endsWith('::CustomResource')
  );
}
