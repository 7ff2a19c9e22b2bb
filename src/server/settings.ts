/**
 * Every setting: its name in the environment, its older names, default and bounds. Flags of `serve` and the documents are
 * made from this table.
 */
import { delimiter, isAbsolute, resolve } from 'node:path';

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Reader<Value> = (text: string, name: string) => Value;

export interface Setting<Value> {
  readonly name: string;
  /** Names that iac-code users already have. */
  readonly aliases: readonly string[];
  readonly what: string;
  /** As shown in documents; undefined when there is none. */
  readonly shownDefault: string | undefined;
  readonly isSecret: boolean;
  readonly read: Reader<Value>;
}

function setting<Value>(
  name: string,
  read: Reader<Value>,
  what: string,
  more: { aliases?: readonly string[]; shownDefault?: string; isSecret?: boolean } = {},
): Setting<Value> {
  return {
    name,
    aliases: more.aliases ?? [],
    what,
    shownDefault: more.shownDefault,
    isSecret: more.isSecret ?? false,
    read,
  };
}

const text: Reader<string> = (value) => value;
const folder: Reader<string> = (value, name) => {
  if (value.includes('\0')) throw new ConfigError(`${name} must be a path`);
  return resolve(value);
};

function whole(min: number, max: number): Reader<number> {
  return (value, name) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${shown(value)}"`);
    }
    return number;
  };
}

function choice<const Options extends readonly string[]>(...options: Options): Reader<Options[number]> {
  return (value, name) => {
    const found = options.find((option) => option === value.toLowerCase());
    if (found === undefined)
      throw new ConfigError(`${name} must be one of ${options.join(', ')}, not "${shown(value)}"`);
    return found;
  };
}

const flag: Reader<boolean> = (value, name) => {
  if (/^(true|1|yes|on)$/i.test(value)) return true;
  if (/^(false|0|no|off)$/i.test(value)) return false;
  throw new ConfigError(`${name} must be true or false, not "${shown(value)}"`);
};

const folders: Reader<readonly string[]> = (value, name) => {
  const list = value.split(delimiter).filter((each) => each !== '');
  for (const each of list)
    if (!isAbsolute(each)) throw new ConfigError(`${name} must hold absolute paths, not "${shown(each)}"`);
  return list;
};

const url: Reader<string> = (value, name) => {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new ConfigError(`${name} must be an http or https URL`);
  if (parsed.username !== '' || parsed.password !== '') {
    throw new ConfigError(`${name} must not hold a user name or password; use AGUI_KERNEL_TOKEN`);
  }
  return value;
};

const tableName: Reader<string> = (value, name) => {
  if (!/^[A-Za-z0-9_.-]{3,255}$/.test(value) && !/^arn:aws[a-z-]*:dynamodb:[^/]+:table\/.+$/.test(value)) {
    throw new ConfigError(`${name} must be the name or ARN of a DynamoDB table, not "${shown(value)}"`);
  }
  return value;
};

const origins: Reader<readonly string[]> = (value, name) =>
  value.split(',').map((each) => {
    const origin = each.trim();
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new ConfigError(`${name} must hold origins such as https://example.com, not "${shown(origin)}"`);
    }
    return origin;
  });

function shown(value: string): string {
  return value.slice(0, 60).replace(/[^\x20-\x7e]/g, '?');
}

export const settings = {
  host: setting('AGUI_HOST', text, 'Address to listen on', {
    aliases: ['IAC_CODE_AGUI_HOST'],
    shownDefault: '0.0.0.0',
  }),
  port: setting('AGUI_PORT', whole(0, 65_535), 'Port to listen on; 0 takes any free one', {
    aliases: ['IAC_CODE_AGUI_PORT'],
    shownDefault: '8080',
  }),
  configDir: setting('AGUI_CONFIG_DIR', folder, 'Folder for everything that is kept', {
    aliases: ['IAC_CODE_CONFIG_DIR'],
    shownDefault: '~/.agentcore-agui',
  }),
  stateDir: setting('AGUI_STATE_DIR', folder, 'Folder for thread state', {
    aliases: ['IAC_CODE_AGUI_STATE_DIR'],
    shownDefault: '<config-dir>/agui',
  }),
  store: setting('AGUI_STORE', choice('file', 'memory', 'dynamodb'), 'Where threads are kept', {
    shownDefault: 'file',
  }),
  dynamodbTable: setting(
    'AGUI_DYNAMODB_TABLE',
    tableName,
    'Table for AGUI_STORE=dynamodb, with the string key pk and time to live on expiresAt',
  ),
  dynamodbTtlDays: setting(
    'AGUI_DYNAMODB_TTL_DAYS',
    whole(0, 3_650),
    'Days after its last change that a thread stays in the table; 0 keeps it for ever',
    { shownDefault: '30' },
  ),
  workspaceDir: setting('AGUI_WORKSPACE_DIR', folder, 'Folder below which threads get their workspaces', {
    shownDefault: '<config-dir>/workspace; /workspace in the image',
  }),
  allowedCwds: setting(
    'AGUI_ALLOWED_CWDS',
    folders,
    `Folders under which a request may name its workspace, separated by "${delimiter}"`,
    {
      aliases: ['IAC_CODE_AGUI_ALLOWED_CWDS', 'IACCODE_A2A_ALLOWED_CWDS'],
      shownDefault: 'the workspace folder, the working directory, the temp directory',
    },
  ),
  kernelUrl: setting('AGUI_KERNEL_URL', url, 'Address of a remote A2A 1.0 agent', {
    aliases: ['IAC_CODE_AGUI_A2A_URL'],
  }),
  kernelCommand: setting(
    'AGUI_KERNEL_COMMAND',
    text,
    'Command that starts an A2A 1.0 agent; {port} is filled in',
  ),
  kernelToken: setting('AGUI_KERNEL_TOKEN', text, 'Bearer token for the A2A agent', {
    aliases: ['IAC_CODE_AGUI_A2A_TOKEN'],
    isSecret: true,
  }),
  kernelProfile: setting(
    'AGUI_KERNEL_PROFILE',
    choice('auto', 'iac-code', 'a2a'),
    'How the agent ends a turn',
    {
      shownDefault: 'auto',
    },
  ),
  auth: setting('AGUI_AUTH', choice('none', 'bearer'), 'Who may call', { shownDefault: 'none' }),
  authToken: setting('AGUI_AUTH_TOKEN', text, 'Token that callers must bring; implies AGUI_AUTH=bearer', {
    aliases: ['IAC_CODE_AGUI_AUTH_TOKEN'],
    isSecret: true,
  }),
  requireSession: setting('AGUI_REQUIRE_SESSION', flag, 'Refuse requests without a session header', {
    shownDefault: 'false; true in the image',
  }),
  interruptTtlS: setting(
    'AGUI_INTERRUPT_TTL_S',
    whole(1, 31_536_000),
    'Seconds that an interrupt waits for its answer',
    {
      aliases: ['IAC_CODE_AGUI_INTERRUPT_TTL'],
      shownDefault: '540',
    },
  ),
  heartbeatS: setting(
    'AGUI_HEARTBEAT_S',
    whole(1, 3_600),
    'Seconds without an event after which a heartbeat is sent',
    { shownDefault: '15' },
  ),
  onDisconnect: setting(
    'AGUI_ON_DISCONNECT',
    choice('cancel', 'detach'),
    'What a lost connection means for its run',
    {
      shownDefault: 'cancel for SSE, detach for /ws',
    },
  ),
  detachGraceS: setting(
    'AGUI_DETACH_GRACE_S',
    whole(0, 3_600),
    'Seconds that a run without a reader goes on',
    { shownDefault: '60' },
  ),
  maxBodyBytes: setting(
    'AGUI_MAX_BODY_BYTES',
    whole(1_024, 100_000_000),
    'Largest request body and WebSocket message',
    {
      shownDefault: '12582912',
    },
  ),
  maxRuns: setting('AGUI_MAX_RUNS', whole(1, 100_000), 'Runs at once in this process', {
    shownDefault: '1000',
  }),
  maxSockets: setting(
    'AGUI_MAX_SOCKETS',
    whole(1, 100_000),
    'WebSocket connections at once in this process',
    {
      shownDefault: '10000',
    },
  ),
  corsOrigins: setting(
    'AGUI_CORS_ORIGINS',
    origins,
    'Exact origins of other sites whose pages may open /ws, separated by commas',
    {
      shownDefault: 'none',
    },
  ),
  language: setting('AGUI_LANGUAGE', text, 'Language of messages when a request names none', {
    shownDefault: 'en',
  }),
  drainS: setting('AGUI_DRAIN_S', whole(0, 600), 'Seconds that a stop may take', { shownDefault: '10' }),
  logLevel: setting(
    'AGUI_LOG_LEVEL',
    choice('debug', 'info', 'warn', 'error', 'silent'),
    'Least important log line shown',
    {
      shownDefault: 'info',
    },
  ),
} as const;
