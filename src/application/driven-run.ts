/** What a run is driven with. */
import type { FallbackTexts } from '../domain/interrupts/pending.ts';
import type { ThreadRecord } from '../domain/thread/thread.ts';
import type { Kernel } from '../ports/kernel.ts';
import type { Runtime } from '../ports/runtime.ts';
import type { RunOrigin, Telemetry } from '../ports/telemetry.ts';
import type { RequestId, RunId } from '../protocol/ids.ts';
import type { LiveRuns } from './live-runs.ts';
import type { RunFeed } from './run-feed.ts';
import type { LedgerSettings } from './run-ledger.ts';
import type { ThreadDesk } from './thread-desk.ts';

export interface DriverSettings extends LedgerSettings {
  /** A run that takes longer is stopped. */
  readonly deadlineMs: number;
  /** How long to go on reading after a state that looks final, for what a kernel sends behind it. */
  readonly lingerMs: number;
  /** How long a cancelled run waits for its task's name, so that it can be cancelled upstream. */
  readonly nameTaskMs: number;
}

export const defaultDriverSettings: Omit<DriverSettings, keyof LedgerSettings | 'deadlineMs'> = {
  lingerMs: 2_000,
  nameTaskMs: 10_000,
};

export interface DriverParts {
  readonly desk: ThreadDesk;
  readonly kernel: Kernel;
  readonly runtime: Runtime;
  readonly telemetry: Telemetry;
  readonly liveRuns: LiveRuns;
  readonly settings: DriverSettings;
}

/** One run, admitted and reserved. */
export interface DrivenRun {
  readonly record: ThreadRecord;
  readonly runId: RunId;
  readonly requestId: RequestId;
  readonly origin: RunOrigin;
  readonly parentRunId: string | undefined;
  readonly isResume: boolean;
  readonly feed: RunFeed;
  /** Texts for interrupts whose kernel gave none, in the request's language. */
  readonly interruptTexts: FallbackTexts;
  /** The run is over and its thread's questions wait. */
  readonly interrupted: (record: ThreadRecord) => void;
  /** Gives the place among the live runs back. */
  readonly release: () => void;
}
