import ipaddr from 'ipaddr.js';

/** Of an IPv6 address: what one customer has at least (RFC 6177), with 2^64 addresses to choose from. */
const prefixParts = 4;

/**
 * Returns the network that a client counts as: an IPv4 address as it is, also one that is mapped into IPv6 (RFC 4291,
 * 2.5.5.2), and of an IPv6 address its /64.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return address ?? '';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const parts = parsed.parts.map((part, index) => (index < prefixParts ? part : 0));
  return `${new ipaddr.IPv6(parts).toString()}/64`;
}
