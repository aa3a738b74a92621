import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Global unicast as far as IANA has opened it; the rest of IPv6 is reserved (RFC 4291, 2.4). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** RFC 4291, 2.5.5.1: long deprecated, yet some systems still connect to the IPv4 address within. */
const ipv4Compatible = ipaddr.IPv6.parseCIDR('::/96');

/** The one NAT64 prefix that is known everywhere (RFC 6052, 2.1): a resolver with DNS64 answers with it. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Addresses that look public and are not: Azure answers at 168.63.129.16 inside every virtual network, with
 * what its metadata service gives a machine.
 */
const platformAddresses = new Set(['168.63.129.16']);

/**
 * Says whether an address is one of the public Internet, to which a tenant may have requests sent.
 *
 * Only global unicast is. Not loopback, private, link-local (and so 169.254.169.254), shared (RFC 6598),
 * multicast, broadcast, unspecified, documentation, benchmarking or reserved addresses, nor unique local ones
 * of IPv6 (IANA's special-purpose registries, RFC 6890).
 *
 * An IPv4 address within an IPv6 one (IPv4-mapped, IPv4-compatible, NAT64) is judged as itself. 6to4 and
 * Teredo are refused whatever is within: no receiver is there (RFC 7526), and a relay on the way would connect
 * to the address within. So are the local NAT64 prefix (RFC 8215) and addresses with a zone.
 *
 * @param ip an address as a resolver gives it: dotted decimal or IPv6 without brackets. Any other string,
 *   short and octal forms too, is false.
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
