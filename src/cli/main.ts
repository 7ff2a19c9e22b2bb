#!/usr/bin/env node
/** The command line. Each command has its own file; this one only lists them. */
import { Command, CommanderError } from 'commander';
import { addServeCommand } from './serve-command.ts';

async function main(): Promise<number> {
  let exitCode = 0;
  const program = new Command('agentcore-agui')
    .description('Serve an agent through AG-UI on Amazon Bedrock AgentCore Runtime')
    .exitOverride();
  addServeCommand(program, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync();
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    return thrown.exitCode === 0 ? 0 : 2;
  }
  return exitCode;
}

process.exitCode = await main();
// A drained server has nothing left to wait for; what a library keeps open must not hold the process.
process.exit();
