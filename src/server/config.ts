/**
 * The settings with their defaults, read from the environment; the only file that reads it. A bad value is one clear line
 * and no start.
 */
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseLanguage } from '../language/choose-language.ts';
import { ConfigError, type Setting, settings } from './settings.ts';

export { ConfigError } from './settings.ts';

export type SettingName = keyof typeof settings;
type ValueOf<Each> = Each extends Setting<infer Value> ? Value : never;
type Given = { readonly [Name in SettingName]: ValueOf<(typeof settings)[Name]> | undefined };

/** All settings with their defaults filled in. */
export type Config = ReturnType<typeof fillDefaults> & {
  /** What a child process of ours may know of our environment: all but our own secrets. */
  readonly childEnvironment: Environment;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** The process's own environment. */
export function processEnvironment(): Environment {
  return process.env;
}

/** Reads and checks everything. Throws `ConfigError` with one line that names the setting and what to do. */
export function readConfig(environment: Environment): Config {
  const given: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(settings)) given[key] = readOne(each, environment);
  // Each member was read by its own setting's reader just above.
  return { ...fillDefaults(given as unknown as Given), childEnvironment: withoutSecrets(environment) };
}

function withoutSecrets(environment: Environment): Environment {
  const secrets = new Set<string>();
  for (const { isSecret, name, aliases } of Object.values(settings)) {
    if (isSecret) for (const each of [name, ...aliases]) secrets.add(each);
  }
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !secrets.has(name)));
}

function readOne(each: Setting<unknown>, environment: Environment): unknown {
  for (const name of [each.name, ...each.aliases]) {
    const value = environment[name];
    if (value !== undefined && value.trim() !== '')
      return each.read(each.isSecret ? value : value.trim(), name);
  }
  return undefined;
}

/** Where threads are kept, with what that place needs. */
export type StoreConfig =
  | { readonly kind: 'file' }
  | { readonly kind: 'memory' }
  | { readonly kind: 'dynamodb'; readonly table: string; readonly ttlDays: number };

function storeOf(given: Given): StoreConfig {
  const kind = given.store ?? 'file';
  if (kind !== 'dynamodb') return { kind };
  if (given.dynamodbTable === undefined)
    throw new ConfigError('AGUI_STORE=dynamodb needs AGUI_DYNAMODB_TABLE');
  return { kind, table: given.dynamodbTable, ttlDays: given.dynamodbTtlDays ?? 30 };
}

function fillDefaults(given: Given) {
  const configDir = given.configDir ?? join(homedir(), '.agentcore-agui');
  const workspaceDir = given.workspaceDir ?? join(configDir, 'workspace');
  const auth = given.auth ?? (given.authToken === undefined ? 'none' : 'bearer');
  if (auth === 'bearer' && given.authToken === undefined)
    throw new ConfigError('AGUI_AUTH=bearer needs AGUI_AUTH_TOKEN');
  if (given.kernelUrl !== undefined && given.kernelCommand !== undefined) {
    throw new ConfigError('set either AGUI_KERNEL_URL or AGUI_KERNEL_COMMAND, not both');
  }
  return {
    host: given.host ?? '0.0.0.0',
    port: given.port ?? 8080,
    configDir,
    stateDir: given.stateDir ?? join(configDir, 'agui'),
    store: storeOf(given),
    workspaceDir,
    allowedCwds: given.allowedCwds ?? [workspaceDir, process.cwd(), tmpdir()],
    kernelUrl: given.kernelUrl,
    kernelCommand: given.kernelCommand,
    kernelToken: given.kernelToken,
    kernelProfile: given.kernelProfile ?? 'auto',
    auth,
    authToken: given.authToken,
    requireSession: given.requireSession ?? false,
    interruptTtlMs: (given.interruptTtlS ?? 540) * 1_000,
    heartbeatMs: (given.heartbeatS ?? 15) * 1_000,
    onDisconnect: given.onDisconnect,
    detachGraceMs: (given.detachGraceS ?? 60) * 1_000,
    maxBodyBytes: given.maxBodyBytes ?? 12_582_912,
    maxRuns: given.maxRuns ?? 1_000,
    maxSockets: given.maxSockets ?? 10_000,
    corsOrigins: given.corsOrigins ?? [],
    language: chooseLanguage({ preferred: given.language, acceptLanguage: undefined, fallback: 'en' }),
    drainMs: (given.drainS ?? 10) * 1_000,
    logLevel: given.logLevel ?? 'info',
  } as const;
}
