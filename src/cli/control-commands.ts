/** Commands beside the run: `cancel`, `attach`, `stop-session`, `session-id`. */
import type { Command } from 'commander';
import { isClientError } from '../client/client-error.ts';
import { makeSessionId } from '../client/session-id.ts';
import { addConnectionFlags, type ConnectionFlags, clientFor, timeLimit } from './connection-options.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { progressOf } from './invoke-command.ts';
import { errorText } from './render-event.ts';
import { codeOf, failureEvent, jsonLine, showRun } from './show-run.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

type Done = (code: ExitCode) => void;

interface RunRefFlags extends ConnectionFlags {
  readonly thread: string;
  readonly run: string;
  readonly json?: boolean;
  readonly after?: number;
}

export function addControlCommands(program: Command, done: Done): void {
  addConnectionFlags(program.command('cancel').description('End a run that is going on'))
    .requiredOption('--thread <id>', 'the run’s thread')
    .requiredOption('--run <id>', 'the run')
    .option('--json', 'the answer as JSON')
    .action(async (flags: RunRefFlags) => done(await cancel(flags)));
  addConnectionFlags(
    program.command('attach').description('Show a run that is going on, or has ended lately'),
  )
    .requiredOption('--thread <id>', 'the run’s thread')
    .requiredOption('--run <id>', 'the run')
    .option('--after <number>', 'number of the last event seen', parseCount)
    .option('--json', 'one event per line on stdout, as JSON')
    .action(async (flags: RunRefFlags) => done(await attach(flags)));
  addConnectionFlags(program.command('stop-session').description('End the machine of a session'))
    .option('--thread <id>', 'the thread whose session it is, where --session-id is not given')
    .action(async (flags: ConnectionFlags & { readonly thread?: string }) => done(await stopSession(flags)));
  addSessionIdCommand(program, done);
}

async function cancel(flags: RunRefFlags): Promise<ExitCode> {
  const { thread, run, json } = flags;
  return call(flags, async (client, terminal, signal) => {
    const status = await client.cancel(thread, run, { signal });
    await terminal.out(
      json === true ? `${jsonLine({ status, threadId: thread, runId: run })}\n` : `${status}\n`,
    );
    return status === 'not_found' ? exitCode.runFailed : exitCode.done;
  });
}

async function attach(flags: RunRefFlags): Promise<ExitCode> {
  const { thread: threadId, run: runId, after, json } = flags;
  const terminal = openTerminal({ color: flags.color, isVerbose: flags.verbose === true });
  const client = clientFor(flags, { onRetry: progressOf(terminal) });
  const place = { threadId, runId, ...(after === undefined ? {} : { cursor: { after } }) };
  const { code } = await showRun({
    client,
    terminal,
    isJson: json === true,
    threadId,
    runId,
    signal: timeLimit(flags),
    open: (signal) => client.attach(place, { signal }),
  });
  return code;
}

async function stopSession(flags: ConnectionFlags & { readonly thread?: string }): Promise<ExitCode> {
  if (flags.arn === undefined) throw new UsageError('a session is stopped at a runtime: give its --arn');
  const { thread, sessionId } = flags;
  if (thread === undefined && sessionId === undefined)
    throw new UsageError('which session? give --session-id or --thread');
  return call(flags, async (client, terminal, signal) => {
    // With a fixed session the thread does not matter.
    await terminal.out(`${await client.stopSession(thread ?? '', { signal })}\n`);
    return exitCode.done;
  });
}

async function call(
  flags: ConnectionFlags,
  act: (client: ReturnType<typeof clientFor>, terminal: Terminal, signal: AbortSignal) => Promise<ExitCode>,
): Promise<ExitCode> {
  const terminal = openTerminal({ color: flags.color, isVerbose: flags.verbose === true });
  const client = clientFor(flags, { onRetry: progressOf(terminal) });
  try {
    return await act(client, terminal, timeLimit(flags));
  } catch (thrown) {
    if (!isClientError(thrown)) throw thrown;
    await terminal.notes(`${errorText(failureEvent(thrown), terminal.colors)}\n`);
    return codeOf(thrown);
  }
}

function addSessionIdCommand(program: Command, done: Done): void {
  program
    .command('session-id')
    .description('Print the id of the session that belongs to a tenant, a user and a thread')
    .requiredOption('--user <name>', 'who talks')
    .requiredOption('--thread <id>', 'what about')
    .option('--tenant <name>', 'on whose behalf')
    .option('--prefix <text>', 'readable front of the id')
    .action(async (owner: { user: string; thread: string; tenant?: string; prefix?: string }) => {
      process.stdout.write(`${await sessionIdOf(owner)}\n`);
      done(exitCode.done);
    });
}

async function sessionIdOf(owner: Parameters<typeof makeSessionId>[0]): Promise<string> {
  try {
    return await makeSessionId(owner);
  } catch (thrown) {
    throw isClientError(thrown) ? new UsageError(thrown.message) : thrown;
  }
}

function parseCount(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError('--after is a whole number, 0 or more');
}
