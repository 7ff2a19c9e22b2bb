/** Draws what bench/results holds as SVG below docs/images: `node bench/plots.ts`. Bars are ratios, the reference is 1. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measurement } from './measurement.ts';

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly isOurs: boolean;
}

const width = 760;
const left = 270;
const right = 90;
const step = 30;

function result(name: string): Measurement {
  // Written by bench/run.ts with the same types.
  return JSON.parse(
    readFileSync(join(import.meta.dirname, 'results', `${name}.json`), 'utf8'),
  ) as Measurement;
}

function bars({ rows }: Measurement, pick: (row: Measurement['rows'][number]) => number): readonly Bar[] {
  return rows.map((row) => ({
    label: row.name,
    value: pick(row),
    isOurs:
      row.name.startsWith('agentcore-agui') || rows.every(({ name }) => !name.startsWith('agentcore-agui')),
  }));
}

function draw(file: string, title: string, unit: string, given: readonly Bar[]): void {
  const most = Math.max(...given.map(({ value }) => value));
  const height = 56 + given.length * step;
  const lines = given.map(({ label, value, isOurs }, index) => {
    const y = 44 + index * step;
    const length = Math.max(2, (value / most) * (width - left - right));
    return [
      `<text x="${left - 10}" y="${y + 15}" text-anchor="end">${escaped(label)}</text>`,
      `<rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="20" rx="2" fill="${isOurs ? '#0b6bcb' : '#9aa5b1'}"/>`,
      `<text x="${(left + length + 8).toFixed(1)}" y="${y + 15}">${Number(value.toPrecision(3))}${unit}</text>`,
    ].join('\n');
  });
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="#1f2933">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="16" y="26" font-size="15" font-weight="600">${escaped(title)}</text>`,
    ...lines,
    '</svg>',
    '',
  ];
  writeFileSync(join(import.meta.dirname, '../docs/images', file), svg.join('\n'));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

const cpu = (row: Measurement['rows'][number]): number => row.ratios['CPU s per million'] ?? 0;
draw(
  'bench-one-stream.svg',
  'One stream, no upstream: CPU per event, raw frames = 1',
  'x',
  bars(result('one-stream'), cpu),
);
draw(
  'bench-many-runs.svg',
  '500 runs at once: CPU per event, raw frames = 1',
  'x',
  bars(result('many-runs'), cpu),
);
draw(
  'bench-start.svg',
  'Start to the first event, bare node:http = 1',
  'x',
  bars(result('start'), ({ ratios }) => ratios['first event ms'] ?? 0),
);
draw(
  'bench-paced-streams.svg',
  'Event streams at 5 events a second: CPU of one core',
  ' %',
  bars(result('paced-streams'), ({ values }) => values['CPU %'] ?? 0),
);
const growth = result('growth');
const threads = growth.rows.filter(({ name }) => name.startsWith('threads'));
const events = growth.rows.filter(({ name }) => name.startsWith('a run'));
draw(
  'bench-growth-threads.svg',
  'CPU of a short durable run, by the number of threads kept',
  ' ms',
  bars({ ...growth, rows: threads }, ({ values }) => values['CPU ms per run'] ?? 0),
);
draw(
  'bench-growth-events.svg',
  'CPU seconds per million events, by the length of a run',
  ' s',
  bars({ ...growth, rows: events }, ({ values }) => values['CPU s per million'] ?? 0),
);
draw(
  'bench-growth-history.svg',
  'CPU of interrupt and resume, by the history sent along',
  ' ms',
  bars(result('resume'), ({ values }) => values['CPU ms for both'] ?? 0),
);
