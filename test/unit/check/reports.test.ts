/** The two reports for machines, and how the whole is concluded. */

import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import type { Severity } from '../../../src/check/check.ts';
import { junitReport } from '../../../src/check/junit-report.ts';
import { countsOf, type Outcome, type Report, type Result } from '../../../src/check/report.ts';
import { conclusionOf } from '../../../src/check/severity.ts';

function result(id: string, severity: Severity, outcome: Outcome): Result {
  return { id, sentence: `${id} holds`, source: 'the contract', severity, outcome, durationMs: 12 };
}

function reportOf(...results: readonly Result[]): Report {
  return {
    subject: 'http://x',
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 40,
    results,
    counts: countsOf(results),
  };
}

const failure = (text = 'seen'): Outcome => ({
  kind: 'failed',
  why: 'it is wrong',
  sent: 'GET /ping',
  seen: text,
});

const mixed = reportOf(
  result('ping.get', 'error', { kind: 'passed' }),
  result('ping.status', 'error', failure()),
  result('ping.busy', 'warning', failure('<"&\u0007')),
  result('ws.path', 'error', { kind: 'skipped', why: 'no socket' }),
  result('ws.framing', 'warning', { kind: 'unproven', why: 'the time was over' }),
);

const parse = (xml: string) => new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(xml);

describe('the JUnit report', () => {
  it('has a suite for each noun, with counts that add up', () => {
    const { testsuites } = parse(junitReport(mixed, 'error'));

    expect(testsuites).toMatchObject({ tests: '5', failures: '1', errors: '1', skipped: '1', time: '0.040' });
    expect(testsuites.testsuite).toMatchObject([
      { name: 'ping', tests: '3', failures: '1', timestamp: '2026-01-01T00:00:00' },
      { name: 'ws', tests: '2', failures: '0', errors: '1', skipped: '1' },
    ]);
    expect(testsuites.testsuite[0].testcase[1]).toMatchObject({
      classname: 'ping',
      name: 'ping.status: ping.status holds',
      failure: { message: 'it is wrong', type: 'error' },
    });
  });

  it('shows a finding below the bound as output of a case that passed', () => {
    const { testsuites } = parse(junitReport(mixed, 'error'));

    expect(testsuites.testsuite[0].testcase[2]['system-out']).toContain('warning: it is wrong');
    expect(parse(junitReport(mixed, 'warning')).testsuites.failures).toBe('2');
  });

  it('is well-formed whatever the subject answers', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (seen, why) => {
        const xml = junitReport(
          reportOf(result('a.b', 'error', { kind: 'failed', why, sent: seen, seen })),
          'error',
        );
        expect(XMLValidator.validate(xml)).toBe(true);
      }),
    );
  });
});

describe('the conclusion', () => {
  const warning = reportOf(result('a.b', 'warning', failure()));

  it('fails from the given severity on', () => {
    expect(conclusionOf(warning, 'error')).toBe('passed');
    expect(conclusionOf(warning, 'warning')).toBe('failed');
    expect(conclusionOf(warning, 'info')).toBe('failed');
  });

  it('is open when something stayed unproven and nothing failed', () => {
    const unproven = result('a.c', 'error', { kind: 'unproven', why: 'the time was over' });

    expect(conclusionOf(reportOf(unproven), 'error')).toBe('unproven');
    expect(conclusionOf(reportOf(unproven, result('a.b', 'error', failure())), 'error')).toBe('failed');
  });
});
