/**
 * WebSocket addresses and upgrades signed by AWS Signature Version 4. The SDK has no operation for them; the signer and
 * the credential chain are its own. Loaded lazily.
 *
 * Source: InvokeAgentRuntimeWithWebSocketStream of the AgentCore data plane: signed headers, or a signed address of at
 * most 300 seconds that holds the session id.
 */
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { createAwsClient, runtimeOf, type SigV4Credentials } from './aws-client.ts';
import { invalidArgument, isClientError } from './client-error.ts';
import { parseRuntimeArn, type Target, webSocketUrl } from './runtime-endpoint.ts';
import { checkSessionId, sessionHeader } from './session-id.ts';
import { noCredentials } from './sigv4-channel.ts';

const service = 'bedrock-agentcore';
/** The platform's bound. */
export const maxExpirySeconds = 300;

export interface UpgradeToSign {
  readonly target: Target;
  readonly credentials: SigV4Credentials;
  /** Headers of the caller, the session's among them; they are signed too. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The headers of the upgrade: the given ones and the signature's. */
export async function signUpgrade({
  target,
  credentials,
  headers,
}: UpgradeToSign): Promise<Record<string, string>> {
  const signer = await signerFor(target, credentials);
  const url = webSocketUrl(target);
  const { host: _host, ...signed } = (
    await signer.sign({ ...requestOf(url), headers: { host: url.host, ...headers } })
  ).headers;
  // The upgrade names its host itself.
  return signed;
}

export interface AddressToSign {
  readonly target: Target;
  readonly credentials: SigV4Credentials;
  readonly sessionId: string;
  /** 1 to 300, default 300. */
  readonly expiresInSeconds?: number;
}

/** A WebSocket address that needs nothing else: what a backend gives to a browser. Throws `INVALID_ARGUMENT`. */
export async function presignWebSocketUrl({
  target,
  credentials,
  sessionId,
  expiresInSeconds = maxExpirySeconds,
}: AddressToSign): Promise<string> {
  if (!(expiresInSeconds >= 1 && expiresInSeconds <= maxExpirySeconds)) {
    throw invalidArgument(`a signed address is valid for 1 to ${maxExpirySeconds} seconds`);
  }
  const url = webSocketUrl(target);
  url.searchParams.set(sessionHeader, checkSessionId(sessionId));
  const signer = await signerFor(target, credentials);
  const { query } = await signer.presign(
    { ...requestOf(url), headers: { host: url.host } },
    { expiresIn: expiresInSeconds },
  );
  url.search = '';
  for (const [name, value] of Object.entries(query ?? {})) {
    if (typeof value === 'string') url.searchParams.set(name, value);
  }
  // A space never occurs; a plus sign would be read as one.
  return url.href.replaceAll('+', '%20');
}

function requestOf(url: URL) {
  return {
    method: 'GET',
    protocol: 'https:',
    hostname: url.hostname,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
  };
}

async function signerFor(target: Target, credentials: SigV4Credentials): Promise<SignatureV4> {
  const runtime = runtimeOf(target);
  const client = createAwsClient(runtime, credentials);
  try {
    const identity = await client.config.credentials();
    const { region } = parseRuntimeArn(runtime.arn);
    return new SignatureV4({ service, region, credentials: identity, sha256: Sha256 });
  } catch (cause) {
    throw isClientError(cause) ? cause : noCredentials(cause);
  } finally {
    client.destroy();
  }
}
