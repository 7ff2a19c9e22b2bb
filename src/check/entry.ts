/** The checker as a library: `agentcore-agui/check`. */
export { allChecks } from './all-checks.ts';
export { type Check, type Severity, severities, type Verdict } from './check.ts';
export { CheckError } from './check-error.ts';
export { type ImageArchive, readImageArchive } from './image-archive.ts';
export { junitReport } from './junit-report.ts';
export type { Counts, Outcome, Report, Result } from './report.ts';
export { type Order, runChecks } from './run-checks.ts';
export { defaultSettings, type Prompts, type Settings } from './settings.ts';
export { type Conclusion, conclusionOf } from './severity.ts';
