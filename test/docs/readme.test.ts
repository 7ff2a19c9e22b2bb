/** What the documents say about settings is made from the table that the server reads. `DOCS=write` writes it anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settings } from '../../src/server/settings.ts';

const file = join(import.meta.dirname, '../../README.md');
const block = /(<!-- settings:start -->\n)([\s\S]*?)(<!-- settings:end -->)/;

function settingsTable(): string {
  const rows = Object.values(settings).map(({ name, aliases, what, shownDefault }) => {
    const older = aliases.length === 0 ? '' : ` (also ${aliases.map((alias) => `\`${alias}\``).join(', ')})`;
    return `| \`${name}\` | ${what}${older} | ${shownDefault ?? ''} |`;
  });
  return ['| setting | what | default |', '|---|---|---|', ...rows, ''].join('\n');
}

describe('README.md', () => {
  it('lists every setting as the server reads it', () => {
    const text = readFileSync(file, 'utf8');
    if (process.env['DOCS'] === 'write') {
      writeFileSync(
        file,
        text.replace(block, (_all, start: string, _old, end: string) => `${start}${settingsTable()}${end}`),
      );
    }

    expect(block.exec(readFileSync(file, 'utf8'))?.[2]).toBe(settingsTable());
  });

  it('opens with the two commands', () => {
    const text = readFileSync(file, 'utf8');

    expect(text.split('\n').slice(2, 6).join('\n')).toMatch(
      /^```sh\nnpm ci && npm start .*\nnpm ci && npm test .*\n```$/,
    );
  });
});
