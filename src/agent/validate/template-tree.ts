/**
 * A template's text as a tree that knows its lines: YAML or JSON, short-form functions (`!GetAtt A.B`) spelled out as
 * `{Fn::GetAtt: …}`. Text is not to be trusted: aliases, depth and size are bounded. Leaves comments out.
 */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import type { Problem } from './report.ts';

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  readonly line: number;
}
export interface ListNode {
  readonly kind: 'list';
  readonly items: readonly TreeNode[];
  readonly line: number;
}
export interface MapNode {
  readonly kind: 'map';
  readonly members: ReadonlyMap<string, TreeNode>;
  readonly line: number;
}
export type TreeNode = ScalarNode | ListNode | MapNode;

export type ParsedTemplate =
  | { readonly ok: true; readonly root: MapNode }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const maxNodes = 50_000;
const maxDepth = 60;

/** What is wrong with the text as such; becomes a problem of the report. */
class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

interface Reading {
  readonly lines: LineCounter;
  readonly anchors: ReadonlyMap<string, ParsedNode>;
  nodes: number;
}

export function parseTemplate(text: string): ParsedTemplate {
  const lines = new LineCounter();
  // « silent » would hide that another document follows.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  if (document.errors.length > 0) {
    return {
      ok: false,
      problems: document.errors.slice(0, 20).map((error) => ({
        severity: 'error',
        path: '',
        line: lines.linePos(error.pos[0]).line,
        message:
          error.code === 'MULTIPLE_DOCS'
            ? 'another YAML document begins here: a template is one document'
            : `not valid YAML: ${error.message}`,
      })),
    };
  }
  try {
    const reading: Reading = { lines, anchors: anchorsOf(document.contents), nodes: 0 };
    const root = document.contents === null ? undefined : toTree(document.contents, reading, 0);
    if (root?.kind === 'map') return { ok: true, root };
    return { ok: false, problems: [rootProblem('the template is not a map of sections')] };
  } catch (thrown) {
    if (!(thrown instanceof Unreadable)) throw thrown;
    return { ok: false, problems: [rootProblem(thrown.message)] };
  }
}

function rootProblem(message: string): Problem {
  return { severity: 'error', path: '', line: 1, message };
}

function anchorsOf(root: ParsedNode | null): ReadonlyMap<string, ParsedNode> {
  const anchors = new Map<string, ParsedNode>();
  const visit = (node: unknown, depth: number): void => {
    if (depth > maxDepth) throw new Unreadable(`nested deeper than ${maxDepth} levels`);
    if (isMap(node)) {
      for (const pair of node.items) visit(pair.value, depth + 1);
    } else if (isSeq(node)) {
      for (const item of node.items) visit(item, depth + 1);
    }
    if ((isMap(node) || isSeq(node) || isScalar(node)) && node.anchor !== undefined)
      anchors.set(node.anchor, node as ParsedNode);
  };
  visit(root, 0);
  return anchors;
}

function toTree(node: Node, reading: Reading, depth: number): TreeNode {
  reading.nodes += 1;
  if (reading.nodes > maxNodes) throw new Unreadable(`more than ${maxNodes} values`);
  if (depth > maxDepth) throw new Unreadable(`nested deeper than ${maxDepth} levels`);
  const line = lineOf(node, reading);
  if (isAlias(node)) {
    const target = reading.anchors.get(node.source);
    if (target === undefined) throw new Unreadable(`alias *${node.source} has no anchor`);
    return toTree(target, reading, depth + 1);
  }
  const plain = toPlainTree(node, reading, depth, line);
  const name = functionOf(node.tag);
  if (name === undefined) return plain;
  return { kind: 'map', line, members: new Map([[name, shortArgument(name, plain)]]) };
}

function toPlainTree(node: Node, reading: Reading, depth: number, line: number): TreeNode {
  if (isMap(node)) return { kind: 'map', line, members: membersOf(node, reading, depth) };
  if (isSeq(node)) {
    const items = node.items.map((item) => toTree(item as Node, reading, depth + 1));
    return { kind: 'list', line, items };
  }
  return { kind: 'scalar', line, value: isScalar(node) ? plainValue(node.value) : null };
}

function membersOf(map: YAMLMap, reading: Reading, depth: number): ReadonlyMap<string, TreeNode> {
  const members = new Map<string, TreeNode>();
  for (const { key, value } of map.items) {
    const name = isScalar(key) ? String(key.value) : String(key);
    const line = lineOf(key as Node, reading);
    members.set(
      name,
      value === null ? { kind: 'scalar', value: null, line } : toTree(value as Node, reading, depth + 1),
    );
  }
  return members;
}

function lineOf(node: Node, { lines }: Reading): number {
  return lines.linePos(node.range?.[0] ?? 0).line;
}

function plainValue(value: unknown): ScalarNode['value'] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === null || value === undefined ? null : String(value);
}

/** `!Sub` is `Fn::Sub`; `!Ref` and `!Condition` have no prefix; YAML's own tags (`tag:…`, `!!str`) are none. */
function functionOf(tag: string | undefined): string | undefined {
  const [, name] = /^!([A-Za-z][A-Za-z0-9]*)$/.exec(tag ?? '') ?? [];
  if (name === undefined) return undefined;
  return name === 'Ref' || name === 'Condition' ? name : `Fn::${name}`;
}

/** `!GetAtt A.B.C` is `[A, B.C]`. */
function shortArgument(name: string, argument: TreeNode): TreeNode {
  if (name !== 'Fn::GetAtt' || argument.kind !== 'scalar') return argument;
  const text = String(argument.value);
  const dot = text.indexOf('.');
  const parts = dot < 0 ? [text] : [text.slice(0, dot), text.slice(dot + 1)];
  const { line } = argument;
  return { kind: 'list', line, items: parts.map((value) => ({ kind: 'scalar', value, line })) };
}

/** The value of a scalar, or undefined for a list or map. */
export function scalarOf(node: TreeNode | undefined): ScalarNode['value'] | undefined {
  return node?.kind === 'scalar' ? node.value : undefined;
}

/** The scalar as text, or undefined when it is none. */
export function textOf(node: TreeNode | undefined): string | undefined {
  const value = scalarOf(node);
  return value === undefined || value === null ? undefined : String(value);
}

export function memberOf(node: TreeNode | undefined, name: string): TreeNode | undefined {
  return node?.kind === 'map' ? node.members.get(name) : undefined;
}

/** Name and argument when the node is a function call: one member, `Ref`, `Condition` or `Fn::…`. */
export function callOf(node: TreeNode): { readonly name: string; readonly argument: TreeNode } | undefined {
  if (node.kind !== 'map' || node.members.size !== 1) return undefined;
  for (const [name, argument] of node.members) {
    if (name === 'Ref' || name === 'Condition' || name.startsWith('Fn::')) return { name, argument };
  }
  return undefined;
}
