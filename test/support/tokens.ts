/** Tokens as nobody should sign them, made by hand. */
import { createHmac, type KeyObject, sign } from 'node:crypto';
import { apiAudience, type SigningKey } from './oidc.ts';

export type Claims = Readonly<Record<string, unknown>>;

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function lawfulClaims(issuer: string, more: Claims = {}): Claims {
  const now = Math.floor(Date.now() / 1_000);
  return {
    iss: issuer,
    sub: 'user-1',
    aud: apiAudience,
    client_id: 'client-1',
    scope: 'agent/invoke',
    iat: now,
    exp: now + 600,
    ...more,
  };
}

export function signed(key: SigningKey, claims: Claims, header: Claims = {}): string {
  const head = { alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header };
  const input = `${encoded(head)}.${encoded(claims)}`;
  const dsaEncoding = 'ieee-p1363';
  const signature = sign('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding });
  return `${input}.${signature.toString('base64url')}`;
}

export function unsigned(claims: Claims, kid: string, algorithm = 'none'): string {
  return `${encoded({ alg: algorithm, kid, typ: 'at+jwt' })}.${encoded(claims)}.`;
}

/** Signed with what everybody can read: the public key as the secret of a symmetric algorithm. */
export function signedByPublicKey(publicKey: KeyObject, claims: Claims, kid: string): string {
  const input = `${encoded({ alg: 'HS256', kid, typ: 'at+jwt' })}.${encoded(claims)}`;
  const secret = publicKey.export({ type: 'spki', format: 'pem' });
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

/** The token with another payload under the old signature. */
export function altered(token: string, claims: Claims): string {
  const [head, , signature] = token.split('.');
  return `${head}.${encoded(claims)}.${signature}`;
}
