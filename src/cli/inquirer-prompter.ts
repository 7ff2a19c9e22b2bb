/** Prompts by `@inquirer/prompts`, on stderr: what is asked must not stand between the answers on stdout. */
import { checkbox, confirm, input, select } from '@inquirer/prompts';
import type { Prompter } from './answer-prompt.ts';

const context = { output: process.stderr };

export const inquirerPrompter: Prompter = {
  choose: (message, choices) => select({ message, choices: choices.map(named) }, context),
  chooseMany: (message, choices) => checkbox({ message, choices: choices.map(named) }, context),
  confirm: (message) => confirm({ message }, context),
  text: (message, check) => input({ message, validate: check }, context),
};

function named<Value>({ label, value }: { readonly label: string; readonly value: Value }) {
  return { name: label, value };
}
