/**
 * What templates refer to: `Ref`, `Fn::GetAtt`, `${…}` in `Fn::Sub`, conditions, mappings and `DependsOn`. Every target
 * must exist, and resources must not wait for each other in a circle.
 */
import type { Dialect } from './dialects.ts';
import type { Findings } from './report.ts';
import type { ResourceSchema } from './schema.ts';
import { callOf, type MapNode, memberOf, type TreeNode, textOf } from './template-tree.ts';
import { hint } from './values.ts';

export interface Names {
  readonly parameters: ReadonlySet<string>;
  readonly conditions: ReadonlySet<string>;
  readonly mappings: ReadonlySet<string>;
  /** Logical id → resource type. */
  readonly resources: ReadonlyMap<string, string>;
  /** Names that loops and macros bring in: then nothing can be said about a missing target. */
  readonly isOpen: boolean;
}

export interface Scope {
  readonly dialect: Dialect;
  readonly schema: ResourceSchema;
  readonly names: Names;
  readonly found: Findings;
  /** Told of every resource that is referred to. */
  readonly uses: (logicalId: string) => void;
}

export function checkReferences(node: TreeNode, path: string, scope: Scope): void {
  if (node.kind === 'scalar') return;
  if (node.kind === 'list') {
    for (const [index, item] of node.items.entries()) checkReferences(item, `${path}[${index}]`, scope);
    return;
  }
  const call = callOf(node);
  if (call !== undefined) checkCall(call.name, call.argument, path, scope);
  for (const [name, value] of node.members) checkReferences(value, `${path}.${name}`, scope);
}

function checkCall(name: string, argument: TreeNode, path: string, scope: Scope): void {
  switch (name) {
    case 'Ref':
      checkRef(textOf(argument), argument.line, path, scope);
      return;
    case 'Fn::GetAtt':
      checkGetAtt(argument, path, scope);
      return;
    case 'Fn::Sub':
      checkSub(argument, path, scope);
      return;
    case 'Fn::If':
      if (argument.kind !== 'list' || argument.items.length !== 3)
        scope.found.error(path, argument.line, 'Fn::If takes a condition and two values');
      else checkCondition(textOf(argument.items[0]), argument.line, path, scope);
      return;
    case 'Fn::FindInMap':
      checkMapping(argument, path, scope);
      return;
    case 'Condition':
      // Also the name of a resource attribute and of a member of policies: only a lone string names a condition.
      return;
    default:
      if (scope.dialect.functions.has(name) || name.startsWith('Fn::ForEach')) return;
      scope.found[scope.dialect.unknownFunction](
        path,
        argument.line,
        `unknown function ${name}${hint(name, scope.dialect.functions)}`,
      );
  }
}

function checkRef(target: string | undefined, line: number, path: string, scope: Scope): void {
  const { names, found } = scope;
  if (target === undefined) return found.error(path, line, 'Ref takes a name');
  if (names.resources.has(target)) return scope.uses(target);
  if (names.parameters.has(target) || scope.dialect.pseudoParameters.has(target) || names.isOpen) return;
  const known = [...names.resources.keys(), ...names.parameters, ...scope.dialect.pseudoParameters];
  found.error(path, line, `nothing is called ${target}${hint(target, known)}`);
}

function checkGetAtt(argument: TreeNode, path: string, scope: Scope): void {
  const parts =
    argument.kind === 'list' ? argument.items.map(textOf) : (textOf(argument) ?? '').split(/\.(.*)/, 2);
  const [target, attribute] = parts;
  if (target === undefined || parts.length < 2)
    return scope.found.error(path, argument.line, 'Fn::GetAtt takes a resource and an attribute');
  checkAttribute(target, attribute, argument.line, path, scope);
}

function checkAttribute(
  target: string,
  attribute: string | undefined,
  line: number,
  path: string,
  scope: Scope,
): void {
  const type = scope.names.resources.get(target);
  if (type === undefined) {
    if (!scope.names.isOpen)
      scope.found.error(
        path,
        line,
        `no resource is called ${target}${hint(target, scope.names.resources.keys())}`,
      );
    return;
  }
  scope.uses(target);
  const resource = scope.schema.lookup(type);
  // An attribute that is itself computed, or a type that is not judged.
  if (attribute === undefined || typeof resource === 'string' || resource.hasOpenAttributes) return;
  if (resource.attributes.has(attribute) || resource.attributes.has(attribute.split('.')[0] ?? '')) return;
  scope.found.error(
    path,
    line,
    `${type} has no attribute ${attribute}${hint(attribute, resource.attributes)}`,
  );
}

function checkSub(argument: TreeNode, path: string, scope: Scope): void {
  const text = argument.kind === 'list' ? textOf(argument.items[0]) : textOf(argument);
  if (text === undefined) return scope.found.error(path, argument.line, 'Fn::Sub takes a text');
  const own = argument.kind === 'list' ? argument.items[1] : undefined;
  for (const [, name = ''] of text.matchAll(/\$\{([^!${}][^{}]*)\}/g)) {
    const target = name.trim();
    if (memberOf(own, target) !== undefined) continue;
    const dot = target.indexOf('.');
    if (dot < 0) checkRef(target, argument.line, path, scope);
    else checkAttribute(target.slice(0, dot), target.slice(dot + 1), argument.line, path, scope);
  }
}

export function checkCondition(name: string | undefined, line: number, path: string, scope: Scope): void {
  if (name === undefined || scope.names.conditions.has(name) || scope.names.isOpen) return;
  scope.found.error(path, line, `no condition is called ${name}${hint(name, scope.names.conditions)}`);
}

function checkMapping(argument: TreeNode, path: string, scope: Scope): void {
  const name = argument.kind === 'list' ? textOf(argument.items[0]) : undefined;
  if (name === undefined || scope.names.mappings.has(name) || scope.names.isOpen) return;
  scope.found.error(path, argument.line, `no mapping is called ${name}${hint(name, scope.names.mappings)}`);
}

/** The first circle of resources that wait for each other, or undefined. */
export function findCircle(uses: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const next of uses.get(name) ?? []) {
      const circle = visit(next, [...path, name]);
      if (circle !== undefined) return circle;
    }
    done.add(name);
    return undefined;
  };
  for (const name of uses.keys()) {
    const circle = visit(name, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

/** Names of a section's members. */
export function namesIn(root: MapNode, section: string): ReadonlySet<string> {
  const node = root.members.get(section);
  return new Set(node?.kind === 'map' ? node.members.keys() : []);
}
