/** What came out, as plain values: the form that `--json` prints. */
import type { Severity, Verdict } from './check.ts';

/** `unproven`: the time was over, or the caller's token could not be had; it says nothing about the subject. */
export type Outcome = Verdict | { readonly kind: 'unproven'; readonly why: string };

export interface Result {
  readonly id: string;
  readonly sentence: string;
  readonly source: string;
  readonly severity: Severity;
  readonly outcome: Outcome;
  readonly durationMs: number;
}

export interface Report {
  /** The address, the archive, or both. */
  readonly subject: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly results: readonly Result[];
  readonly counts: Counts;
}

export interface Counts {
  readonly passed: number;
  readonly skipped: number;
  readonly unproven: number;
  /** Failed, by severity. */
  readonly error: number;
  readonly warning: number;
  readonly info: number;
}

export function countsOf(results: readonly Result[]): Counts {
  const of = (kind: Outcome['kind']): number => results.filter(({ outcome }) => outcome.kind === kind).length;
  const failedAs = (severity: Severity): number =>
    results.filter((result) => result.outcome.kind === 'failed' && result.severity === severity).length;
  return {
    passed: of('passed'),
    skipped: of('skipped'),
    unproven: of('unproven'),
    error: failedAs('error'),
    warning: failedAs('warning'),
    info: failedAs('info'),
  };
}

/** The verdict in one word for a table. */
export function wordOf({ outcome, severity }: Result): string {
  return outcome.kind === 'failed' ? severity : outcome.kind;
}
