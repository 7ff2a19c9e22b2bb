/**
 * Every setting: its name in the environment, its older names, default and bounds. Flags of `serve` and the documents are
 * made from this table.
 */
import { delimiter } from 'node:path';
import { jwtSettings } from './jwt-settings.ts';
import { setting } from './setting.ts';
import {
  choice,
  flag,
  folder,
  folders,
  forwardableHeaders,
  origins,
  tableName,
  text,
  url,
  whole,
} from './setting-readers.ts';

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
  threadTtlDays: setting(
    'AGUI_THREAD_TTL_DAYS',
    whole(0, 3_650),
    'Days after its last change that a thread is kept; 0 keeps it for ever',
    { shownDefault: '30 in DynamoDB, 0 in files' },
  ),
  runsRemembered: setting(
    'AGUI_RUNS_REMEMBERED',
    whole(1, 100_000),
    'Runs of a thread whose ids are remembered, so that none of them runs twice',
    { shownDefault: '500' },
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
  modelProvider: setting(
    'AGUI_MODEL_PROVIDER',
    choice('offline', 'bedrock', 'openai-compatible'),
    'Who answers in the embedded agent: nobody (templates from rules), Amazon Bedrock, or an OpenAI-compatible endpoint',
    { shownDefault: 'offline' },
  ),
  model: setting('AGUI_MODEL', text, 'Model of the embedded agent, as its provider names it'),
  modelBaseUrl: setting(
    'AGUI_MODEL_BASE_URL',
    url,
    'Address of the model endpoint, such as http://localhost:11434/v1',
  ),
  modelApiKey: setting(
    'AGUI_MODEL_API_KEY',
    text,
    'Key for the model endpoint; Bedrock needs none where the container has credentials',
    { isSecret: true },
  ),
  modelRegion: setting('AGUI_MODEL_REGION', text, 'AWS region of the Bedrock model', {
    aliases: ['AWS_REGION', 'AWS_DEFAULT_REGION'],
  }),
  auth: setting('AGUI_AUTH', choice('none', 'bearer', 'jwt'), 'Who may call', { shownDefault: 'none' }),
  authToken: setting('AGUI_AUTH_TOKEN', text, 'Token that callers must bring; implies AGUI_AUTH=bearer', {
    aliases: ['IAC_CODE_AGUI_AUTH_TOKEN'],
    isSecret: true,
  }),
  ...jwtSettings,
  publicUrl: setting(
    'AGUI_PUBLIC_URL',
    url,
    'Address at which clients reach this server, where neither the platform nor the Host header tells it',
    { aliases: ['AGENTCORE_RUNTIME_URL'] },
  ),
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
  runDeadlineS: setting(
    'AGUI_RUN_DEADLINE_S',
    whole(1, 86_400),
    'Seconds after which a run is stopped, whatever its agent does',
    { shownDefault: '7200' },
  ),
  streamDeadlineS: setting(
    'AGUI_STREAM_DEADLINE_S',
    whole(0, 86_400),
    'Seconds after which a stream of /invocations or a socket ends while its run goes on, to be attached to; 0 never',
    { shownDefault: '3540, below the 60 minutes of the platform' },
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
  maxSessions: setting('AGUI_MAX_SESSIONS', whole(1, 1_000_000), 'Sessions in use at once in this process', {
    shownDefault: '10000',
  }),
  maxThreads: setting('AGUI_MAX_THREADS', whole(1, 100_000), 'Threads in use at once in one session', {
    shownDefault: '1000',
  }),
  rateLimit: setting(
    'AGUI_RATE_LIMIT',
    whole(0, 1_000_000),
    'Requests and `/ws` messages per second and caller; 0 = no limit',
    { shownDefault: '0' },
  ),
  forwardHeaders: setting(
    'AGUI_FORWARD_HEADERS',
    forwardableHeaders,
    'Request headers that are passed on to a remote A2A agent, separated by commas',
    { shownDefault: 'none' },
  ),
  corsOrigins: setting(
    'AGUI_CORS_ORIGINS',
    origins,
    'Exact origins of other sites whose pages may call the server and open /ws, separated by commas',
    {
      shownDefault: 'none',
    },
  ),
  chatPage: setting('AGUI_CHAT_PAGE', flag, 'Show the chat page to browsers on GET /', {
    shownDefault: 'on; off in the image',
  }),
  language: setting('AGUI_LANGUAGE', text, 'Language of messages when a request names none', {
    shownDefault: 'en',
  }),
  drainS: setting('AGUI_DRAIN_S', whole(0, 600), 'Seconds that a stop may take', { shownDefault: '10' }),
  metricsPort: setting(
    'AGUI_METRICS_PORT',
    whole(0, 65_535),
    'Second port, which serves numbers as Prometheus text at /metrics',
    { shownDefault: 'none' },
  ),
  logLevel: setting(
    'AGUI_LOG_LEVEL',
    choice('debug', 'info', 'warn', 'error', 'silent'),
    'Least important log line shown',
    {
      shownDefault: 'info',
    },
  ),
} as const;
