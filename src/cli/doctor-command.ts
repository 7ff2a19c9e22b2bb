/** `agentcore-agui doctor`: what a server would run with here, and whether what it needs is there. */
import { type Command, Option } from 'commander';
import pc from 'picocolors';
import type { DoctorReport, Finding } from '../server/doctor/finding.ts';
import { exitCode } from './exit-code.ts';
import { addSettingOptions, toEnvironment } from './serve-command.ts';

interface DoctorOptions {
  readonly json?: boolean;
  readonly color?: boolean;
}

export function addDoctorCommand(program: Command, done: (code: number) => void): void {
  const command = program
    .command('doctor')
    .description(
      'Look over settings, storage, agent, identity and clock; exit code 1 when something is amiss',
    )
    .addOption(new Option('--json', 'one JSON object, for scripts'))
    .addOption(new Option('--no-color', 'no colours'));
  addSettingOptions(command);
  command.action(async (given: DoctorOptions & Record<string, string>) => {
    const flags = toEnvironment(given);
    const report = await look(flags);
    if (report === undefined) return done(exitCode.usage);
    const colors = pc.createColors(
      given.color !== false && pc.isColorSupported && process.stdout.isTTY === true,
    );
    const width = process.stdout.isTTY === true ? process.stdout.columns : undefined;
    process.stdout.write(
      given.json === true ? `${JSON.stringify(report, undefined, 2)}\n` : asText(report, colors, width),
    );
    return done(report.verdict === 'fail' ? exitCode.unfit : exitCode.done);
  });
}

/** Undefined when no server would start with these settings; that is told. */
async function look(flags: Record<string, string>): Promise<DoctorReport | undefined> {
  // Loaded only now, so that other commands start without the server.
  const [{ examine }, { ConfigError, processEnvironment }] = await Promise.all([
    import('../server/doctor/doctor.ts'),
    import('../server/config.ts'),
  ]);
  try {
    return await examine({ ...processEnvironment(), ...flags }, new Set(Object.keys(flags)));
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    process.stderr.write(`agentcore-agui: ${thrown.message}\n`);
    return undefined;
  }
}

type Colors = ReturnType<typeof pc.createColors>;

const signs = { ok: '✔', warn: '!', fail: '✖', skip: '–' } as const;
const verdicts = {
  ok: 'All is well.',
  warn: 'A server would run; see the warnings.',
  fail: 'Something has to be mended.',
} as const;

function asText(report: DoctorReport, colors: Colors, width: number | undefined): string {
  const versions = Object.entries(report.versions).map(([name, version]) =>
    name === 'platform' ? version : `${name} ${version}`,
  );
  return [
    colors.bold(versions.join(' · ')),
    '',
    ...settingLines(report, colors, width),
    '',
    ...report.findings.flatMap((finding) => findingLines(finding, colors)),
    '',
    colors.bold(verdicts[report.verdict]),
    '',
  ].join('\n');
}

function settingLines(
  { settings }: DoctorReport,
  colors: Colors,
  width = Number.POSITIVE_INFINITY,
): string[] {
  const nameWidth = Math.max(...settings.map(({ name }) => name.length));
  return settings.map(({ name, value = '(none)', source }) => {
    const isDefault = source === 'default';
    const from = isDefault ? 'default' : source === name ? 'environment' : source;
    const room = Math.max(20, width - nameWidth - from.length - 9);
    const short = value.length > room ? `${value.slice(0, room - 1)}…` : value;
    const line = `  ${name.padEnd(nameWidth)}  ${short}  ${colors.dim(`(${from})`)}`;
    return isDefault ? colors.dim(line) : line;
  });
}

function findingLines({ name, state, what, remedy, ms }: Finding, colors: Colors): string[] {
  const color = { ok: colors.green, warn: colors.yellow, fail: colors.red, skip: colors.dim }[state];
  const time = ms === undefined ? '' : colors.dim(`  ${ms} ms`);
  const line = `${color(signs[state])} ${name.padEnd(10)} ${printable(what)}${time}`;
  return remedy === undefined ? [line] : [line, `  ${' '.repeat(10)} → ${remedy}`];
}

/** An agent's name is its own: control characters in it could move the cursor. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
