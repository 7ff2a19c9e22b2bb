/**
 * A command as people write it → program and arguments. Quotes and backslashes mean what they mean in a shell; nothing
 * else does: no variables, no globs, no pipes. No shell is ever started.
 */

/** Throws `TypeError` for an empty command or an open quote. `{name}` is replaced inside arguments by `values.name`. */
export function splitCommand(command: string, values: Readonly<Record<string, string>>): readonly string[] {
  const words = wordsOf(command).map((word) =>
    word.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
  );
  if (words.length === 0 || words[0] === '') throw new TypeError('the command of the kernel is empty');
  return words;
}

/** One piece of a word: a single-quoted text, a double-quoted text, an escaped character, or plain characters. */
const piece = /'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\.)*)"|\\(?<escaped>.)|(?<plain>[^\s'"\\]+)/sy;

function wordsOf(command: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < command.length; ) {
    if (/\s/.test(command.charAt(at))) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
      continue;
    }
    piece.lastIndex = at;
    const groups = piece.exec(command)?.groups;
    if (groups === undefined) throw new TypeError('the command of the kernel has a quote that is not closed');
    at = piece.lastIndex;
    const { single, double, escaped, plain } = groups;
    word = `${word ?? ''}${single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? ''}`;
  }
  if (word !== undefined) words.push(word);
  return words;
}
