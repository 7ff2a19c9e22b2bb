/**
 * The settings with their defaults, read from the environment; the only file that reads it. A bad value is one clear line
 * and no start.
 */
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelSettings } from '../agent/model/models.ts';
import { chooseLanguage } from '../language/choose-language.ts';
import type { FixedKeys } from '../outbound/identity/fixed-documents.ts';
import { type Authorizer, issuerByAddress } from '../outbound/identity/token-rules.ts';
import { isSelective } from './authorizer-settings.ts';
import { ConfigError } from './config-error.ts';
import type { Setting } from './setting.ts';
import { settings } from './settings.ts';

export { ConfigError } from './config-error.ts';

export type SettingName = keyof typeof settings;
type ValueOf<Each> = Each extends Setting<infer Value> ? Value : never;
type Given = { readonly [Name in SettingName]: ValueOf<(typeof settings)[Name]> | undefined };

/** All settings with their defaults filled in. */
export type Config = ReturnType<typeof fillDefaults> & {
  /** What a child process of ours may know of our environment: all but our own secrets. */
  readonly childEnvironment: Environment;
  /** Values that must not stand in a log, whatever brought them there. */
  readonly secrets: readonly string[];
  /** What the platform tells its containers about themselves, among other things the runtime's ARN. */
  readonly resourceAttributes: string | undefined;
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
  return {
    // Each member was read by its own setting's reader just above.
    ...fillDefaults(given as unknown as Given),
    childEnvironment: withoutSecrets(environment),
    secrets: secretsAmong(given),
    resourceAttributes: environment['OTEL_RESOURCE_ATTRIBUTES'],
  };
}

function secretsAmong(given: Readonly<Record<string, unknown>>): readonly string[] {
  const names = Object.entries(settings).filter(([, { isSecret }]) => isSecret);
  return names.map(([name]) => given[name]).filter((value) => typeof value === 'string');
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

/** Undefined for the offline author. */
function modelOf(given: Given): ModelSettings | undefined {
  const { modelProvider: provider = 'offline', model } = given;
  if (provider === 'offline') {
    if (model === undefined) return undefined;
    throw new ConfigError(
      'AGUI_MODEL needs AGUI_MODEL_PROVIDER=bedrock or AGUI_MODEL_PROVIDER=openai-compatible',
    );
  }
  if (model === undefined) throw new ConfigError(`AGUI_MODEL_PROVIDER=${provider} needs AGUI_MODEL`);
  if (provider === 'openai-compatible' && given.modelBaseUrl === undefined)
    throw new ConfigError('AGUI_MODEL_PROVIDER=openai-compatible needs AGUI_MODEL_BASE_URL');
  return {
    provider,
    model,
    baseUrl: given.modelBaseUrl,
    apiKey: given.modelApiKey,
    region: given.modelRegion,
  };
}

/** Where threads are kept, with what that place needs. */
export type StoreConfig =
  | { readonly kind: 'file'; readonly ttlDays: number }
  | { readonly kind: 'memory' }
  | { readonly kind: 'dynamodb'; readonly table: string; readonly ttlDays: number };

function storeOf(given: Given): StoreConfig {
  const kind = given.store ?? 'file';
  if (kind === 'memory') return { kind };
  if (kind === 'file') return { kind, ttlDays: given.threadTtlDays ?? 0 };
  if (given.dynamodbTable === undefined)
    throw new ConfigError('AGUI_STORE=dynamodb needs AGUI_DYNAMODB_TABLE');
  return { kind, table: given.dynamodbTable, ttlDays: given.threadTtlDays ?? 30 };
}

function fillDefaults(given: Given) {
  const configDir = given.configDir ?? join(homedir(), '.agentcore-agui');
  const workspaceDir = given.workspaceDir ?? join(configDir, 'workspace');
  const auth = given.auth ?? (given.authToken === undefined ? 'none' : 'bearer');
  if (auth === 'bearer' && given.authToken === undefined)
    throw new ConfigError('AGUI_AUTH=bearer needs AGUI_AUTH_TOKEN');
  if (auth !== 'bearer' && given.authToken !== undefined)
    throw new ConfigError(
      `AGUI_AUTH_TOKEN is set, which AGUI_AUTH=${auth} would not ask for; remove one of them`,
    );
  if (given.kernelUrl !== undefined && given.kernelCommand !== undefined) {
    throw new ConfigError('set either AGUI_KERNEL_URL or AGUI_KERNEL_COMMAND, not both');
  }
  if (given.kernelToken !== undefined && given.forwardHeaders?.includes('authorization') === true) {
    throw new ConfigError('AGUI_FORWARD_HEADERS can not hold authorization while AGUI_KERNEL_TOKEN is set');
  }
  return {
    host: given.host ?? '0.0.0.0',
    port: given.port ?? 8080,
    configDir,
    stateDir: given.stateDir ?? join(configDir, 'agui'),
    store: storeOf(given),
    runsRemembered: given.runsRemembered ?? 500,
    workspaceDir,
    allowedCwds: given.allowedCwds ?? [workspaceDir, process.cwd(), tmpdir()],
    kernelUrl: given.kernelUrl,
    kernelCommand: given.kernelCommand,
    kernelToken: given.kernelToken,
    model: modelOf(given),
    kernelProfile: given.kernelProfile ?? 'auto',
    auth,
    authToken: given.authToken,
    authorizers: auth === 'jwt' ? authorizersOf(given) : [],
    publicUrl: given.publicUrl,
    requireSession: given.requireSession ?? false,
    interruptTtlMs: (given.interruptTtlS ?? 540) * 1_000,
    heartbeatMs: (given.heartbeatS ?? 15) * 1_000,
    onDisconnect: given.onDisconnect,
    runDeadlineMs: (given.runDeadlineS ?? 7_200) * 1_000,
    streamDeadlineMs: (given.streamDeadlineS ?? 3_540) * 1_000,
    detachGraceMs: (given.detachGraceS ?? 60) * 1_000,
    maxBodyBytes: given.maxBodyBytes ?? 12_582_912,
    maxRuns: given.maxRuns ?? 1_000,
    maxSockets: given.maxSockets ?? 10_000,
    maxSessions: given.maxSessions ?? 10_000,
    maxThreads: given.maxThreads ?? 1_000,
    rateLimit: given.rateLimit ?? 0,
    forwardHeaders: given.forwardHeaders ?? [],
    corsOrigins: given.corsOrigins ?? [],
    /** Undefined: where it is there. */
    chatPage: given.chatPage,
    language: chooseLanguage({ preferred: given.language, acceptLanguage: undefined, fallback: 'en' }),
    drainMs: (given.drainS ?? 10) * 1_000,
    metricsPort: given.metricsPort,
    logLevel: given.logLevel ?? 'info',
  } as const;
}

function authorizersOf(given: Given): readonly Authorizer[] {
  const { jwtAuthorizers, jwtDiscoveryUrls, jwtAllowedClients, jwtAllowedAudience } = given;
  const lists = [jwtDiscoveryUrls, jwtAllowedClients, jwtAllowedAudience, given.jwtAllowedScopes];
  const others = [...lists, given.jwtCustomClaims, given.jwtKeySet, given.jwtIssuer];
  if (jwtAuthorizers !== undefined && others.some((each) => each !== undefined))
    throw new ConfigError('set either AGUI_JWT_AUTHORIZERS or the other AGUI_JWT_ settings, not both');
  const found = jwtAuthorizers ?? authorizersByLists(given);
  if (found.length === 0) throw new ConfigError('AGUI_AUTH=jwt needs AGUI_JWT_DISCOVERY_URL');
  if (!found.every(({ rules }) => isSelective(rules))) {
    throw new ConfigError(
      'AGUI_AUTH=jwt needs AGUI_JWT_ALLOWED_CLIENTS or AGUI_JWT_ALLOWED_AUDIENCE (in AGUI_JWT_AUTHORIZERS: for each issuer)',
    );
  }
  return found;
}

/** The same rules for every issuer that is named. */
function authorizersByLists(given: Given): readonly Authorizer[] {
  const rules = {
    clients: given.jwtAllowedClients ?? [],
    audience: given.jwtAllowedAudience ?? [],
    scopes: given.jwtAllowedScopes ?? [],
    claims: given.jwtCustomClaims ?? [],
  };
  const addresses = given.jwtDiscoveryUrls ?? [];
  return addresses.map((discoveryUrl) => ({
    discoveryUrl,
    rules,
    fixedKeys: fixedKeysOf(given, discoveryUrl, addresses.length === 1),
  }));
}

function fixedKeysOf(
  { jwtKeySet: keySet, jwtIssuer }: Given,
  discoveryUrl: string,
  isOnlyIssuer: boolean,
): FixedKeys | undefined {
  if (keySet === undefined && jwtIssuer !== undefined)
    throw new ConfigError('AGUI_JWT_ISSUER has a meaning only together with AGUI_JWT_JWKS');
  if (keySet === undefined) return undefined;
  if (!isOnlyIssuer)
    throw new ConfigError(
      'AGUI_JWT_JWKS belongs to one AGUI_JWT_DISCOVERY_URL; for several issuers use AGUI_JWT_AUTHORIZERS',
    );
  return { issuer: jwtIssuer ?? issuerByAddress(discoveryUrl), keySet };
}
