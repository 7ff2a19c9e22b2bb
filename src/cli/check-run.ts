/** The contract against any AG-UI container: for a person, for a program, or for a CI system. */
import { writeFileSync } from 'node:fs';
import { createColors } from 'picocolors';
import { allChecks } from '../check/all-checks.ts';
import type { Severity } from '../check/check.ts';
import { CheckError } from '../check/check-error.ts';
import { readImageArchive } from '../check/image-archive.ts';
import { junitReport } from '../check/junit-report.ts';
import type { Report } from '../check/report.ts';
import { runChecks } from '../check/run-checks.ts';
import { defaultSettings, type Settings } from '../check/settings.ts';
import { conclusionOf } from '../check/severity.ts';
import { TextReport } from '../check/text-report.ts';
import { isClientError } from '../client/client-error.ts';
import { invocationsUrl } from '../client/runtime-endpoint.ts';
import { type AuthFlags, tokenCredentials } from './connection-options.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { readJsonObject } from './run-input.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export interface CheckFlags extends AuthFlags {
  readonly auth: 'none' | 'bearer' | 'oauth';
  readonly ws?: boolean;
  readonly json?: boolean;
  readonly junit?: string;
  readonly image?: string;
  readonly only?: readonly string[];
  readonly failOn: Severity;
  readonly list?: boolean;
  readonly header?: Readonly<Record<string, string>>;
  readonly prompt?: string;
  readonly slowPrompt?: string;
  readonly failingPrompt?: string;
  readonly forwardedProps?: string;
  readonly timeout?: number;
  readonly answerTimeout?: number;
  readonly color: boolean;
  readonly verbose?: boolean;
}

/** Throws `UsageError`. */
export async function check(url: string | undefined, flags: CheckFlags): Promise<ExitCode> {
  const terminal = openTerminal({ color: flags.color, isVerbose: flags.verbose === true });
  if (flags.list === true) return showList(terminal);
  const settings = url === undefined ? undefined : settingsOf(url, flags);
  try {
    const images = flags.image === undefined ? undefined : await readImageArchive(flags.image);
    const report = await runAndShow({ settings, images }, flags, terminal);
    if (flags.junit !== undefined) writeJunit(flags.junit, junitReport(report, flags.failOn));
    return { passed: exitCode.done, failed: exitCode.runFailed, unproven: exitCode.timeout }[
      conclusionOf(report, flags.failOn)
    ];
  } catch (thrown) {
    if (thrown instanceof CheckError) throw new UsageError(thrown.message);
    throw thrown;
  }
}

type Subject = Pick<Parameters<typeof runChecks>[0], 'settings' | 'images'>;

async function runAndShow(subject: Subject, flags: CheckFlags, terminal: Terminal): Promise<Report> {
  const text = new TextReport(createColors(hasColor(flags)), { showsAll: flags.verbose === true });
  const report = await runChecks({
    ...subject,
    only: flags.only,
    onStart: ({ id }) => terminal.progress(`${id} …`),
    onResult: (result) => {
      terminal.progress(undefined);
      if (flags.json !== true) process.stdout.write(text.textOf(result));
    },
  });
  terminal.progress(undefined);
  await terminal.out(
    flags.json === true ? `${JSON.stringify(report, undefined, 2)}\n` : text.summaryOf(report),
  );
  return report;
}

async function showList(terminal: Terminal): Promise<ExitCode> {
  const lines = allChecks.map(
    ({ id, severity, sentence }) => `${id.padEnd(32)} ${severity.padEnd(8)} ${sentence}\n`,
  );
  await terminal.out(lines.join(''));
  return exitCode.done;
}

function settingsOf(url: string, flags: CheckFlags): Settings {
  try {
    invocationsUrl({ kind: 'url', url });
  } catch (thrown) {
    if (isClientError(thrown)) throw new UsageError(thrown.message);
    throw thrown;
  }
  const { prompt = defaultSettings.prompts.usual, slowPrompt, failingPrompt, timeout, answerTimeout } = flags;
  return {
    ...defaultSettings,
    url,
    credentials: tokenCredentials(flags.auth, flags),
    headers: flags.header ?? {},
    hasWebSocket: flags.ws === true,
    prompts: { usual: prompt, slow: slowPrompt, failing: failingPrompt },
    forwardedProps:
      flags.forwardedProps === undefined ? {} : readJsonObject(flags.forwardedProps, '--forwarded-props'),
    totalMs: timeout === undefined ? defaultSettings.totalMs : timeout * 1_000,
    answerMs: answerTimeout === undefined ? defaultSettings.answerMs : answerTimeout * 1_000,
  };
}

function hasColor({ color }: CheckFlags): boolean {
  return color && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb' && process.stdout.isTTY === true;
}

function writeJunit(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    throw new UsageError(`can't write ${file}${why}`);
  }
}
