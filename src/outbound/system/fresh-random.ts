/**
 * Random bytes that two processes restored from one memory snapshot do not share. What lives in the process's memory is
 * the same in each copy: Node's cache of random bytes, and the state of OpenSSL's generator, which asks the system again
 * only after many draws. The kernel of a restored machine is told of it and mixes its own pool anew, so the bytes are
 * read from the kernel each time, and mixed with OpenSSL's so that the result is never weaker than either.
 */
import { randomFillSync } from 'node:crypto';
import { openSync, readSync } from 'node:fs';

/** Fills the buffer from the operating system. */
export type SystemRandom = (into: Uint8Array) => void;

/** The system's generator, opened once: a file descriptor of it survives a snapshot. Undefined where there is none. */
function openSystemRandom(): SystemRandom | undefined {
  if (process.platform === 'win32') return undefined;
  const device = openSync('/dev/urandom', 'r');
  return (into) => {
    for (let filled = 0; filled < into.length; ) {
      filled += readSync(device, into, filled, into.length - filled, null);
    }
  };
}

let system: SystemRandom | undefined | null = null;

/** `count` bytes, at most 64. */
export function freshRandom(count: number, source?: SystemRandom): Uint8Array {
  if (source === undefined && system === null) system = openSystemRandom();
  const fill = source ?? system ?? undefined;
  const bytes = randomFillSync(new Uint8Array(count));
  if (fill === undefined) return bytes;
  const own = new Uint8Array(count);
  fill(own);
  for (const [index, byte] of own.entries()) bytes[index] = (bytes[index] ?? 0) ^ byte;
  return bytes;
}

export function freshHex(count: number): string {
  return Buffer.from(freshRandom(count)).toString('hex');
}

/** A version 4 UUID. */
export function freshUuid(source?: SystemRandom): string {
  const bytes = freshRandom(16, source);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
