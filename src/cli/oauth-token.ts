/**
 * Two token providers for `--auth oauth`: a command of the user's that prints a token, and the client credentials grant
 * at the authorization server that the runtime's own challenge names.
 *
 * Sources: RFC 6749 4.4, RFC 8414, OpenID Connect Discovery 1.0, RFC 9728.
 */
import { spawn } from 'node:child_process';
import type { Challenge } from '../client/challenge.ts';
import { ClientError } from '../client/client-error.ts';
import type { TokenProvider } from '../client/credentials.ts';
import { isJsonObject, type JsonObject, stringAt } from '../protocol/json.ts';

/**
 * Runs the command for each new token, and again when one is refused. It finds what the server said about tokens in
 * AGENTCORE_CHALLENGE, as JSON.
 */
export function commandToken(command: string): TokenProvider {
  let known: string | undefined;
  return async (request) => {
    if (request.reason === 'call' && known !== undefined) return known;
    const challenge = request.reason === 'renewal' ? JSON.stringify(request.challenge ?? {}) : '{}';
    known = (await outputOf(command, challenge)).trim();
    if (known === '') throw unauthorized('the token command printed nothing');
    return known;
  };
}

function outputOf(command: string, challenge: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      shell: true,
      stdio: ['inherit', 'pipe', 'inherit'],
      env: { ...process.env, AGENTCORE_CHALLENGE: challenge },
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.on('error', () => reject(unauthorized('the token command could not be run')));
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(unauthorized(`the token command failed (${code ?? 'killed'})`));
    });
  });
}

export interface ClientSecret {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Default: what the challenge asks for. */
  readonly scope: string | undefined;
}

const timeoutMs = 30_000;

/** The first call goes without a token, to be told where tokens come from. */
export function clientCredentialsToken(secret: ClientSecret): TokenProvider {
  let known: string | undefined;
  return async (request) => {
    if (request.reason === 'call') return known;
    const issuer = request.challenge?.authorizationServers[0];
    if (issuer === undefined) {
      throw unauthorized('the server does not say where tokens come from: use --token-command');
    }
    known = await fetchToken(await tokenEndpointOf(issuer), secret, request.challenge);
    return known;
  };
}

async function tokenEndpointOf(issuer: string): Promise<URL> {
  for (const url of metadataUrls(httpsUrl(issuer))) {
    const document = await getJson(url, { headers: { accept: 'application/json' } }).catch(() => undefined);
    const endpoint = stringAt(document, 'token_endpoint');
    if (endpoint !== undefined) return httpsUrl(endpoint);
  }
  throw unauthorized('the authorization server does not tell its token endpoint');
}

/** An issuer, or the address of its discovery document itself, as AgentCore is configured with. */
function metadataUrls(issuer: URL): readonly URL[] {
  const base = issuer.href.replace(/\/+$/, '');
  if (base.includes('/.well-known/')) return [issuer];
  const path = issuer.pathname.replace(/\/+$/, '');
  return [
    new URL(`${base}/.well-known/openid-configuration`),
    new URL(`${issuer.origin}/.well-known/oauth-authorization-server${path}`),
  ];
}

async function fetchToken(
  endpoint: URL,
  { clientId, clientSecret, scope }: ClientSecret,
  challenge: Challenge | undefined,
): Promise<string> {
  const wanted = scope ?? challenge?.scopes.join(' ') ?? '';
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(wanted === '' ? {} : { scope: wanted }),
  });
  // RFC 6749 2.3.1: both are form-encoded before they are joined.
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  const headers = { authorization, accept: 'application/json' };
  const answer = await getJson(endpoint, { method: 'POST', headers, body });
  const token = stringAt(answer, 'access_token');
  if (token === undefined) throw unauthorized('the authorization server gave no token');
  return token;
}

async function getJson(url: URL, init: RequestInit): Promise<JsonObject> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  } catch (cause) {
    throw unauthorized(`${url.host} could not be reached`, cause);
  }
  if (!response.ok) throw unauthorized(`${url.host} answered ${response.status}`);
  const value: unknown = await response.json().catch(() => undefined);
  if (isJsonObject(value)) return value;
  throw unauthorized(`${url.host} did not answer with JSON`);
}

/** A secret goes over HTTPS, or stays on this machine. */
function httpsUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url !== undefined && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url !== undefined && (url.protocol === 'https:' || isLocal)) return url;
  throw unauthorized('the authorization server has no https address');
}

function unauthorized(message: string, cause?: unknown): ClientError {
  return new ClientError({ code: 'UNAUTHORIZED', message, isUnsent: true, cause });
}
