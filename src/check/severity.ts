/** Which findings make the whole a failure. */
import { type Severity, severities } from './check.ts';
import type { Report, Result } from './report.ts';

export function isFailure({ outcome, severity }: Result, failOn: Severity): boolean {
  return outcome.kind === 'failed' && severities.indexOf(severity) >= severities.indexOf(failOn);
}

export type Conclusion = 'passed' | 'failed' | 'unproven';

/** A failure counts before what could not be proven. */
export function conclusionOf({ results, counts }: Report, failOn: Severity): Conclusion {
  if (results.some((result) => isFailure(result, failOn))) return 'failed';
  return counts.unproven > 0 ? 'unproven' : 'passed';
}
