/** What docs/frontdoor.md shows is what the front door takes and answers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDoorConfig } from '../../src/frontdoor/door-config.ts';
import { parseFaultRules } from '../../src/frontdoor/fault-rules.ts';
import { type ExceptionName, exceptions } from '../../src/frontdoor/platform-error.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/frontdoor.md'), 'utf8');
const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => JSON.parse(text) as object);
const source = { folder: '/', environment: { DOOR_SECRET: 'secret' } };

describe('the page about the front door', () => {
  it('shows files that it reads', () => {
    const doors = examples.filter((example) => 'runtimes' in example);

    expect(doors).toHaveLength(2);
    for (const door of doors) expect(readDoorConfig(door, source).runtimes).toHaveLength(1);
  });

  it('shows faults that can be had', () => {
    const [rules] = examples.flatMap((example) => ('faults' in example ? [example.faults] : []));

    expect(parseFaultRules(rules)).toHaveLength(4);
  });

  it('has the error table as it is', () => {
    const rows = page.matchAll(
      /^\| `(\w+Exception|RuntimeClientError)`.*? \| `(\w+)` \| (\d+) \| (\d+) \|$/gm,
    );

    const told = [...rows].map(([, name, code, agui, native]) => [name, code, Number(agui), Number(native)]);

    expect(told).toHaveLength(8);
    for (const [name, ...numbers] of told) {
      const { code, aguiStatus, nativeStatus } = exceptions[name as ExceptionName];
      expect(numbers).toEqual([code, aguiStatus, nativeStatus]);
    }
  });

  it('names the defaults', () => {
    const [{ limits, quota, lifecycle, ping }] = readDoorConfig(
      { runtimes: [{ arn: 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/a-b', command: ['x'] }] },
      source,
    ).runtimes as [ReturnType<typeof readDoorConfig>['runtimes'][number]];
    const shown = (name: string): string =>
      page
        .split('\n')
        .find((line) => line.startsWith(`| \`${name}\` |`))
        ?.split('|')
        .at(-2)
        ?.trim() ?? '';
    const numbers = (name: string): readonly number[] =>
      shown(name)
        .replaceAll(/(\d),(\d{3})/g, '$1$2')
        .replaceAll(/(\d),(\d{3})/g, '$1$2')
        .split(', ')
        .map(Number);

    expect(numbers('limits')).toEqual(Object.values(limits));
    expect(numbers('quota')).toEqual(Object.values(quota));
    expect(numbers('lifecycle')).toEqual(Object.values(lifecycle));
    expect(shown('ping')).toBe(Object.values(ping).join(', ').replace('documented', '`documented`'));
  });
});
