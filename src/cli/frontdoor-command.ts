/** `agentcore-agui frontdoor`: the local AgentCore front door, for development and tests. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import type { DoorConfig } from '../frontdoor/door-config.ts';
import type { DoorLog } from '../frontdoor/door-log.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { UsageError } from './usage-error.ts';

interface FrontdoorFlags {
  readonly config: string;
  readonly port?: string;
  readonly quiet?: boolean;
}

export function addFrontdoorCommand(program: Command, done: (code: ExitCode) => void): void {
  program
    .command('frontdoor')
    .description(
      'Behave like AgentCore Runtime on this machine, one process per session (development and tests)',
    )
    .requiredOption('--config <file>', 'runtimes, identities and limits; see docs/frontdoor.md')
    .option('--port <number>', 'instead of the port in the file; 0 takes any free one')
    .option('--quiet', 'do not show what containers print')
    .action(async (flags: FrontdoorFlags) => done(await runFrontdoor(flags)));
}

async function runFrontdoor(flags: FrontdoorFlags): Promise<ExitCode> {
  const config = await readConfig(flags);
  // Loaded only now, so that other commands start without it.
  const { openFrontDoor } = await import('../frontdoor/front-door.ts');
  let door: Awaited<ReturnType<typeof openFrontDoor>>;
  try {
    door = await openFrontDoor(config, logTo(process.stderr, flags.quiet === true));
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown)) throw thrown;
    process.stderr.write(
      `error: ${config.host}:${config.port} can't be listened on (${String(thrown.code)})\n`,
    );
    return exitCode.runFailed;
  }
  process.stderr.write(
    'A stand-in for AgentCore Runtime, for development and tests: sessions are not isolated.\n',
  );
  process.stdout.write(`${JSON.stringify({ event: 'listening', url: door.url, port: door.port })}\n`);
  await new Promise<void>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop());
  });
  await door.stop();
  return exitCode.done;
}

async function readConfig({ config: file, port }: FrontdoorFlags): Promise<DoorConfig> {
  const { DoorConfigError, parseDoorConfig } = await import('../frontdoor/door-config.ts');
  try {
    const text = await readFile(file, 'utf8');
    const config = parseDoorConfig(text, { folder: dirname(resolve(file)), environment: process.env });
    return port === undefined ? config : { ...config, port: parsePort(port) };
  } catch (thrown) {
    if (thrown instanceof DoorConfigError) throw new UsageError(`${file}: ${thrown.message}`);
    if (thrown instanceof Error && 'code' in thrown)
      throw new UsageError(`${file} can't be read (${String(thrown.code)})`);
    throw thrown;
  }
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError('--port is a whole number from 0 to 65535');
}

/** One JSON line per event; what containers print as it comes, behind the session that it is of. */
function logTo(stream: NodeJS.WriteStream, isQuiet: boolean): DoorLog {
  return (event, fields = {}) => {
    if (event !== 'container-output') return void stream.write(`${JSON.stringify({ event, ...fields })}\n`);
    if (isQuiet) return;
    const mark = String(fields['sessionId'] ?? '').slice(0, 12);
    for (const line of String(fields['text']).trimEnd().split('\n')) stream.write(`[${mark}] ${line}\n`);
  };
}
