/** What docs/operations.md says of faults and numbers is made from their catalogues. `DOCS=write` writes it anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codes, faultNames, faults } from '../../src/errors/catalog.ts';
import { fault } from '../../src/errors/fault.ts';
import { sentence } from '../../src/language/sentence.ts';
import { gauges, numbers } from '../../src/outbound/telemetry/numbers.ts';
import { settings } from '../../src/server/settings.ts';
import { particular, remedies } from './remedies.ts';

const file = join(import.meta.dirname, '../../docs/operations.md');
const read = (): string => readFileSync(file, 'utf8');

function blockOf(name: string): RegExp {
  return new RegExp(`(<!-- ${name}:start -->\n)([\\s\\S]*?)(<!-- ${name}:end -->)`);
}

function writeBlock(name: string, table: string): void {
  if (process.env['DOCS'] !== 'write') return;
  writeFileSync(
    file,
    read().replace(blockOf(name), (_all, start: string, _old, end: string) => `${start}${table}${end}`),
  );
}

function faultsTable(): string {
  const rows = faultNames.map((name) => {
    const code = faults[name];
    const { agentCore, retry } = codes[code];
    const meaning = sentence(fault(name), 'en').replaceAll('|', '\\|');
    const remedy = particular[name] ?? remedies[code];
    return `| \`${name}\` | \`${code}\` | \`${agentCore.code}\` ${agentCore.status} | ${retry} | ${meaning} | ${remedy} |`;
  });
  return [
    '| reason | fault | AgentCore | retry | what the caller is told | what to do |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function numbersTable(): string {
  const rows = Object.values({ ...numbers, ...gauges }).map(
    ({ otel, prometheus, what }) => `| \`${otel}\` | \`${prometheus}\` | ${what} |`,
  );
  return ['| OpenTelemetry | Prometheus | what |', '|---|---|---|', ...rows, ''].join('\n');
}

describe('docs/operations.md', () => {
  it('lists every fault with its meaning and remedy', () => {
    writeBlock('faults', faultsTable());

    expect(blockOf('faults').exec(read())?.[2]).toBe(faultsTable());
  });

  it('lists every number', () => {
    writeBlock('numbers', numbersTable());

    expect(blockOf('numbers').exec(read())?.[2]).toBe(numbersTable());
  });

  it('names no setting, fault or number that does not exist', () => {
    const text = read();
    const known = new Set<string>([
      ...Object.values(settings).flatMap(({ name, aliases }) => [name, ...aliases]),
      ...Object.values({ ...numbers, ...gauges }).map(({ prometheus }) => prometheus),
    ]);
    const named = [...text.matchAll(/\b(?:AGUI_[A-Z_]+|agentcore_agui_[a-z_]+)\b/g)].map(([name]) => name);

    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
