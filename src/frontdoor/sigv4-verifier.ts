/**
 * Verifies AWS Signature Version 4 as the platform does: signs the request that arrived once more, with the secret that
 * belongs to the key, and compares. Also the time, the scope, the session token, and that nothing that matters was left
 * out of the signature. Throws `PlatformError`; what it says names no secret.
 *
 * Sources: AWS Signature Version 4 in the IAM documentation; presigned WebSocket addresses of AgentCore (at most 300 s,
 * the session id a signed parameter of the query).
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { sessionHeader } from '../client/session-id.ts';
import type { Identity } from './door-config.ts';
import { PlatformError } from './platform-error.ts';
import { readSignature, type Signature } from './signed-request.ts';

const service = 'bedrock-agentcore';
const maxExpiresSeconds = 300;

export interface ArrivedRequest {
  readonly method: string;
  /** As on the wire, with its percent signs. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

export interface VerifierRules {
  readonly identities: readonly Identity[];
  readonly clockSkewSeconds: number;
}

/** Who signed it. `region` is that of the runtime. */
export async function verifySignature(
  request: ArrivedRequest,
  region: string,
  { identities, clockSkewSeconds }: VerifierRules,
): Promise<Identity> {
  const reading = readSignature(request.headers, request.query);
  if (reading.kind === 'none') throw denied(unsigned(request.headers));
  if (reading.kind === 'malformed') throw denied(`the signature can't be read: ${reading.why}`);
  const { signature } = reading;
  checkScope(signature, region);
  checkTime(signature, clockSkewSeconds * 1_000);
  checkCoverage(signature, request);
  checkBodyHash(request);
  const identity = identities.find(({ accessKeyId }) => accessKeyId === signature.accessKeyId);
  if (identity === undefined)
    throw denied('the security token included in the request is invalid: unknown access key');
  if (identity.sessionToken !== signature.token) {
    throw denied('the session token is missing or is not the one of this access key');
  }
  if (!isSame(await signAgain(signature, request, identity), signature.signature)) {
    throw denied('the signature does not match: check the secret key, and what was changed after signing');
  }
  return identity;
}

function denied(detail: string): PlatformError {
  return new PlatformError('AccessDeniedException', detail);
}

function unsigned({ authorization }: IncomingHttpHeaders): string {
  return authorization === undefined
    ? 'the request is not signed'
    : 'authorization method mismatch: this runtime takes requests signed by AWS Signature Version 4';
}

function checkScope(signature: Signature, region: string): void {
  if (signature.service !== service)
    throw denied(`signed for the service ${signature.service}, not ${service}`);
  if (signature.region !== region) throw denied(`signed for the region ${signature.region}, not ${region}`);
  const signedDay = signature.signedAt.toISOString().slice(0, 10).replaceAll('-', '');
  if (signature.day !== signedDay)
    throw denied('the date of the credential scope is not that of the signature');
}

function checkTime({ signedAt, expiresSeconds }: Signature, skewMs: number): void {
  const age = Date.now() - signedAt.getTime();
  if (age < -skewMs) throw denied('the signature is not valid yet: check the clock');
  if (expiresSeconds === undefined) {
    if (age > skewMs) throw denied('the signature has expired: check the clock');
    return;
  }
  if (expiresSeconds < 1 || expiresSeconds > maxExpiresSeconds) {
    throw denied(`a signed address is valid for 1 to ${maxExpiresSeconds} seconds, not ${expiresSeconds}`);
  }
  if (age > expiresSeconds * 1_000) throw denied('the signed address has expired');
}

/** `Host` and every `X-Amz-*` must be signed, and a presigned address must hold its session. */
function checkCoverage({ place, signedHeaders }: Signature, { headers, query }: ArrivedRequest): void {
  const signed = new Set(signedHeaders);
  if (!signed.has('host')) throw denied('the Host header is not signed');
  const open = Object.keys(headers).find((name) => name.startsWith('x-amz-') && !signed.has(name));
  if (open !== undefined) throw denied(`the header ${open} is not signed`);
  const absent = signedHeaders.find((name) => headers[name] === undefined);
  if (absent !== undefined) throw denied(`the signed header ${absent} did not arrive`);
  if (place === 'query' && !query.has(sessionHeader)) {
    throw denied(`a signed address must hold ${sessionHeader} as a signed parameter`);
  }
}

/** The signer believes this header; so it is held against the body first. */
function checkBodyHash({ headers, body }: ArrivedRequest): void {
  const claimed = headers['x-amz-content-sha256'];
  if (claimed === undefined) return;
  if (claimed !== createHash('sha256').update(body).digest('hex')) {
    throw denied('x-amz-content-sha256 is not the hash of the body that arrived');
  }
}

async function signAgain(signature: Signature, request: ArrivedRequest, identity: Identity): Promise<string> {
  const { accessKeyId, secretAccessKey } = identity;
  const signer = new SignatureV4({
    service,
    region: signature.region,
    credentials: { accessKeyId, secretAccessKey },
    sha256: Sha256,
    applyChecksum: false,
  });
  const signed = new Set(signature.signedHeaders);
  const plain = {
    method: request.method,
    protocol: 'https:',
    hostname: request.headers.host ?? '',
    path: request.path,
    headers: headersOf(request.headers, signature.signedHeaders),
    body: request.body,
  };
  const { signedAt: signingDate, expiresSeconds: expiresIn = maxExpiresSeconds } = signature;
  if (signature.place === 'query') {
    const { query } = await signer.presign(
      { ...plain, query: queryOf(request.query, true) },
      { signingDate, expiresIn, signableHeaders: signed, unhoistableHeaders: signed },
    );
    return String(query?.['X-Amz-Signature'] ?? '');
  }
  const again = await signer.sign(
    { ...plain, query: queryOf(request.query, false) },
    { signingDate, signableHeaders: signed },
  );
  return /Signature=([0-9a-f]{64})$/.exec(again.headers['authorization'] ?? '')?.[1] ?? '';
}

function headersOf(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const value = headers[name];
      return [name, Array.isArray(value) ? value.join(',') : (value ?? '')];
    }),
  );
}

/** Without what presigning adds by itself; the token stays, as the signer is not given it. */
function queryOf(query: URLSearchParams, isPresigned: boolean): Record<string, string[]> {
  const added = /^X-Amz-(?:Algorithm|Credential|Date|Expires|SignedHeaders|Signature)$/;
  const kept: Record<string, string[]> = {};
  for (const name of new Set(query.keys())) {
    if (!(isPresigned && added.test(name))) kept[name] = query.getAll(name);
  }
  return kept;
}

function isSame(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
