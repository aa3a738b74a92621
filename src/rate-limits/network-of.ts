import ipaddr from 'ipaddr.js';

/**
 * The length of an IPv6 prefix in parts of 16 bits: each customer has at least a /64 (RFC 6177), with 2^64 addresses to
 * choose from.
 */
const prefixParts = 4;

/**
 * Returns the network that identifies a client: an IPv4 address unchanged, including one mapped into IPv6 (RFC 4291,
 * 2.5.5.2), and the /64 of an IPv6 address.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return address ?? '';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const parts = parsed.parts.map((part, index) => (index < prefixParts ? part : 0));
  return `${new ipaddr.IPv6(parts).toString()}/64`;
}
