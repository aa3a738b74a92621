import ipaddr from 'ipaddr.js';
import { ApiError } from '../errors.ts';

/** A network from which a key may be used. */
export type AddressRange = [network: ipaddr.IPv4 | ipaddr.IPv6, prefixBits: number];

/**
 * Reads the addresses and networks (CIDR) from which a key may be used. Errors: invalid_request, for one that is neither,
 * and for a network with bits beyond its prefix, which is probably a mistake.
 *
 * @returns them as they were given, each once; null for any address
 */
export function readAllowedAddresses(given: readonly string[] | null): string[] | null {
  if (given === null) return null;
  given.forEach((text, index) => {
    if (parseRange(text)) return;
    throw new ApiError('invalid_request', 'An allowed address is not an IP address or a network.', {
      errors: [
        {
          path: `/body/allowedAddresses/${index}`,
          code: 'wrong_format',
          message: 'must be an IP address, or a network such as 203.0.113.0/24 or 2001:db8::/48',
        },
      ],
    });
  });
  return [...new Set(given)];
}

/** The ranges of stored addresses; null for any address. */
export function toRanges(stored: readonly string[] | null): AddressRange[] | null {
  return stored?.map((text) => parseRange(text)!) ?? null;
}

/**
 * Whether a client's address is in one of the ranges. An IPv4 address that is mapped into IPv6 counts as IPv4 (RFC 4291,
 * 2.5.5.2).
 */
export function isAllowedAddress(ranges: AddressRange[] | null, address: string | undefined): boolean {
  if (ranges === null) return true;
  if (address === undefined || !ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return ranges.some(([network, bits]) => client.kind() === network.kind() && client.match(network, bits));
}

function parseRange(text: string): AddressRange | null {
  const isWhole = !text.includes('/');
  if (isWhole && !(ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text))) return null;
  if (text.includes('%')) return null;
  const range = isWhole ? text + (text.includes(':') ? '/128' : '/32') : text;
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(range)) {
    const [network, bits] = ipaddr.IPv4.parseCIDR(range);
    const first = ipaddr.IPv4.networkAddressFromCIDR(range);
    return first.toString() === network.toString() ? [network, bits] : null;
  }
  if (!ipaddr.IPv6.isValidCIDR(range)) return null;
  const [network, bits] = ipaddr.IPv6.parseCIDR(range);
  const first = ipaddr.IPv6.networkAddressFromCIDR(range);
  return first.toString() === network.toString() && !network.isIPv4MappedAddress() ? [network, bits] : null;
}
