/** Which addresses an agent's text may link to. Everything else is shown as text. */

const allowed: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** The address as it may stand in a link, or undefined. Relative ones are refused: they would lead into our own site. */
export function safeLink(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  return allowed.has(new URL(address).protocol) ? address : undefined;
}
