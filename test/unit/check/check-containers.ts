/** Runs the whole check on a container of the test, as quickly as it can be done. */
import type { Report } from '../../../src/check/report.ts';
import { runChecks } from '../../../src/check/run-checks.ts';
import { defaultSettings, type Settings } from '../../../src/check/settings.ts';
import { type Parts, startEcho } from '../../support/echo-container.ts';

export function settingsFor(url: string, more: Partial<Settings> = {}): Settings {
  return { ...defaultSettings, url, hasWebSocket: true, restMs: 20, answerMs: 3_000, ...more };
}

export async function checkEcho(faults: Partial<Parts> = {}, more: Partial<Settings> = {}): Promise<Report> {
  const container = await startEcho(faults);
  try {
    return await runChecks({ settings: settingsFor(container.url, more) });
  } finally {
    container.stop();
  }
}

/** Ids of what failed, with whatever severity. */
export function failuresOf({ results }: Report): readonly string[] {
  return results.filter(({ outcome }) => outcome.kind === 'failed').map(({ id }) => id);
}

export function failureOf({ results }: Report, id: string) {
  const outcome = results.find((result) => result.id === id)?.outcome;
  if (outcome?.kind !== 'failed') throw new TypeError(`${id} did not fail: ${JSON.stringify(outcome)}`);
  return outcome;
}

/** A listening address that nobody answers at. */
export async function deadAddress(): Promise<string> {
  const container = await startEcho();
  container.stop();
  return container.url;
}
