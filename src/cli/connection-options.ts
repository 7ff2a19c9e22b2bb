/** The flags that all calling commands share, and what they mean for the client. Everything is checked here, unsent. */
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { type Command, Option } from 'commander';
import { AgentCoreClient } from '../client/client.ts';
import { isClientError } from '../client/client-error.ts';
import type { ClientOptions } from '../client/client-options.ts';
import type { Credentials } from '../client/credentials.ts';
import type { Target } from '../client/runtime-endpoint.ts';
import { makeSessionId } from '../client/session-id.ts';
import { clientCredentialsToken, commandToken } from './oauth-token.ts';
import { UsageError } from './usage-error.ts';

/** Where a bearer token comes from. */
export interface AuthFlags {
  readonly tokenFile?: string;
  readonly tokenCommand?: string;
}

export interface ConnectionFlags extends AuthFlags {
  readonly arn?: string;
  readonly url?: string;
  readonly endpoint?: string;
  readonly qualifier?: string;
  readonly auth?: 'sigv4' | 'oauth' | 'bearer' | 'none';
  readonly profile?: string;
  readonly transport: 'sse' | 'ws';
  readonly sessionId?: string;
  readonly timeout?: number;
  readonly color: boolean;
  readonly verbose?: boolean;
}

export function addConnectionFlags(command: Command): Command {
  return command
    .addOption(new Option('--arn <arn>', 'the runtime, by its ARN').conflicts('url'))
    .option('--url <url>', 'a container, by its address, such as http://127.0.0.1:8080')
    .option('--endpoint <url>', 'with --arn: another origin than the region’s own')
    .option('--qualifier <name>', 'with --arn: the endpoint of the runtime')
    .addOption(
      new Option('--auth <how>', 'default: sigv4 with --arn, none with --url').choices([
        'sigv4',
        'oauth',
        'bearer',
        'none',
      ]),
    )
    .option('--profile <name>', 'with --auth sigv4: profile of the AWS configuration')
    .option('--token-file <path>', 'with --auth bearer: file that holds the token (else AGENTCORE_TOKEN)')
    .option('--token-command <command>', 'with --auth oauth: command that prints a token')
    .addOption(new Option('--transport <which>', 'how events come').choices(['sse', 'ws']).default('sse'))
    .option('--session-id <id>', 'AgentCore session (default with --arn: made from account, user and thread)')
    .option('--timeout <seconds>', 'end after so many seconds', secondsOf('--timeout'))
    .option('--no-color', 'no colours (also: NO_COLOR)')
    .option('--verbose', 'tools, steps and reasoning also when stderr is no terminal');
}

/** Throws `UsageError`. */
export function clientFor(flags: ConnectionFlags, more: Partial<ClientOptions> = {}): AgentCoreClient {
  try {
    const target = targetOf(flags);
    return new AgentCoreClient({
      target,
      credentials: credentialsOf(flags, target),
      transport: flags.transport,
      sessionId: flags.sessionId ?? sessionMaker(target),
      ...more,
    });
  } catch (thrown) {
    if (isClientError(thrown) && thrown.code === 'INVALID_ARGUMENT') throw new UsageError(thrown.message);
    throw thrown;
  }
}

/** The time limit of a call, or a signal that is never aborted. */
export function timeLimit({ timeout }: ConnectionFlags): AbortSignal {
  return timeout === undefined ? new AbortController().signal : AbortSignal.timeout(timeout * 1_000);
}

function targetOf({ arn, url, endpoint, qualifier }: ConnectionFlags): Target {
  if (arn !== undefined) {
    return {
      kind: 'runtime',
      arn,
      ...(qualifier === undefined ? {} : { qualifier }),
      ...(endpoint === undefined ? {} : { endpoint }),
    };
  }
  if (url === undefined) throw new UsageError('whom to call? give --arn or --url');
  if (endpoint !== undefined || qualifier !== undefined) {
    throw new UsageError('--endpoint and --qualifier belong to --arn');
  }
  return { kind: 'url', url };
}

/** The same user meets the same session in each thread, from each command. */
function sessionMaker(target: Target): ClientOptions['sessionId'] {
  if (target.kind === 'url') return undefined;
  return (thread) => makeSessionId({ tenant: target.arn, user: userInfo().username, thread });
}

function credentialsOf(flags: ConnectionFlags, target: Target): Credentials {
  const auth = flags.auth ?? (target.kind === 'runtime' ? 'sigv4' : 'none');
  if (auth !== 'sigv4') return tokenCredentials(auth, flags);
  return { type: 'sigv4', ...(flags.profile === undefined ? {} : { profile: flags.profile }) };
}

/** Throws `UsageError` when there is no token. */
export function tokenCredentials(
  auth: 'none' | 'bearer' | 'oauth',
  flags: AuthFlags,
): Extract<Credentials, { type: 'none' | 'bearer' }> {
  switch (auth) {
    case 'none':
      return { type: 'none' };
    case 'bearer':
      return { type: 'bearer', token: fixedToken(flags.tokenFile) };
    case 'oauth':
      return { type: 'bearer', token: oauthToken(flags.tokenCommand) };
  }
}

function fixedToken(file: string | undefined): string {
  const token = file === undefined ? process.env['AGENTCORE_TOKEN'] : readText(file);
  if (token === undefined || token.trim() === '') {
    throw new UsageError('--auth bearer needs a token: in AGENTCORE_TOKEN or by --token-file');
  }
  return token.trim();
}

function oauthToken(command: string | undefined) {
  if (command !== undefined) return commandToken(command);
  const clientId = process.env['AGENTCORE_CLIENT_ID'];
  const clientSecret = process.env['AGENTCORE_CLIENT_SECRET'];
  if (!clientId || !clientSecret) {
    throw new UsageError(
      '--auth oauth needs --token-command, or AGENTCORE_CLIENT_ID and AGENTCORE_CLIENT_SECRET',
    );
  }
  return clientCredentialsToken({ clientId, clientSecret, scope: process.env['AGENTCORE_SCOPE'] });
}

/** The text of a file that was named on the command line. Throws `UsageError`. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    throw new UsageError(`can't read ${path}${why}`);
  }
}

/** Reads the value of a flag that is a time limit; what it returns throws `UsageError`. */
export function secondsOf(flag: string): (text: string) => number {
  return (text) => {
    const seconds = Number(text);
    if (text.trim() !== '' && seconds > 0 && seconds <= 86_400) return seconds;
    throw new UsageError(`${flag} is a number of seconds, more than 0 and at most 86400`);
  };
}
