/**
 * Fails when we have become more than twice as dear, against the same reference in the same run, as bench/results says:
 * `node bench/guard.ts`. By ratio only, so that neither the machine nor its load decides; without foreign peers, within
 * two minutes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure as measureChain } from './cases/chain.ts';
import { measure as measureOneStream } from './cases/one-stream.ts';
import { measure as measureStart } from './cases/start.ts';
import type { Measurement } from './measurement.ts';

const allowed = 2;

const watched = [
  { name: 'chain', row: 'agentcore-agui', column: 'CPU s per million', measure: () => measureChain(3) },
  {
    name: 'one-stream',
    row: 'agentcore-agui',
    column: 'CPU s per million',
    measure: () => measureOneStream(3, false),
  },
  {
    name: 'start',
    row: 'agentcore-agui (bundle, compile cache)',
    column: 'first event ms',
    measure: () => measureStart(5, false),
  },
] as const;

function ratioIn({ rows }: Measurement, row: string, column: string): number {
  const ratio = rows.find(({ name }) => name === row)?.ratios[column];
  if (ratio === undefined) throw new TypeError(`no ${column} of ${row}`);
  return ratio;
}

for (const { name, row, column, measure } of watched) {
  // Written by bench/run.ts with the same types.
  const recorded = JSON.parse(
    readFileSync(join(import.meta.dirname, 'results', `${name}.json`), 'utf8'),
  ) as Measurement;
  const before = ratioIn(recorded, row, column);
  const now = ratioIn(await measure(), row, column);
  const isWorse = now > allowed * before;
  console.log(
    `${isWorse ? 'WORSE' : 'ok'}: ${name}, ${column}: ${now}x of the reference, recorded ${before}x`,
  );
  if (isWorse) process.exitCode = 1;
}
