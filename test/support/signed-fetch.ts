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
  return fetch(url, { method, headers: changed.headers ?? headers, body: changed.body ?? body });
}

/** The one event of a refusal's body. */
export function runErrorOf(text: string): unknown {
  const data = /^data: (.*)\n\n$/.exec(text)?.[1];
  return data === undefined ? undefined : JSON.parse(data);
}
