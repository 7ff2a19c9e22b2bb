/** Each setting as the server would use it, and where it comes from. Nothing secret is shown, not even in part. */
import type { Config, Environment } from '../config.ts';
import type { Setting } from '../setting.ts';
import { settings } from '../settings.ts';
import type { Finding, SettingValue } from './finding.ts';

const hidden = '(set, hidden)';
const secretWord = /token|secret|passw|credential|signature|api[-_]?key|access[-_]?key|private[-_]?key/i;

/** `flags` are the names of settings that were given on the command line. */
export function settingValues(
  environment: Environment,
  config: Config,
  flags: ReadonlySet<string>,
): readonly SettingValue[] {
  return Object.entries(settings).map(([key, setting]) => {
    const given = givenName(setting, environment);
    const used = given === undefined ? usedValue(key, config) : environment[given]?.trim();
    return {
      name: setting.name,
      value: used === undefined ? setting.shownDefault : shown(setting, used),
      source: given === undefined ? 'default' : flags.has(given) ? 'command line' : given,
    };
  });
}

/** Names that look like settings and are none: most often a slip of the pen. */
export function checkNames(environment: Environment): Finding {
  const known = new Set(Object.values(settings).flatMap(({ name, aliases }) => [name, ...aliases]));
  const unknown = Object.keys(environment).filter((name) => name.startsWith('AGUI_') && !known.has(name));
  if (unknown.length === 0) return { name: 'settings', state: 'ok', what: 'all are valid' };
  return {
    name: 'settings',
    state: 'warn',
    what: `no such setting: ${unknown.sort().join(', ')}`,
    remedy: 'Check the spelling; `agentcore-agui serve --help` lists every setting.',
  };
}

function givenName({ name, aliases }: Setting<unknown>, environment: Environment): string | undefined {
  return [name, ...aliases].find((each) => (environment[each]?.trim() ?? '') !== '');
}

/** The value that was worked out where none was given, such as a folder below another one. */
function usedValue(key: string, config: Config): string | undefined {
  const value: unknown = Object.entries(config).find(([name]) => name === key)?.[1];
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  return undefined;
}

function shown(setting: Setting<unknown>, value: string): string {
  if (setting.isSecret) return hidden;
  return withoutSecrets(value);
}

/** A command line or an address may bring a secret along. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/(\/\/)[^\s/@]+@/g, '$1***@')
    .replace(/([?&][^=&\s]+=)[^&\s"']+/g, '$1***')
    .replace(
      new RegExp(`((?:${secretWord.source})[\\w-]*(?:\\s*[=:]\\s*|\\s+))("[^"]*"|'[^']*'|\\S+)`, 'gi'),
      '$1***',
    );
}
