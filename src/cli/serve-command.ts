/** `agentcore-agui serve`: each setting of the server is also a flag here. */
import { type Command, Option } from 'commander';
import { settings } from '../server/settings.ts';

export function addServeCommand(program: Command, done: (exitCode: number) => void): void {
  const command = program.command('serve').description('Serve AG-UI on HTTP and WebSocket');
  addSettingOptions(command);
  command.action(async (given: Record<string, string>) => {
    // Loaded only now, so that other commands start without the server.
    const { runServer } = await import('../server/main.ts');
    done(await runServer(toEnvironment(given)));
  });
}

/** A flag for each setting that is no secret. */
export function addSettingOptions(command: Command): void {
  for (const setting of Object.values(settings)) {
    // A secret on a command line can be read by every user of the machine.
    if (setting.isSecret) continue;
    command.addOption(new Option(`--${flagOf(setting.name)} <value>`, `${setting.what} (${setting.name})`));
  }
}

/** `AGUI_ALLOWED_CWDS` → `allowed-cwds`. */
function flagOf(name: string): string {
  return name
    .replace(/^AGUI_/, '')
    .toLowerCase()
    .replaceAll('_', '-');
}

/** The settings among a command's options, by their names in the environment. */
export function toEnvironment(given: Record<string, string>): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const { name } of Object.values(settings)) {
    const value = given[flagOf(name).replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase())];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
