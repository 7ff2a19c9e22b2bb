/**
 * Cuts Markdown at its outermost blank lines, so that a streaming answer only has its last block parsed again. Fences
 * stay whole, and so does a list with blank lines between its items.
 */

/** The blocks in order; joined with a blank line they mean the same as the whole. */
export function markdownBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  let isAfterBlank = false;
  for (const line of text.split('\n')) {
    const isBlank = line.trim() === '';
    if (isAfterBlank && !isBlank && fence === undefined && lines.length > 0 && !goesOn(line, lines)) {
      blocks.push(lines.join('\n').trimEnd());
      lines = [];
    }
    lines.push(line);
    fence = nextFence(fence, line);
    isAfterBlank = isBlank;
  }
  const rest = lines.join('\n');
  return rest.trim() === '' ? blocks : [...blocks, rest];
}

/** Indented text belongs to what stands above it, and one item of a list to the next. */
function goesOn(line: string, lines: readonly string[]): boolean {
  if (/^(?: {2,}|\t)/.test(line)) return true;
  return isItem(line) && isItem(lines[0] ?? '');
}

function isItem(line: string): boolean {
  return /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?: |$)/.test(line);
}

function nextFence(open: string | undefined, line: string): string | undefined {
  const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
  if (mark === null) return open;
  const [, marks = '', info = ''] = mark;
  if (open === undefined) return marks.startsWith('`') && info.includes('`') ? undefined : marks;
  const isEnd = marks.startsWith(open) && info.trim() === '';
  return isEnd ? undefined : open;
}
