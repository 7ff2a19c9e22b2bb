/**
 * `agentcore-agui chat`: turn after turn in one thread. At a terminal the agent's questions are asked, and Ctrl-C ends the
 * run, or the chat where no run is going on; from a pipe each line is a turn.
 */
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import type { AgentCoreClient } from '../client/client.ts';
import type { Interrupt } from '../protocol/interrupt.ts';
import type { JsonObject, JsonValue } from '../protocol/json.ts';
import { askInterrupts, isExit, type Prompter } from './answer-prompt.ts';
import { clientFor, timeLimit } from './connection-options.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { addRunFlags, progressOf, type RunFlags } from './invoke-command.ts';
import { readImage, readJsonObject, toInput } from './run-input.ts';
import { type RunEnd, showRun } from './show-run.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { chatInBrowser, type WebFlags } from './web-chat.ts';

export function addChatCommand(program: Command, done: (code: number) => void): void {
  const command = program.command('chat').description('Talk with the agent, turn by turn');
  command
    .option('--web', 'in the browser instead: the page of --url, or of a server of its own')
    .option('--no-open', 'with --web: only print the address');
  addRunFlags(command).action(async (flags: RunFlags & WebFlags) =>
    done(flags.web === true ? await chatInBrowser(flags) : await chat(flags)),
  );
}

interface Chat {
  readonly client: AgentCoreClient;
  readonly terminal: Terminal;
  readonly threadId: string;
  readonly flags: RunFlags;
  readonly forwardedProps: JsonObject;
  readonly prompter: Prompter | undefined;
}

async function chat(flags: RunFlags): Promise<ExitCode> {
  const terminal = openTerminal({ color: flags.color, isVerbose: true });
  const client = clientFor(flags, { onRetry: progressOf(terminal) });
  let files = (flags.file ?? []).map(readImage);
  const forwardedProps =
    flags.forwardedProps === undefined ? {} : readJsonObject(flags.forwardedProps, '--forwarded-props');
  const threadId = flags.thread ?? crypto.randomUUID();
  const prompter = terminal.isInteractive ? await loadPrompter(flags.color) : undefined;
  const talk: Chat = { client, terminal, threadId, flags, forwardedProps, prompter };
  if (flags.json !== true) await terminal.notes(`${terminal.colors.dim(`thread ${threadId}`)}\n`);
  let code: ExitCode = exitCode.done;
  for await (const text of turns(prompter)) {
    const end = await takeTurn(talk, text, files);
    code = end.code;
    files = [];
    if (end.isLeft === true) return code;
    // Nobody is there to answer, or to look at what went wrong.
    if (prompter === undefined && code !== exitCode.done) return code;
  }
  return prompter === undefined ? code : exitCode.done;
}

async function loadPrompter(color: boolean): Promise<Prompter> {
  // The prompts ask the environment.
  if (!color) process.env['NO_COLOR'] = '1';
  return (await import('./inquirer-prompter.ts')).inquirerPrompter;
}

/** What the person says, until they leave. */
async function* turns(prompter: Prompter | undefined): AsyncGenerator<string> {
  if (prompter === undefined) {
    for await (const line of createInterface({ input: process.stdin })) if (line.trim() !== '') yield line;
    return;
  }
  for (;;) {
    try {
      const text = await prompter.text('you', () => true);
      if (text.trim() === '/quit') return;
      if (text.trim() !== '') yield text;
    } catch (thrown) {
      if (isExit(thrown)) return;
      throw thrown;
    }
  }
}

/** One turn, with the answers that the agent asks for on its way. */
async function takeTurn(talk: Chat, text: string, files: readonly JsonObject[]): Promise<RunEnd> {
  let end = await runOnce(talk, { text, files, resume: undefined });
  while (end.interrupts.length > 0 && talk.prompter !== undefined) {
    end = await runOnce(talk, {
      text: undefined,
      files: [],
      resume: await answersTo(end.interrupts, talk.prompter),
    });
  }
  return end;
}

async function answersTo(
  interrupts: readonly Interrupt[],
  prompter: Prompter,
): Promise<readonly JsonValue[]> {
  const entries = await askInterrupts(interrupts, prompter, Date.now());
  return entries.map((entry) => ({ ...entry }));
}

async function runOnce(
  { client, terminal, threadId, flags, forwardedProps, prompter }: Chat,
  turn: Pick<Parameters<typeof toInput>[0], 'text' | 'files' | 'resume'>,
): Promise<RunEnd> {
  const runId = crypto.randomUUID();
  const input = toInput({ threadId, runId, forwardedProps, ...turn });
  return showRun({
    client,
    terminal,
    isJson: flags.json === true,
    isAsking: prompter !== undefined,
    threadId,
    runId,
    signal: timeLimit(flags),
    open: (signal) => client.run(input, { signal }),
  });
}
