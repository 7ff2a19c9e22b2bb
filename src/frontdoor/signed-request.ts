/**
 * Reads where a request carries its AWS Signature Version 4: in the `Authorization` header or in the query of a presigned
 * address. Only reads; what it says is believed by nobody until `sigv4-verifier` has signed the request once more.
 *
 * Source: "Elements of an AWS API request signature", AWS IAM documentation.
 */
import type { IncomingHttpHeaders } from 'node:http';

export interface Signature {
  readonly place: 'header' | 'query';
  readonly accessKeyId: string;
  /** `YYYYMMDD`, of the scope. */
  readonly day: string;
  readonly region: string;
  readonly service: string;
  /** Lower case. */
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly signedAt: Date;
  readonly token: string | undefined;
  /** Of a presigned address. */
  readonly expiresSeconds: number | undefined;
}

export type SignatureReading =
  | { readonly kind: 'signature'; readonly signature: Signature }
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly why: string };

const algorithm = 'AWS4-HMAC-SHA256';

export function readSignature(headers: IncomingHttpHeaders, query: URLSearchParams): SignatureReading {
  const { authorization } = headers;
  if (query.has('X-Amz-Signature')) {
    if (authorization !== undefined) return malformed('both a signed address and an Authorization header');
    return fromQuery(query);
  }
  if (authorization === undefined) return { kind: 'none' };
  return authorization.startsWith(`${algorithm} `) ? fromHeader(authorization, headers) : { kind: 'none' };
}

function fromHeader(authorization: string, headers: IncomingHttpHeaders): SignatureReading {
  const parts = new Map(
    authorization
      .slice(algorithm.length)
      .split(',')
      .map((part) => {
        const [name = '', value = ''] = splitOnce(part.trim(), '=');
        return [name, value];
      }),
  );
  const date = headers['x-amz-date'];
  const token = headers['x-amz-security-token'];
  return complete({
    place: 'header',
    credential: parts.get('Credential'),
    signedHeaders: parts.get('SignedHeaders'),
    signature: parts.get('Signature'),
    date: typeof date === 'string' ? date : undefined,
    token: typeof token === 'string' ? token : undefined,
    expires: undefined,
  });
}

function fromQuery(query: URLSearchParams): SignatureReading {
  const one = (name: string): string | undefined => query.get(name) ?? undefined;
  if (one('X-Amz-Algorithm') !== algorithm) return malformed(`X-Amz-Algorithm must be ${algorithm}`);
  const expires = one('X-Amz-Expires');
  if (expires === undefined || !/^\d{1,6}$/.test(expires)) return malformed('X-Amz-Expires must be seconds');
  return complete({
    place: 'query',
    credential: one('X-Amz-Credential'),
    signedHeaders: one('X-Amz-SignedHeaders'),
    signature: one('X-Amz-Signature'),
    date: one('X-Amz-Date'),
    token: one('X-Amz-Security-Token'),
    expires: Number(expires),
  });
}

interface Parts {
  readonly place: Signature['place'];
  readonly credential: string | undefined;
  readonly signedHeaders: string | undefined;
  readonly signature: string | undefined;
  readonly date: string | undefined;
  readonly token: string | undefined;
  readonly expires: number | undefined;
}

function complete({
  place,
  credential,
  signedHeaders,
  signature,
  date,
  token,
  expires,
}: Parts): SignatureReading {
  const [, accessKeyId, day, region, service] =
    /^(\w+)\/(\d{8})\/([a-z0-9-]+)\/([a-z0-9-]+)\/aws4_request$/.exec(credential ?? '') ?? [];
  if (accessKeyId === undefined || day === undefined || region === undefined || service === undefined) {
    return malformed('Credential must be <key>/<date>/<region>/<service>/aws4_request');
  }
  if (signature === undefined || !/^[0-9a-f]{64}$/.test(signature)) return malformed('Signature is missing');
  if (signedHeaders === undefined || !/^[!-~]+$/.test(signedHeaders))
    return malformed('SignedHeaders is missing');
  const signedAt = parseDate(date);
  if (signedAt === undefined) return malformed('X-Amz-Date must be YYYYMMDDTHHMMSSZ');
  return {
    kind: 'signature',
    signature: {
      place,
      accessKeyId,
      day,
      region,
      service,
      signedHeaders: signedHeaders.toLowerCase().split(';'),
      signature,
      signedAt,
      token,
      expiresSeconds: expires,
    },
  };
}

function parseDate(text: string | undefined): Date | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? '');
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function malformed(why: string): SignatureReading {
  return { kind: 'malformed', why };
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
