/** The two identities that need nothing from outside: nobody is told apart, and one shared bearer token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { fault } from '../../errors/fault.ts';
import type { Identity } from '../../ports/identity.ts';

/** Everybody is let in, and nobody is anybody. */
export const openIdentity: Identity = {
  authenticate: async () => null,
  challenge: () => undefined,
};

/** Who knows the token is let in. Compared in constant time; the token itself is not kept. */
export function bearerIdentity(token: string): Identity {
  const expected = digest(token);
  return {
    async authenticate({ authorization }) {
      if (authorization === undefined) throw fault('credentials-missing');
      const match = /^bearer (.+)$/is.exec(authorization);
      if (match === null || !timingSafeEqual(digest(match[1] ?? ''), expected))
        throw fault('credentials-invalid');
      return null;
    },
    challenge: () => 'Bearer',
  };
}

function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
