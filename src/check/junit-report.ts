/** The report as JUnit XML, which CI systems read: a suite for each noun, a case for each sentence. */
import { nounOf } from './all-checks.ts';
import type { Severity } from './check.ts';
import type { Report, Result } from './report.ts';
import { isFailure } from './severity.ts';

/** Failures below the severity are shown as the output of a case that passed. */
export function junitReport({ subject, startedAt, durationMs, results }: Report, failOn: Severity): string {
  const suites = [...Map.groupBy(results, nounOf)].map(([noun, own]) =>
    suite(noun, own, { subject, startedAt, failOn }),
  );
  const total = attributes({
    name: 'agentcore-agui check',
    ...countsOf(results, failOn),
    time: seconds(durationMs),
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${total}>\n${suites.join('\n')}\n</testsuites>\n`;
}

interface About {
  readonly subject: string;
  readonly startedAt: string;
  readonly failOn: Severity;
}

function suite(noun: string, results: readonly Result[], { subject, startedAt, failOn }: About): string {
  const time = seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const timestamp = startedAt.replace(/\.\d+Z$/, '');
  const head = attributes({ name: noun, hostname: subject, timestamp, ...countsOf(results, failOn), time });
  return [
    `  <testsuite${head}>`,
    ...results.map((result) => testCase(result, noun, failOn)),
    '  </testsuite>',
  ].join('\n');
}

function testCase(result: Result, noun: string, failOn: Severity): string {
  const { id, sentence, durationMs } = result;
  const head = `    <testcase${attributes({ classname: noun, name: `${id}: ${sentence}`, time: seconds(durationMs) })}`;
  const inner = innerOf(result, failOn);
  return inner === undefined ? `${head}/>` : `${head}>\n      ${inner}\n    </testcase>`;
}

function innerOf(result: Result, failOn: Severity): string | undefined {
  const { outcome, severity, source } = result;
  switch (outcome.kind) {
    case 'passed':
      return undefined;
    case 'skipped':
      return `<skipped${attributes({ message: outcome.why })}/>`;
    case 'unproven':
      return `<error${attributes({ message: outcome.why, type: 'unproven' })}/>`;
    case 'failed': {
      const text = escaped(`${source}\n\nsent:\n${outcome.sent}\n\nseen:\n${outcome.seen}\n`);
      if (isFailure(result, failOn)) {
        return `<failure${attributes({ message: outcome.why, type: severity })}>${text}</failure>`;
      }
      return `<system-out>${escaped(`${severity}: ${outcome.why}\n\n`)}${text}</system-out>`;
    }
  }
}

function countsOf(results: readonly Result[], failOn: Severity): Readonly<Record<string, string>> {
  const of = (kind: string): string => String(results.filter(({ outcome }) => outcome.kind === kind).length);
  return {
    tests: String(results.length),
    failures: String(results.filter((result) => isFailure(result, failOn)).length),
    errors: of('unproven'),
    skipped: of('skipped'),
  };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(value).replaceAll('\n', '&#10;')}"`)
    .join('');
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** XML 1.0 has no form for control characters, not even escaped. */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escaped(text: string): string {
  return text.replace(impossible, '\ufffd').replace(/[&<>"]/g, (sign) => named[sign] ?? sign);
}
