/** The two identities that need nothing from outside: nobody is told apart, and one shared bearer token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { fault } from '../../errors/fault.ts';
import type { Identity, Principal } from '../../ports/identity.ts';
import { bearerToken } from './bearer-token.ts';

const anybody: Principal = { subject: null, expiresAt: undefined };

/** Everybody is let in, and nobody is anybody. */
export const openIdentity: Identity = {
  authenticate: async () => anybody,
  challenge: () => undefined,
  tokenSource: undefined,
};

/** Who knows the token is let in. Compared in constant time; the token itself is not kept. */
export function bearerIdentity(token: string): Identity {
  const expected = digest(token);
  return {
    async authenticate({ authorization }) {
      if (!timingSafeEqual(digest(bearerToken(authorization)), expected)) throw fault('credentials-invalid');
      return anybody;
    },
    challenge: () => 'Bearer',
    tokenSource: undefined,
  };
}

function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
