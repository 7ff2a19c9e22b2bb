import type { Fault } from '../errors/fault.ts';

/** Where nobody can know how long it takes. */
const usualSeconds = 5;

/** Value of `Retry-After`, in seconds, for the faults of too much at once (429). */
export function retryAfter({ detail }: Fault): string {
  return String(detail.seconds ?? usualSeconds);
}
