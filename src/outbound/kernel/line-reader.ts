/** Output of a process → lines, with a bound on their length: the rest of a longer line is passed over. */
import type { Readable } from 'node:stream';

/** Calls back once for each line that is not blank. Masking needs whole secrets, so `mask` sees a little more. */
export function readLines(
  output: Readable,
  options: { readonly maxChars: number; readonly mask: (text: string) => string },
  onLine: (line: string) => void,
): void {
  const { maxChars, mask } = options;
  const heldChars = maxChars + 256;
  let held = '';
  const flush = (): void => {
    const line = mask(held).trimEnd();
    held = '';
    if (line !== '') onLine(line.length > maxChars ? `${line.slice(0, maxChars)}…` : line);
  };
  output.setEncoding('utf8');
  output.on('data', (text: string) => {
    const [first = '', ...rest] = text.split(/\r?\n/);
    held = (held + first).slice(0, heldChars);
    for (const next of rest) {
      flush();
      held = next.slice(0, heldChars);
    }
  });
  output.on('end', flush);
  // A pipe that breaks with its process is no news: the exit tells it.
  output.on('error', () => undefined);
}
