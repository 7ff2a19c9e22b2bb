/**
 * A diagram's source as it may be drawn. The drawing library takes labels for HTML while it measures them, so that nothing
 * that could become an element gets there; and how it works is the page's business, not the agent's.
 */

/** Tags become text, but for line breaks and stereotypes; settings are left out. */
export function safeDiagram(source: string): string {
  return source
    .replace(/^\s*---\r?\n[\s\S]*?\n---\r?\n/, '')
    .replace(/%%\{[\s\S]*?\}%%/g, '')
    .replace(/<<\w+>>|<br\s*\/?>|<(?=[a-z/!?])/gi, (found) => (found === '<' ? '‹' : found))
    .replace(/[#&](?!(?:quot|amp|nbsp);)(?=#?\w+;)/g, '');
}
