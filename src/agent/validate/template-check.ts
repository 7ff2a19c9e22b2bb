/**
 * A whole template: its sections, resources by the platform's schema, references, parameters and outputs. Reads text,
 * never runs or resolves anything; what only the cloud can know (quotas, names that are taken) is left out.
 */
import { cloudFormation, type Dialect, ros } from './dialects.ts';
import {
  checkCondition,
  checkReferences,
  findCircle,
  type Names,
  namesIn,
  type Scope,
} from './references.ts';
import { Findings, type Platform, type Report } from './report.ts';
import type { ResourceSchema } from './schema.ts';
import { type MapNode, memberOf, parseTemplate, scalarOf, type TreeNode, textOf } from './template-tree.ts';
import { checkProperties, hint } from './values.ts';

export type SchemaOf = (platform: Platform) => Promise<ResourceSchema>;

/** `platform` undefined: what the template says of itself, else what its resource types say. */
export async function checkTemplate(
  text: string,
  platform: Platform | undefined,
  schemaOf: SchemaOf,
): Promise<Report> {
  const parsed = parseTemplate(text);
  if (!parsed.ok)
    return { valid: false, platform: platform ?? 'cloudformation', resources: 0, problems: parsed.problems };
  const dialect = (platform ?? platformOf(parsed.root)) === 'ros' ? ros : cloudFormation;
  const checker = new Checker(parsed.root, dialect, await schemaOf(dialect.platform));
  return checker.run();
}

function platformOf(root: MapNode): Platform {
  if (root.members.has('ROSTemplateFormatVersion')) return 'ros';
  if (root.members.has('AWSTemplateFormatVersion')) return 'cloudformation';
  const resources = root.members.get('Resources');
  const types = resources?.kind === 'map' ? [...resources.members.values()] : [];
  return types.some((each) => textOf(memberOf(each, 'Type'))?.startsWith('ALIYUN::'))
    ? 'ros'
    : 'cloudformation';
}

class Checker {
  readonly #root: MapNode;
  readonly #dialect: Dialect;
  readonly #schema: ResourceSchema;
  readonly #found = new Findings();
  readonly #names: Names;
  readonly #uses = new Map<string, Set<string>>();

  constructor(root: MapNode, dialect: Dialect, schema: ResourceSchema) {
    this.#root = root;
    this.#dialect = dialect;
    this.#schema = schema;
    const resources = membersOf(root.members.get('Resources'));
    this.#names = {
      parameters: new Set([...namesIn(root, 'Parameters'), ...namesIn(root, 'Locals')]),
      conditions: namesIn(root, 'Conditions'),
      mappings: namesIn(root, 'Mappings'),
      resources: new Map(resources.map(([id, node]) => [id, textOf(memberOf(node, 'Type')) ?? ''])),
      isOpen:
        root.members.has('Transform') || resources.some(([id]) => id.startsWith('Fn::') || id.includes('${')),
    };
  }

  run(): Report {
    this.#sections();
    const resources = this.#section('Resources', this.#dialect.maxResources);
    if (resources.length === 0)
      this.#found.error('Resources', this.#root.line, 'the template has no resources');
    for (const [id, node] of resources) this.#resource(id, node);
    for (const [name, node] of this.#section('Parameters', this.#dialect.maxParameters))
      this.#parameter(name, node);
    for (const [name, node] of this.#section('Outputs', this.#dialect.maxOutputs)) this.#output(name, node);
    for (const [name, node] of this.#section('Conditions', Number.POSITIVE_INFINITY))
      checkReferences(node, `Conditions.${name}`, this.#scope());
    const circle = findCircle(this.#uses);
    if (circle !== undefined)
      this.#found.error(
        'Resources',
        this.#root.line,
        `resources depend on each other: ${circle.join(' → ')}`,
      );
    return this.#found.toReport(this.#dialect.platform, resources.length);
  }

  #scope(user?: string): Scope {
    const used = new Set<string>();
    if (user !== undefined) this.#uses.set(user, used);
    return {
      dialect: this.#dialect,
      schema: this.#schema,
      names: this.#names,
      found: this.#found,
      uses: (id) => used.add(id),
    };
  }

  #sections(): void {
    const { sections, versionSection, version, isVersionRequired } = this.#dialect;
    for (const [name, node] of this.#root.members) {
      if (!sections.has(name)) this.#found.error(name, node.line, `unknown section${hint(name, sections)}`);
    }
    const stated = this.#root.members.get(versionSection);
    if (stated === undefined && isVersionRequired)
      this.#found.error(
        versionSection,
        this.#root.line,
        `required section is missing: ${versionSection}: '${version}'`,
      );
    if (stated !== undefined && textOf(stated) !== version)
      this.#found.error(versionSection, stated.line, `must be '${version}'`);
    const description = this.#root.members.get('Description');
    if (description?.kind === 'list') this.#found.error('Description', description.line, 'expected a text');
    if ((textOf(description) ?? '').length > 1024)
      this.#found.error('Description', description?.line ?? 1, 'longer than 1024 characters');
  }

  #section(name: string, max: number): readonly (readonly [string, TreeNode])[] {
    const node = this.#root.members.get(name);
    if (node === undefined) return [];
    if (node.kind !== 'map') {
      this.#found.error(name, node.line, 'expected a map');
      return [];
    }
    const members = [...node.members];
    if (members.length > max) this.#found.error(name, node.line, `more than ${max} entries`);
    for (const [id, member] of members) {
      if (name !== 'Conditions' && !this.#dialect.logicalId.test(id) && !this.#names.isOpen)
        this.#found.error(`${name}.${id}`, member.line, 'name must be made of letters and digits');
    }
    return members;
  }

  #resource(id: string, node: TreeNode): void {
    const path = `Resources.${id}`;
    if (id.startsWith('Fn::')) return;
    if (node.kind !== 'map') return this.#found.error(path, node.line, 'expected a resource with a Type');
    this.#knownMembers(node, this.#dialect.resourceMembers, path);
    const scope = this.#scope(id);
    this.#dependencies(node.members.get('DependsOn'), `${path}.DependsOn`, scope);
    const condition = node.members.get('Condition');
    if (condition !== undefined)
      checkCondition(textOf(condition), condition.line, `${path}.Condition`, scope);
    for (const member of ['DeletionPolicy', 'UpdateReplacePolicy']) {
      const policy = node.members.get(member);
      const value = textOf(policy);
      if (policy !== undefined && value !== undefined && !this.#dialect.deletionPolicies.has(value))
        this.#found.error(`${path}.${member}`, policy.line, `'${value}' is no deletion policy`);
    }
    this.#properties(node, path);
    for (const member of ['Properties', 'Metadata', 'Count', 'UpdatePolicy', 'CreationPolicy']) {
      const value = node.members.get(member);
      if (value !== undefined) checkReferences(value, `${path}.${member}`, scope);
    }
  }

  #properties(node: MapNode, path: string): void {
    const typeNode = node.members.get('Type');
    const type = textOf(typeNode);
    if (type === undefined) return this.#found.error(`${path}.Type`, node.line, 'required member is missing');
    const line = typeNode?.line ?? node.line;
    const resource = this.#schema.lookup(type);
    if (resource === 'unknown') {
      const near = this.#schema.similar(type);
      const suffix = near === undefined ? '' : `; did you mean ${near}?`;
      return this.#found.error(`${path}.Type`, line, `unknown resource type ${type}${suffix}`);
    }
    if (resource === 'unchecked')
      return this.#found.warning(
        `${path}.Type`,
        line,
        `${type} is not in the schema at hand and was not checked`,
      );
    const given = node.members.get('Properties');
    if (given !== undefined && given.kind !== 'map')
      return this.#found.error(`${path}.Properties`, given.line, 'expected a map');
    const properties = given ?? { kind: 'map' as const, members: new Map(), line };
    checkProperties(properties, resource.properties, `${path}.Properties`, this.#found);
  }

  #dependencies(node: TreeNode | undefined, path: string, scope: Scope): void {
    if (node === undefined) return;
    for (const each of node.kind === 'list' ? node.items : [node]) {
      const target = textOf(each);
      if (target !== undefined && this.#names.resources.has(target)) scope.uses(target);
      else if (target !== undefined && !this.#names.isOpen)
        this.#found.error(
          path,
          each.line,
          `no resource is called ${target}${hint(target, this.#names.resources.keys())}`,
        );
    }
  }

  #parameter(name: string, node: TreeNode): void {
    const path = `Parameters.${name}`;
    if (node.kind !== 'map') return this.#found.error(path, node.line, 'expected a map');
    this.#knownMembers(node, this.#dialect.parameterMembers, path);
    const type = textOf(node.members.get('Type'));
    if (type === undefined) return this.#found.error(`${path}.Type`, node.line, 'required member is missing');
    if (!this.#dialect.parameterType.test(type))
      this.#found.error(`${path}.Type`, node.line, `unknown parameter type ${type}`);
    const fallback = node.members.get('Default');
    const value = scalarOf(fallback);
    if (fallback === undefined || value === undefined || value === null) return;
    const allowed = node.members.get('AllowedValues');
    if (allowed?.kind === 'list' && !allowed.items.some((each) => textOf(each) === String(value)))
      this.#found.error(`${path}.Default`, fallback.line, `'${value}' is not among AllowedValues`);
    if (type === 'Number' && !Number.isFinite(Number(value)))
      this.#found.error(`${path}.Default`, fallback.line, `'${value}' is not a number`);
  }

  #output(name: string, node: TreeNode): void {
    const path = `Outputs.${name}`;
    if (node.kind !== 'map') return this.#found.error(path, node.line, 'expected a map');
    const scope = this.#scope();
    const value = node.members.get('Value');
    if (value === undefined) this.#found.error(`${path}.Value`, node.line, 'required member is missing');
    const condition = node.members.get('Condition');
    if (condition !== undefined)
      checkCondition(textOf(condition), condition.line, `${path}.Condition`, scope);
    checkReferences(node, path, scope);
  }

  #knownMembers(node: MapNode, known: ReadonlySet<string>, path: string): void {
    for (const [name, member] of node.members) {
      if (known.has(name) || name.startsWith('Fn::')) continue;
      this.#found.error(`${path}.${name}`, member.line, `unknown member${hint(name, known)}`);
    }
  }
}

function membersOf(node: TreeNode | undefined): readonly (readonly [string, TreeNode])[] {
  return node?.kind === 'map' ? [...node.members] : [];
}
