#!/usr/bin/env node
/** The command line. Each command has its own file; this one only lists them and tells how they ended. */
import { Command, CommanderError } from 'commander';
import { addDoctorCommand } from './doctor-command.ts';
import { exitCode } from './exit-code.ts';
import { addFrontdoorCommand } from './frontdoor-command.ts';
import { addServeCommand } from './serve-command.ts';
import { UsageError } from './usage-error.ts';

async function main(): Promise<number> {
  let code = 0;
  const done = (given: number): void => {
    code = given;
  };
  const program = new Command('agentcore-agui')
    .description(
      'Serve an agent through AG-UI on Amazon Bedrock AgentCore Runtime, and talk with such agents',
    )
    .exitOverride();
  addServeCommand(program, done);
  addFrontdoorCommand(program, done);
  addDoctorCommand(program, done);
  // A server starts in half the time without the client's modules.
  if (process.argv[2] !== 'serve') {
    (await import('./client-commands.ts')).addClientCommands(program, done);
    (await import('./check-command.ts')).addCheckCommand(program, done);
  }
  try {
    await program.parseAsync();
  } catch (thrown) {
    if (thrown instanceof UsageError) {
      process.stderr.write(`error: ${thrown.message}\n`);
      return exitCode.usage;
    }
    if (!(thrown instanceof CommanderError)) throw thrown;
    return thrown.exitCode === 0 ? exitCode.done : exitCode.usage;
  }
  return code;
}

process.exitCode = await main();
// What was written to a pipe has to leave the process first.
await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
// A drained server has nothing left to wait for; what a library keeps open must not hold the process.
process.exit();
