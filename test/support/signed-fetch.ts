/** Raw signed calls, for what no library would send. */
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { sessionHeader } from '../../src/client/session-id.ts';
import { arn, aws } from './front-door.ts';

export const sessionId = 's'.repeat(40);

export interface SignedCall {
  readonly path?: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly session?: string;
  readonly secret?: string;
  readonly key?: string;
  readonly region?: string;
  readonly service?: string;
  readonly signedAt?: Date;
  readonly signal?: AbortSignal;
  /** Changes what is sent after it was signed. */
  readonly tamper?: (headers: Record<string, string>) => {
    readonly headers?: Record<string, string>;
    readonly body?: string;
  };
}

export const invocations = `/runtimes/${encodeURIComponent(arn)}/invocations`;

export async function signedFetch(origin: string, call: SignedCall = {}): Promise<Response> {
  const { path = invocations, method = 'POST', body = '{}', session = sessionId } = call;
  const url = new URL(path, origin);
  const { secret = aws.secretAccessKey, key = aws.accessKeyId } = call;
  const signer = new SignatureV4({
    service: call.service ?? 'bedrock-agentcore',
    region: call.region ?? 'us-west-2',
    credentials: { accessKeyId: key, secretAccessKey: secret },
    sha256: Sha256,
  });
  const signed = await signer.sign(
    {
      method,
      protocol: 'http:',
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { host: url.host, [sessionHeader]: session, ...call.headers },
      body,
    },
    call.signedAt === undefined ? {} : { signingDate: call.signedAt },
  );
  const { host: _host, ...headers } = signed.headers;
  const changed = call.tamper?.(headers) ?? {};
  return fetch(url, {
    method,
    headers: changed.headers ?? headers,
    body: changed.body ?? body,
    signal: call.signal ?? null,
  });
}

/** The one event of a refusal's body. */
export function runErrorOf(text: string): unknown {
  const data = /^data: (.*)\n\n$/.exec(text)?.[1];
  return data === undefined ? undefined : JSON.parse(data);
}

export interface PresignedCall {
  readonly expiresIn?: number;
  readonly signedAt?: Date;
  readonly session?: string | undefined;
}

/** The address of a WebSocket, signed in whatever wrong way a test likes. */
export async function presigned(origin: string, call: PresignedCall): Promise<string> {
  const url = new URL(invocations.replace('invocations', 'ws'), origin);
  const { accessKeyId, secretAccessKey } = aws;
  const signer = new SignatureV4({
    service: 'bedrock-agentcore',
    region: 'us-west-2',
    credentials: { accessKeyId, secretAccessKey },
    sha256: Sha256,
  });
  const { expiresIn = 300, signedAt: signingDate = new Date() } = call;
  const { query } = await signer.presign(
    {
      method: 'GET',
      protocol: 'http:',
      hostname: url.hostname,
      path: url.pathname,
      query: call.session === undefined ? {} : { [sessionHeader]: call.session },
      headers: { host: url.host },
    },
    { expiresIn, signingDate },
  );
  url.protocol = 'ws:';
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value));
  return url.href;
}
