import { structuredPatch } from 'diff';
import { useMemo } from 'react';

/** Longer texts are not compared: it would take seconds, and nobody would read it. */
const maxChars = 300_000;

/** What changed between two texts, line by line with some lines around. */
export function DiffView({ before, after }: { readonly before: string; readonly after: string }) {
  const lines = useMemo(() => changedLines(before, after), [before, after]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <pre className="diff" tabIndex={0}>
      {lines.map((line, index) => {
        const Tag = line.startsWith('+') ? 'ins' : line.startsWith('-') ? 'del' : 'span';
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is made anew as a whole.
        return <Tag key={index}>{`${line}\n`}</Tag>;
      })}
    </pre>
  );
}

function changedLines(before: string, after: string): readonly string[] {
  if (before.length + after.length > maxChars) return after.split('\n');
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3, timeout: 1_000 }) ?? {
    hunks: [],
  };
  return hunks.flatMap(({ oldStart, newStart, lines }, index) => [
    ...(index === 0 && oldStart === 1 ? [] : [`@@ ${oldStart} → ${newStart}`]),
    ...lines,
  ]);
}
