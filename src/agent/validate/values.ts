/**
 * Values against the shapes of a schema, at every depth. What a function call gives is known only when the template is
 * deployed: calls are accepted wherever they can give what is wanted; both branches of `Fn::If` are looked into.
 */
import type { Findings } from './report.ts';
import { nearest, type Properties, type ValueShape } from './schema.ts';
import { callOf, type MapNode, type ScalarNode, type TreeNode } from './template-tree.ts';

const listCalls = new Set(['Fn::GetAZs', 'Fn::Split', 'Fn::Cidr']);
const textCalls = new Set(['Fn::Sub', 'Fn::Join', 'Fn::Base64', 'Fn::Base64Encode', 'Fn::ToJsonString']);

type Scalar = Extract<ValueShape, { readonly kind: 'string' | 'number' | 'integer' | 'boolean' }>;

export function checkValue(node: TreeNode, shape: ValueShape, path: string, found: Findings): void {
  if (shape.kind === 'any') return;
  const call = callOf(node);
  if (call !== undefined) {
    checkCall(call.name, call.argument, shape, path, found);
    return;
  }
  switch (shape.kind) {
    case 'list':
      checkList(node, shape, path, found);
      return;
    case 'map':
      if (node.kind !== 'map') found.error(path, node.line, `expected a map, found ${describe(node)}`);
      else for (const [name, each] of node.members) checkValue(each, shape.element, `${path}.${name}`, found);
      return;
    case 'object':
      if (node.kind !== 'map')
        found.error(path, node.line, `expected an object (${shape.name}), found ${describe(node)}`);
      else checkProperties(node, shape.properties(), path, found);
      return;
    case 'either':
      checkEither(node, shape.shapes, path, found);
      return;
    default:
      checkScalar(node, shape, path, found);
  }
}

/** Every member is known and right, every required one is there. */
export function checkProperties(node: MapNode, properties: Properties, path: string, found: Findings): void {
  for (const [name, value] of node.members) {
    const property = properties.get(name);
    if (property !== undefined) checkValue(value, property.shape, `${path}.${name}`, found);
    else if (name.startsWith('Fn::')) continue;
    else found.error(`${path}.${name}`, value.line, `unknown property${hint(name, properties.keys())}`);
  }
  for (const [name, { required }] of properties) {
    if (required && !node.members.has(name))
      found.error(`${path}.${name}`, node.line, 'required property is missing');
  }
}

export function hint(name: string, known: Iterable<string>): string {
  const near = nearest(name, known);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

function checkCall(name: string, argument: TreeNode, shape: ValueShape, path: string, found: Findings): void {
  if (name === 'Fn::If' && argument.kind === 'list') {
    for (const branch of argument.items.slice(1)) checkValue(branch, shape, path, found);
    return;
  }
  const isText = shape.kind === 'string';
  if (isText && listCalls.has(name))
    found.error(path, argument.line, `expected a string, ${name} gives a list`);
  const isList = shape.kind === 'list' || shape.kind === 'object';
  if (isList && textCalls.has(name))
    found.error(
      path,
      argument.line,
      `expected ${shape.kind === 'list' ? 'a list' : 'an object'}, ${name} gives a string`,
    );
}

function checkList(
  node: TreeNode,
  shape: Extract<ValueShape, { readonly kind: 'list' }>,
  path: string,
  found: Findings,
): void {
  if (node.kind !== 'list') {
    found.error(path, node.line, `expected a list, found ${describe(node)}`);
    return;
  }
  const { length } = node.items;
  if (shape.minLength !== undefined && length < shape.minLength)
    found.error(path, node.line, `expected at least ${shape.minLength} items`);
  if (shape.maxLength !== undefined && length > shape.maxLength)
    found.error(path, node.line, `expected at most ${shape.maxLength} items`);
  for (const [index, item] of node.items.entries())
    checkValue(item, shape.element, `${path}[${index}]`, found);
}

/** Right when it fits one of the shapes; else what the most fitting one finds is told. */
function checkEither(node: TreeNode, shapes: readonly ValueShape[], path: string, found: Findings): void {
  let best: readonly [ValueShape, number] | undefined;
  for (const shape of shapes) {
    const { count } = tryValue(node, shape, path, found);
    if (count === 0) return;
    if (best === undefined || count < best[1]) best = [shape, count];
  }
  if (best !== undefined) checkValue(node, best[0], path, found);
}

function tryValue(node: TreeNode, shape: ValueShape, path: string, found: Findings): Findings {
  // The same kind of collector, thrown away afterwards.
  const trial = new (found.constructor as new () => Findings)();
  checkValue(node, shape, path, trial);
  return trial;
}

function checkScalar(node: TreeNode, shape: Scalar, path: string, found: Findings): void {
  const fail = (message: string): void => found.error(path, node.line, message);
  if (node.kind !== 'scalar') return fail(`expected a ${shape.kind}, found ${describe(node)}`);
  const { value } = node;
  if (value === null) return fail(`expected a ${shape.kind}, found nothing`);
  const problem = kindProblem(value, shape) ?? limitProblem(value, shape);
  if (problem !== undefined) fail(problem);
}

/** Both platforms turn numbers and flags into text and back where that loses nothing. */
function kindProblem(value: string | number | boolean, { kind }: Scalar): string | undefined {
  const text = String(value);
  switch (kind) {
    case 'string':
      return undefined;
    case 'boolean':
      return /^(?:true|false)$/i.test(text) ? undefined : `expected true or false, found ${quote(value)}`;
    case 'integer':
      return /^[+-]?\d+$/.test(text) ? undefined : `expected a whole number, found ${quote(value)}`;
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text))
        ? undefined
        : `expected a number, found ${quote(value)}`;
  }
}

function limitProblem(value: string | number | boolean, shape: Scalar): string | undefined {
  const text = String(value);
  const { values, pattern, min, max, minLength, maxLength } = shape;
  if (values !== undefined && !values.some((each) => String(each) === text))
    return `${quote(value)} is not one of ${values.slice(0, 12).join(', ')}${values.length > 12 ? ', …' : ''}`;
  if (pattern !== undefined && !pattern.test(text)) return `${quote(value)} does not match ${pattern.source}`;
  if (min !== undefined && Number(text) < min) return `${quote(value)} is less than ${min}`;
  if (max !== undefined && Number(text) > max) return `${quote(value)} is more than ${max}`;
  if (minLength !== undefined && text.length < minLength) return `shorter than ${minLength} characters`;
  if (maxLength !== undefined && text.length > maxLength) return `longer than ${maxLength} characters`;
  return undefined;
}

function quote(value: ScalarNode['value']): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function describe(node: TreeNode): string {
  if (node.kind === 'list') return 'a list';
  return node.kind === 'map' ? 'a map' : quote(node.value);
}
