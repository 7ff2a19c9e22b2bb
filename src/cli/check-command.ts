/** `agentcore-agui check`: its flags. What they do stands in `check-run`, which is loaded only when it is asked for. */
import { type Command, Option } from 'commander';
import { severities } from '../check/check.ts';
import { defaultSettings } from '../check/settings.ts';
import type { CheckFlags } from './check-run.ts';
import { secondsOf } from './connection-options.ts';
import type { ExitCode } from './exit-code.ts';
import { UsageError } from './usage-error.ts';

export function addCheckCommand(program: Command, done: (code: ExitCode) => void): void {
  const command = program
    .command('check')
    .description('Prove the AG-UI contract of AgentCore on a container: its address, its image, or both')
    .argument(
      '[url]',
      'the container, such as http://127.0.0.1:8080, or the whole address of its invocations',
    )
    .option('--ws', 'prove /ws too')
    .option('--image <archive>', 'prove an image archive (docker save, OCI layout as tar)')
    .option('--only <ids>', 'only these checks, by id or noun (ping, ws.path); may be repeated', collect)
    .option('--list', 'show all checks and end')
    .addOption(
      new Option('--fail-on <severity>', 'from here on a finding is a failure')
        .choices(severities)
        .default('error'),
    )
    .option('--json', 'the report as JSON on stdout')
    .option('--junit <file>', 'the report as JUnit XML, too');
  addSubjectFlags(command).action(async (url: string | undefined, flags: CheckFlags) => {
    // Brings AG-UI's schemas and verifier, which no other command needs.
    const { check } = await import('./check-run.ts');
    done(await check(url, flags));
  });
}

function addSubjectFlags(command: Command): Command {
  return command
    .addOption(new Option('--auth <how>', 'who we are').choices(['none', 'bearer', 'oauth']).default('none'))
    .option('--token-file <path>', 'with --auth bearer: file that holds the token (else AGENTCORE_TOKEN)')
    .option('--token-command <command>', 'with --auth oauth: command that prints a token')
    .option('--header <name: value>', 'added to every request; may be repeated', collectHeader)
    .option('--prompt <text>', `what is said to the agent (default: ${defaultSettings.prompts.usual})`)
    .option('--slow-prompt <text>', 'words that keep the agent silent for more than 15 s')
    .option('--failing-prompt <text>', 'words that make the agent fail while it runs')
    .option('--forwarded-props <json>', 'forwardedProps of every run, or @file')
    .option('--timeout <seconds>', 'time for all checks together (default: 60)', secondsOf('--timeout'))
    .option(
      '--answer-timeout <seconds>',
      'longest wait for one answer (default: 20)',
      secondsOf('--answer-timeout'),
    )
    .option('--no-color', 'no colours (also: NO_COLOR)')
    .option('--verbose', 'why each skipped check was skipped');
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...value.split(',').filter((each) => each !== '')];
}

function collectHeader(
  value: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, text] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(value) ?? [];
  if (name === undefined || text === undefined)
    throw new UsageError('--header is a name, a colon and a value');
  return { ...before, [name]: text };
}
