/**
 * door.json → what the front door serves: runtimes with their authorizers, limits and commands, the identities that may
 * sign calls, faults to begin with. Names are those of CreateAgentRuntime and of IAM policies where they have one.
 * Strict: an unknown member is an error, as a misspelt limit would silently not hold.
 */
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { isClientError } from '../client/client-error.ts';
import { parseRuntimeArn } from '../client/runtime-endpoint.ts';
import { faultRuleSchema } from './fault-rules.ts';
import { isForwardable } from './header-filter.ts';

/** What is wrong with the file, in sentences for its author. */
export class DoorConfigError extends Error {
  override readonly name = 'DoorConfigError';
}

const seconds = (fallback: number) => z.number().positive().max(1_209_600).default(fallback);
const count = (fallback: number) => z.int().positive().default(fallback);
const oneOrMore = z.union([
  z
    .string()
    .min(1)
    .transform((each) => [each]),
  z.array(z.string().min(1)).min(1),
]);

const statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore,
});

const identity = z.strictObject({
  name: z.string().min(1),
  accessKeyId: z.string().regex(/^\w{4,128}$/),
  /** The secret itself, or the variable of the environment that holds it. */
  secretAccessKey: z.union([z.string().min(1), z.strictObject({ env: z.string().min(1) })]),
  sessionToken: z.string().min(1).optional(),
  /** Default: everything of this service. */
  policy: z
    .strictObject({ Version: z.string().optional(), Statement: z.array(statement).min(1) })
    .default({ Statement: [{ Effect: 'Allow', Action: ['bedrock-agentcore:*'], Resource: ['*'] }] }),
});

const claimName = z.string().regex(/^[A-Za-z0-9_.:-]+$/);

/** Each operator goes with one type of claim and one form of value. */
const customClaim = z.union([
  z.strictObject({
    inboundTokenClaimName: claimName,
    inboundTokenClaimValueType: z.literal('STRING'),
    authorizingClaimMatchValue: z.strictObject({
      claimMatchOperator: z.literal('EQUALS'),
      claimMatchValue: z.strictObject({ matchValueString: z.string() }),
    }),
  }),
  z.strictObject({
    inboundTokenClaimName: claimName,
    inboundTokenClaimValueType: z.literal('STRING_ARRAY'),
    authorizingClaimMatchValue: z.strictObject({
      claimMatchOperator: z.literal('CONTAINS'),
      claimMatchValue: z.strictObject({ matchValueString: z.string() }),
    }),
  }),
  z.strictObject({
    inboundTokenClaimName: claimName,
    inboundTokenClaimValueType: z.literal('STRING_ARRAY'),
    authorizingClaimMatchValue: z.strictObject({
      claimMatchOperator: z.literal('CONTAINS_ANY'),
      claimMatchValue: z.strictObject({ matchValueStringList: z.array(z.string()).min(1) }),
    }),
  }),
]);

const jwtAuthorizer = z
  .strictObject({
    discoveryUrl: z.url().regex(/.+\/\.well-known\/openid-configuration$/, {
      error: 'must end in /.well-known/openid-configuration',
    }),
    allowedAudience: z.array(z.string().min(1)).min(1).optional(),
    allowedClients: z.array(z.string().min(1)).min(1).optional(),
    allowedScopes: z
      .array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,255}$/))
      .min(1)
      .optional(),
    customClaims: z.array(customClaim).min(1).optional(),
  })
  .refine((rules) => Object.values(rules).filter((rule) => rule !== undefined).length > 1, {
    error: 'needs at least one of allowedAudience, allowedClients, allowedScopes, customClaims',
  });

/** The documented values of the platform; smaller ones make tests quick. */
const limits = z.strictObject({
  payloadBytes: count(100_000_000),
  chunkBytes: count(10_000_000),
  synchronousSeconds: seconds(15 * 60),
  streamingSeconds: seconds(60 * 60),
  webSocketFrameBytes: count(32 * 1024),
  webSocketFramesPerSecond: count(250),
  webSocketSilenceSeconds: seconds(60),
  startSeconds: seconds(120),
  stopSeconds: seconds(15),
});

const quota = z.strictObject({
  activeSessions: count(5_000),
  newSessionsPerSecond: count(25),
  requestsPerSecond: count(1_000),
});

const runtime = z.strictObject({
  arn: z.string().refine(isRuntimeArn, {
    error: 'expected arn:aws:bedrock-agentcore:<region>:<account>:runtime/<id>',
  }),
  /** Which of the platform's two error tables. */
  protocol: z.enum(['AGUI', 'HTTP']).default('AGUI'),
  /** Endpoints of the runtime; `DEFAULT` is always there. */
  qualifiers: z.array(z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,47}$/)).default([]),
  command: z.array(z.string().min(1)).min(1),
  workingDirectory: z.string().min(1).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  /** Names of variables that containers get from the front door's own environment. */
  inheritEnvironment: z.array(z.string().min(1)).default([]),
  authorizer: z
    .union([z.literal('AWS_IAM'), z.strictObject({ customJWTAuthorizer: jwtAuthorizer })])
    .default('AWS_IAM'),
  requestHeaderAllowlist: z
    .array(
      z.string().refine(isForwardable, {
        error: 'is a header that the platform never lets through',
      }),
    )
    .max(20)
    .default([]),
  lifecycle: z
    .strictObject({ idleRuntimeSessionTimeout: seconds(900), maxLifetime: seconds(28_800) })
    .refine((life) => life.idleRuntimeSessionTimeout <= life.maxLifetime, {
      error: 'idleRuntimeSessionTimeout must not be longer than maxLifetime',
    })
    .prefault({}),
  ping: z
    .strictObject({
      everySeconds: seconds(2),
      timeoutSeconds: seconds(2),
      /** Pings in a row that may fail before the session is lost. */
      failures: count(10),
      /** `observed`: a busy answer holds the session only when it carries a stamp, as users have measured. */
      busyRule: z.enum(['documented', 'observed']).default('documented'),
    })
    .prefault({}),
  /** Folder that keeps each session's files over stops and starts. */
  sessionStorage: z
    .strictObject({
      folder: z.string().min(1),
      /** `ready`: there from the first healthy ping on, as on the platform. `start`: before the command runs. */
      mountAt: z.enum(['ready', 'start']).default('ready'),
    })
    .optional(),
  /** What becomes of a container's own answer that is not 2xx; the platform's documents do not say. */
  containerErrors: z.enum(['pass', 'agent-error']).default('pass'),
  limits: limits.prefault({}),
  quota: quota.prefault({}),
});

const door = z.strictObject({
  host: z.string().min(1).default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(8_900),
  /** The address that callers use, where a proxy stands in front. Default: host and port. */
  publicUrl: z.url().optional(),
  runtimes: z.array(runtime).min(1),
  identities: z.array(identity).default([]),
  faults: z.array(faultRuleSchema).default([]),
  /** Seconds that a signature's time may differ from ours. */
  clockSkewSeconds: seconds(300),
});

type Door = z.output<typeof door>;
export type RuntimeConfig = Readonly<Door['runtimes'][number]> & { readonly workingDirectory: string };
export type JwtAuthorizer = Readonly<z.output<typeof jwtAuthorizer>>;
export type Statement = Readonly<z.output<typeof statement>>;
export interface Identity {
  readonly name: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
  readonly statements: readonly Statement[];
}
export type DoorConfig = Omit<Readonly<Door>, 'identities' | 'runtimes'> & {
  readonly runtimes: readonly RuntimeConfig[];
  readonly identities: readonly Identity[];
  /** Variables that every container gets, before the runtime's own. */
  readonly baseEnvironment: Readonly<Record<string, string | undefined>>;
};

export interface ConfigSource {
  /** Relative paths in the file start here. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** As `parseDoorConfig`, for a value instead of a text. */
export type DoorInput = z.input<typeof door>;

/** Throws `DoorConfigError`. */
export function parseDoorConfig(text: string, source: ConfigSource): DoorConfig {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    // The parser's own message quotes the file, which may hold secrets.
    throw new DoorConfigError('the file is not JSON', { cause });
  }
  return readDoorConfig(value, source);
}

/** Throws `DoorConfigError`. */
export function readDoorConfig(value: unknown, { folder, environment }: ConfigSource): DoorConfig {
  const parsed = door.safeParse(value);
  if (!parsed.success) throw new DoorConfigError(z.prettifyError(parsed.error));
  const { identities, runtimes, ...rest } = parsed.data;
  checkUnique(
    'runtime',
    runtimes.map(({ arn }) => arn),
  );
  checkUnique(
    'accessKeyId',
    identities.map(({ accessKeyId }) => accessKeyId),
  );
  const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(folder, path));
  return {
    ...rest,
    baseEnvironment: environment,
    identities: identities.map(({ policy, secretAccessKey, ...known }) => ({
      name: known.name,
      accessKeyId: known.accessKeyId,
      sessionToken: known.sessionToken,
      secretAccessKey: secretOf(secretAccessKey, environment),
      statements: policy.Statement,
    })),
    runtimes: runtimes.map((each) => ({
      ...each,
      workingDirectory: absolute(each.workingDirectory ?? '.'),
      ...(each.sessionStorage === undefined
        ? {}
        : { sessionStorage: { ...each.sessionStorage, folder: absolute(each.sessionStorage.folder) } }),
    })),
  };
}

function secretOf(
  given: string | { readonly env: string },
  environment: ConfigSource['environment'],
): string {
  if (typeof given === 'string') return given;
  const secret = environment[given.env];
  if (secret === undefined || secret === '') {
    throw new DoorConfigError(`identities: the variable ${given.env} is not set`);
  }
  return secret;
}

function checkUnique(what: string, values: readonly string[]): void {
  const twice = values.find((value, index) => values.indexOf(value) !== index);
  if (twice !== undefined) throw new DoorConfigError(`${what} ${twice} is there twice`);
}

function isRuntimeArn(arn: string): boolean {
  try {
    return parseRuntimeArn(arn).runtimeId !== '';
  } catch (thrown) {
    if (isClientError(thrown)) return false;
    throw thrown;
  }
}
