/**
 * Writes a template as YAML the way people write it by hand: a blank line between sections and between resources,
 * function calls on one line, code as a literal block, nothing folded. Strings that YAML 1.1 readers would take for
 * something else (`yes`, `2012-10-17`, `0123`) are quoted, because the clouds read YAML 1.1.
 */
import { Document, isCollection, isNode, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { Intrinsic, type TemplateSection, type TemplateValue } from './template-value.ts';

/** Sections whose entries are set apart by a blank line. */
const AIRY_SECTIONS = new Set(['Parameters', 'Resources', 'Outputs']);

/** The sections in their order, as YAML text ending in a line break. */
export function toYaml(template: TemplateSection): string {
  const document = new Document(null, { version: '1.1' });
  const root = toNode(document, template);
  if (root instanceof YAMLMap) airOut(root);
  document.contents = root;
  return document.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: false });
}

function toNode(document: Document, value: TemplateValue): Node {
  if (value instanceof Intrinsic) return callNode(document, value);
  if (Array.isArray(value)) {
    const list = new YAMLSeq(document.schema);
    list.items = value.map((item: TemplateValue) => toNode(document, item));
    return list;
  }
  if (typeof value === 'object') {
    const map = new YAMLMap(document.schema);
    map.items = Object.entries(value).map(
      ([key, member]) => new Pair(new Scalar(key), toNode(document, member)),
    );
    return map;
  }
  return document.createNode(value);
}

/** A call with only short arguments stays on its line: `!Select [0, !GetAZs '']`. */
function callNode(document: Document, call: Intrinsic): Node {
  const node = toNode(document, call.argument);
  node.tag = `!${call.tag}`;
  if (node instanceof YAMLSeq && !node.items.some(holdsMap)) node.flow = true;
  if (node instanceof Scalar && call.tag === 'Sub') node.type = Scalar.QUOTE_SINGLE;
  return node;
}

function holdsMap(node: unknown): boolean {
  if (node instanceof YAMLMap) return true;
  return isCollection(node) && node.items.some((item) => isNode(item) && holdsMap(item));
}

function airOut(root: YAMLMap): void {
  for (const [position, section] of root.items.entries()) {
    if (position > 0 && section.key instanceof Scalar) section.key.spaceBefore = true;
    if (!(section.key instanceof Scalar) || !AIRY_SECTIONS.has(String(section.key.value))) continue;
    if (!(section.value instanceof YAMLMap)) continue;
    for (const entry of section.value.items.slice(1)) {
      if (entry.key instanceof Scalar) entry.key.spaceBefore = true;
    }
  }
}
