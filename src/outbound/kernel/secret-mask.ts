/**
 * Keeps our own secrets out of what an agent says back to us: an agent that repeats its caller's token in an error, or
 * prints it, must not get it into a log.
 */
import { KernelError } from '../../errors/kernel-error.ts';

export type Mask = (text: string) => string;

const shortestSecret = 6;

/** Very short values are no secrets, and would make any text unreadable. */
export function createMask(secrets: readonly (string | undefined)[]): Mask {
  const masked = secrets.filter((secret) => secret !== undefined && secret.length >= shortestSecret);
  return (text) => masked.reduce<string>((rest, secret = '') => rest.replaceAll(secret, '[secret]'), text);
}

/** The same error with masked message and data. Other things thrown become `unavailable` with themselves as the cause. */
export function maskError(thrown: unknown, mask: Mask): KernelError {
  if (!(thrown instanceof KernelError))
    return new KernelError('unavailable', 'the call failed', { cause: thrown });
  const message = mask(thrown.message);
  const data = maskData(thrown.data, mask);
  if (message === thrown.message && data === thrown.data) return thrown;
  return new KernelError(thrown.kind, message, {
    ...(thrown.rpcCode === undefined ? {} : { rpcCode: thrown.rpcCode }),
    data,
    ...(thrown.cause === undefined ? {} : { cause: thrown.cause }),
  });
}

function maskData(data: unknown, mask: Mask): unknown {
  if (data === undefined) return undefined;
  const text = JSON.stringify(data);
  const masked = mask(text);
  return masked === text ? data : JSON.parse(masked);
}
