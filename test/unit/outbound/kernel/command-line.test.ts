import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitCommand } from '../../../../src/outbound/kernel/command-line.ts';

describe('a command line', () => {
  it.each([
    ['iac-code a2a --port {port}', ['iac-code', 'a2a', '--port', '8123']],
    ['  a\t b\n', ['a', 'b']],
    [`"C:/my agent/run" --name='two words'`, ['C:/my agent/run', '--name=two words']],
    [`a\\ b 'c\\d' "e\\"f" "g\\h"`, ['a b', 'c\\d', 'e"f', 'g\\h']],
    [`a "" ''`, ['a', '', '']],
    [`a $HOME *.ts | b > c`, ['a', '$HOME', '*.ts', '|', 'b', '>', 'c']],
    ['a --x={port}{other}', ['a', '--x=8123{other}']],
  ])('%s is split as a shell would, and nothing more', (command, words) => {
    expect(splitCommand(command, { port: '8123' })).toEqual(words);
  });

  it.each(['', '   ', '""', 'a "b', "a 'b", 'a \\'])('"%s" is no command', (command) => {
    expect(() => splitCommand(command, {})).toThrow(TypeError);
  });

  it('gives back any words that were quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (words) => {
        const quoted = words.map((word) => `'${word.replaceAll("'", `'"'"'`)}'`).join(' ');

        expect(splitCommand(quoted, {})).toEqual(words);
      }),
    );
  });
});
