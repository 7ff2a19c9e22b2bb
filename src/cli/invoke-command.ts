/** `agentcore-agui invoke`: one run, its answer on stdout. */
import type { Command } from 'commander';
import { addConnectionFlags, type ConnectionFlags, clientFor, timeLimit } from './connection-options.ts';
import type { ExitCode } from './exit-code.ts';
import { readImage, readJsonList, readJsonObject, toInput } from './run-input.ts';
import { showRun } from './show-run.ts';
import { openTerminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export interface RunFlags extends ConnectionFlags {
  readonly thread?: string;
  readonly run?: string;
  readonly json?: boolean;
  readonly forwardedProps?: string;
  readonly file?: readonly string[];
  readonly resume?: string;
}

export function addRunFlags(command: Command): Command {
  return addConnectionFlags(command)
    .option('--thread <id>', 'the conversation to go on with (default: a new one)')
    .option('--json', 'one event per line on stdout, as JSON')
    .option('--forwarded-props <json>', 'forwardedProps of the input, or @file')
    .option('--file <path>', 'an image for the first message; may be repeated', collect);
}

export function addInvokeCommand(program: Command, done: (code: ExitCode) => void): void {
  const command = program.command('invoke').description('Run the agent once and print what it says');
  addRunFlags(command)
    .argument('[message]', 'what to say; - or a pipe: read from stdin')
    .option('--run <id>', 'id of the run (default: a new one)')
    .option(
      '--resume <json>',
      'answers to the questions of an interrupted run, as AG-UI resume entries, or @file',
    )
    .action(async (message: string | undefined, flags: RunFlags) => done(await invoke(message, flags)));
}

async function invoke(message: string | undefined, flags: RunFlags): Promise<ExitCode> {
  const terminal = openTerminal({ color: flags.color, isVerbose: flags.verbose === true });
  const client = clientFor(flags, { onRetry: progressOf(terminal) });
  const threadId = flags.thread ?? crypto.randomUUID();
  const runId = flags.run ?? crypto.randomUUID();
  const parts = {
    files: (flags.file ?? []).map(readImage),
    forwardedProps:
      flags.forwardedProps === undefined ? {} : readJsonObject(flags.forwardedProps, '--forwarded-props'),
    resume: flags.resume === undefined ? undefined : readJsonList(flags.resume, '--resume'),
  };
  const isWordless = parts.resume !== undefined || parts.files.length > 0;
  const text = await readMessage(message, isWordless);
  const input = toInput({ threadId, runId, text, ...parts });
  const { dim } = terminal.colors;
  if (terminal.showsNotes && flags.json !== true)
    await terminal.notes(`${dim(`thread ${threadId} run ${runId}`)}\n`);
  const { code } = await showRun({
    client,
    terminal,
    isJson: flags.json === true,
    threadId,
    runId,
    signal: timeLimit(flags),
    open: (signal) => client.run(input, { signal }),
  });
  return code;
}

/** Where the wait for another attempt is told: on a terminal only. */
export function progressOf(terminal: ReturnType<typeof openTerminal>) {
  return ({
    delayMs,
    problem,
  }: {
    readonly delayMs: number;
    readonly problem: { readonly code: string };
  }): void => terminal.progress(`${problem.code}: trying again in ${(delayMs / 1_000).toFixed(1)} s …`);
}

async function readMessage(given: string | undefined, isWordless: boolean): Promise<string | undefined> {
  if (given !== undefined && given !== '-') return given;
  if (given === undefined && isWordless) return undefined;
  if (given === undefined && process.stdin.isTTY === true) {
    throw new UsageError('what to say? give a message, or - to read it from stdin');
  }
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += String(chunk);
  if (text.trim() === '') throw new UsageError('the message on stdin is empty');
  return text.replace(/\n$/, '');
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
