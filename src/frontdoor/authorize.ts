/**
 * Who calls, and may they: the inbound authorizer of one runtime, SigV4 or JWT, never both. Throws `PlatformError` with
 * what the platform sends along.
 *
 * Sources: AgentCore inbound authorization; WebSocket authentication forms (headers, presigned address, bearer header,
 * bearer as a sub-protocol).
 */
import type { IncomingMessage } from 'node:http';
import { invocationsUrl, parseRuntimeArn } from '../client/runtime-endpoint.ts';
import { type DoorAddress, resourcesOf } from './door-address.ts';
import type { Identity } from './door-config.ts';
import { userIdHeader } from './header-filter.ts';
import type { TokenVerifier } from './jwt-verifier.ts';
import { refusedResource } from './permissions.ts';
import { PlatformError } from './platform-error.ts';
import { verifySignature } from './sigv4-verifier.ts';

/** The second of the two sub-protocols that carry a token; the one that the server selects. */
export const bearerSubprotocol = 'base64UrlBearerAuthorization';
const maxEncodedTokenChars = 4_096;

export interface AuthorizerParts {
  readonly identities: readonly Identity[];
  readonly clockSkewSeconds: number;
  /** Undefined for a runtime whose calls are signed. */
  readonly tokens: TokenVerifier | undefined;
}

export interface CallToAuthorize {
  readonly address: DoorAddress;
  readonly request: IncomingMessage;
  readonly body: Uint8Array;
  /** Origin as the caller knows it, for the address of the metadata. */
  readonly origin: string;
}

export interface Caller {
  readonly name: string;
  /** The claim of a signed caller on whose behalf it calls; never verified. */
  readonly userId: string | undefined;
}

export async function authorize(call: CallToAuthorize, parts: AuthorizerParts): Promise<Caller> {
  return parts.tokens === undefined ? bySignature(call, parts) : byToken(call, parts.tokens);
}

async function bySignature(
  { address, request, body }: CallToAuthorize,
  parts: AuthorizerParts,
): Promise<Caller> {
  const { runtime, operation, path, query } = address;
  const { method = '', headers } = request;
  const { region } = parseRuntimeArn(runtime.arn);
  const identity = await verifySignature({ method, path, query, headers, body }, region, parts);
  const user = operation === 'StopRuntimeSession' ? undefined : headers[userIdHeader];
  const userId = typeof user === 'string' ? user : undefined;
  const actions = userId === undefined ? [operation] : [operation, `${operation}ForUser`];
  for (const action of actions) {
    const refused = refusedResource(identity.statements, { action, resources: resourcesOf(address) });
    if (refused !== undefined) {
      const detail = `${identity.name} is not authorized to perform bedrock-agentcore:${action} on ${refused}`;
      throw new PlatformError('AccessDeniedException', detail);
    }
  }
  if (userId !== undefined && (userId === '' || userId.length > 1_024)) {
    throw new PlatformError('ValidationException', 'the user id has 1 to 1,024 characters');
  }
  return { name: identity.name, userId };
}

async function byToken(call: CallToAuthorize, tokens: TokenVerifier): Promise<Caller> {
  try {
    const { subject = 'unknown' } = await tokens.verify(tokenOf(call));
    return { name: subject, userId: undefined };
  } catch (thrown) {
    if (!(thrown instanceof PlatformError) || thrown.exception !== 'UnauthorizedException') throw thrown;
    throw withChallenge(thrown, call);
  }
}

function tokenOf({ request, address }: CallToAuthorize): string {
  const { authorization } = request.headers;
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (token !== undefined) return token;
  if (authorization?.startsWith('AWS4-HMAC-SHA256') === true || address.query.has('X-Amz-Signature')) {
    throw new PlatformError(
      'AccessDeniedException',
      'authorization method mismatch: this runtime takes OAuth bearer tokens',
    );
  }
  const offered = tokenInSubprotocol(request.headers['sec-websocket-protocol']);
  if (offered !== undefined) return offered;
  throw new PlatformError('UnauthorizedException', 'no bearer token');
}

function tokenInSubprotocol(header: string | undefined): string | undefined {
  const offered = header?.split(',').map((each) => each.trim()) ?? [];
  const carrier = offered.find((each) => each.startsWith(`${bearerSubprotocol}.`));
  if (carrier === undefined) return undefined;
  const encoded = carrier.slice(bearerSubprotocol.length + 1);
  if (!offered.includes(bearerSubprotocol)) {
    throw new PlatformError(
      'ValidationException',
      `the sub-protocol ${bearerSubprotocol} must be offered too`,
    );
  }
  if (encoded.length > maxEncodedTokenChars || !/^[A-Za-z0-9_-]+$/.test(encoded)) {
    const detail = `the token in the sub-protocol must be base64url without padding, at most ${maxEncodedTokenChars} characters`;
    throw new PlatformError('ValidationException', detail);
  }
  return Buffer.from(encoded, 'base64url').toString('utf8');
}

/** The address of the protected resource metadata, in the form of the contract. */
export function metadataUrl({ runtime, qualifier }: DoorAddress, origin: string): string {
  const url = invocationsUrl({ kind: 'runtime', arn: runtime.arn, qualifier, endpoint: origin });
  url.pathname += '/.well-known/oauth-protected-resource';
  return url.href;
}

function withChallenge(
  { message, cause }: PlatformError,
  { address, origin }: CallToAuthorize,
): PlatformError {
  const challenge = `Bearer resource_metadata="${metadataUrl(address, origin)}"`;
  const detail = message.split(': ').slice(1).join(': ');
  return new PlatformError('UnauthorizedException', detail, {
    headers: { 'www-authenticate': challenge },
    cause,
  });
}
