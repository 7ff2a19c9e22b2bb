/**
 * Where a kernel may not be. Link-local addresses belong to the machine's own infrastructure, the cloud's metadata
 * service above all: nobody serves an agent there, and our token has no business there. Checked for addresses in the
 * URL and for every answer of the name service, in all spellings that end at the same place.
 */
import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { KernelError } from '../../errors/kernel-error.ts';

const forbidden = new BlockList();
// IPv4-mapped IPv6 addresses are checked against the IPv4 rule by BlockList itself.
forbidden.addSubnet('169.254.0.0', 16, 'ipv4');
forbidden.addSubnet('fe80::', 10, 'ipv6');
// The same IPv4 network as an IPv4-compatible address, through NAT64, and through 6to4.
forbidden.addSubnet('::169.254.0.0', 112, 'ipv6');
forbidden.addSubnet('64:ff9b::169.254.0.0', 112, 'ipv6');
forbidden.addSubnet('2002:a9fe::', 32, 'ipv6');
// The IPv6 address of the EC2 instance metadata service.
forbidden.addAddress('fd00:ec2::254', 'ipv6');

/** True for an IP address, in any spelling, at which no kernel is looked for. False for names. */
export function isForbiddenAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const family = isIP(bare);
  return family !== 0 && forbidden.check(bare, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * The configured address of a kernel, as an origin and a folder that ends in a slash.
 * Throws `TypeError` when it is no http(s) URL, holds credentials, or names a forbidden address.
 */
export function parseKernelUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('the kernel needs an http or https URL');
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('the URL of the kernel must not hold credentials');
  }
  if (isForbiddenAddress(url.hostname)) throw new TypeError('the kernel must not be at a link-local address');
  url.search = '';
  url.hash = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** Resolves names as the given resolver does, without the forbidden addresses; fails when no other is left. */
export function createGuardedLookup(resolve: LookupFunction = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      const allowed = addresses.filter(({ address }) => !isForbiddenAddress(address));
      const [first] = allowed;
      if (first === undefined) {
        return callback(new KernelError('unavailable', `${hostname} resolves to a link-local address`), []);
      }
      if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
