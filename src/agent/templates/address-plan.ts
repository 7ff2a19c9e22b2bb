/**
 * Cuts a network's block into equal subnets: how large each may be, and where it begins. IPv4 only, no promise about
 * overlap with other networks.
 */

export interface AddressPlan {
  /** The network's block with its host bits cleared, such as `10.0.0.0/16`. */
  readonly block: string;
  /** Bits that each subnet keeps for its hosts; 12 means a /20. */
  readonly hostBits: number;
}

export const defaultBlock = '10.0.0.0/16';
export const maxSubnets = 6;

/** The largest block a VPC may have, and the smallest subnet, by prefix length; the same on both clouds in effect. */
const WIDEST = 16;
const NARROWEST = 28;
/** A /24 is what people expect of a subnet; a larger one only where asked for by few subnets in a small block. */
const USUAL_HOST_BITS = 8;

/**
 * The plan for `count` subnets in `block` (IPv4 CIDR). Throws `RangeError` saying what is wrong with the block: not
 * CIDR, wider than /16, or too small.
 */
export function planAddresses(block: string, count: number): AddressPlan {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(block.trim());
  const bytes = match?.slice(1, 5).map(Number) ?? [];
  const prefix = Number(match?.[5]);
  if (match === null || bytes.some((byte) => byte > 255) || prefix > 32) {
    throw new RangeError(`${block} is not an IPv4 block such as ${defaultBlock}`);
  }
  if (prefix < WIDEST) throw new RangeError(`${block} is too wide: a network may have /${WIDEST} at most`);
  const hostBits = Math.min(USUAL_HOST_BITS, 32 - prefix - Math.ceil(Math.log2(count)));
  if (hostBits < 32 - NARROWEST) {
    throw new RangeError(`${block} has no room for ${count} subnets of /${NARROWEST} or larger`);
  }
  return { block: `${networkAddress(bytes, prefix)}/${prefix}`, hostBits };
}

function networkAddress(bytes: readonly number[], prefix: number): string {
  const masked = bytes.map((byte, position) => {
    const kept = Math.min(8, Math.max(0, prefix - 8 * position));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return masked.join('.');
}

/** How many public subnets, and as many private ones: 2 unless asked otherwise. */
export function subnetCount(asked: number | undefined, atLeast: number): number {
  return within(asked, { usual: 2, least: atLeast, most: maxSubnets });
}

/** A whole number that was asked for, brought into its range; `usual` where none was. */
export function within(
  asked: number | undefined,
  { usual, least, most }: { readonly usual: number; readonly least: number; readonly most: number },
): number {
  const wanted = asked === undefined || Number.isNaN(asked) ? usual : Math.trunc(asked);
  return Math.min(most, Math.max(least, wanted));
}
