/** The token of an `Authorization: Bearer …` header. */
import { fault } from '../../errors/fault.ts';

/** Throws `credentials-missing` without a header, `credentials-invalid` for another scheme. */
export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) throw fault('credentials-missing');
  const match = /^bearer +(.+)$/is.exec(authorization);
  if (match?.[1] === undefined) throw fault('credentials-invalid');
  return match[1];
}
