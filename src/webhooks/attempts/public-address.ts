import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The global unicast range that IANA has assigned. The rest of IPv6 is reserved (RFC 4291, 2.4). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** RFC 4291, 2.5.5.1: deprecated, but some systems still connect to the embedded IPv4 address. */
const ipv4Compatible = ipaddr.IPv6.parseCIDR('::/96');

/** The well-known NAT64 prefix (RFC 6052, 2.1). Resolvers with DNS64 return it. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Addresses that look public but are not: inside every Azure virtual network, 168.63.129.16 serves the data of the
 * metadata service.
 */
const platformAddresses = new Set(['168.63.129.16']);

/**
 * Returns whether an address belongs to the public Internet, so that tenants may have requests sent to it.
 *
 * Only global unicast addresses are public. Loopback, private, link-local (including 169.254.169.254), shared
 * (RFC 6598), multicast, broadcast, unspecified, documentation, benchmarking and reserved addresses are not, nor are
 * unique local IPv6 addresses (IANA's special-purpose registries, RFC 6890).
 *
 * For an IPv4 address embedded in an IPv6 address (IPv4-mapped, IPv4-compatible, NAT64), the IPv4 address decides. 6to4
 * and Teredo addresses are always refused: they have no receivers (RFC 7526), and a relay would connect to the embedded
 * address. The local NAT64 prefix (RFC 8215) and addresses with a zone are refused too.
 *
 * @param ip an address as a resolver returns it: dotted decimal, or IPv6 without brackets. Any other string, including
 *   short and octal forms, returns false.
 */
export function isPublicAddress(ip: string): boolean {
  if (isIP(ip) === 0 || ip.includes('%')) return false;
  const address = ipaddr.parse(ip);
  return address instanceof ipaddr.IPv6 ? isPublicIPv6(address) : isPublicIPv4(address);
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !platformAddresses.has(address.toString());
}

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicIPv4(address.toIPv4Address());
  if (address.match(ipv4Compatible) || address.match(nat64)) {
    return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  }
  return address.match(globalUnicast) && address.range() === 'unicast';
}
