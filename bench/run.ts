/**
 * `npm run bench [name …]`: the measurements, each against its peers in the same run, as a table and as JSON in
 * bench/results. Loopback only, bounded, ends by itself. Absolute numbers belong to the machine; ratios are the result.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Measurement, table } from './measurement.ts';

const folder = join(import.meta.dirname, 'cases');
const wanted = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((name) => wanted.length === 0 || wanted.includes(name));

for (const name of names) {
  const module = (await import(join(folder, `${name}.ts`))) as { measure(): Promise<Measurement> };
  const measurement = await module.measure();
  console.log(table(measurement));
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
  writeFileSync(
    join(import.meta.dirname, 'results', `${name}.json`),
    `${JSON.stringify(measurement, null, 2)}\n`,
  );
}
