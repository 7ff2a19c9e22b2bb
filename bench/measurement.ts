/** What a measurement is, and how rounds of it become one row. */
import { cpus } from 'node:os';

export interface Row {
  readonly name: string;
  /** Median of the rounds, by column. */
  readonly values: Readonly<Record<string, number>>;
  /** The same divided by the first row's. */
  readonly ratios: Readonly<Record<string, number>>;
}

export interface Measurement {
  readonly title: string;
  readonly rounds: number;
  readonly node: string;
  readonly machine: string;
  readonly rows: readonly Row[];
}

export type Sample = Readonly<Record<string, number>>;

/** Runs every contestant once a round, in turn, so that a noisy moment hits them alike. The first is the reference. */
export async function interleaved(
  title: string,
  rounds: number,
  contestants: Readonly<Record<string, () => Promise<Sample>>>,
): Promise<Measurement> {
  const samples = new Map<string, Sample[]>(Object.keys(contestants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of Object.entries(contestants)) samples.get(name)?.push(await measure());
  }
  const medians = [...samples].map(([name, all]) => ({ name, values: medianOf(all) }));
  const reference = medians[0]?.values ?? {};
  return {
    title,
    rounds,
    node: process.version,
    machine: `${process.arch}, ${cpus().length} cores`,
    rows: medians.map(({ name, values }) => ({ name, values, ratios: divide(values, reference) })),
  };
}

function medianOf(samples: readonly Sample[]): Sample {
  const columns = Object.keys(samples[0] ?? {});
  return Object.fromEntries(
    columns.map((column) => [column, median(samples.map((each) => each[column] ?? 0))]),
  );
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function divide(values: Sample, reference: Sample): Sample {
  return Object.fromEntries(
    Object.entries(values).map(([column, value]) => [column, round(value / (reference[column] || 1))]),
  );
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function table({ title, rounds, rows }: Measurement): string {
  const columns = Object.keys(rows[0]?.values ?? {});
  const lines = rows.map(({ name, values, ratios }) =>
    [name, ...columns.map((column) => `${round(values[column] ?? 0)} (${ratios[column]}x)`)].join(' | '),
  );
  return [`${title}, median of ${rounds}`, ['', ...columns].join(' | '), ...lines, ''].join('\n');
}
