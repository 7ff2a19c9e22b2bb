/** The commands that call an agent. Loaded together, and not by `serve`. */
import type { Command } from 'commander';
import { addChatCommand } from './chat-command.ts';
import { addControlCommands } from './control-commands.ts';
import { addInvokeCommand } from './invoke-command.ts';
import { endQuietlyOnBrokenPipe } from './terminal.ts';

export function addClientCommands(program: Command, done: (code: number) => void): void {
  endQuietlyOnBrokenPipe();
  addInvokeCommand(program, done);
  addChatCommand(program, done);
  addControlCommands(program, done);
}
