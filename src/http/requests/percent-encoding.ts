/** Encodes each `%` that begins no byte: in a query and in a form it stands for itself, `50% off`. */
export function escapeBarePercents(encoded: string): string {
  return encoded.replace(/%(?![0-9a-f]{2})/gi, '%25');
}

/**
 * Decodes a name or value of a query or a form whose `+` are spaces already.
 *
 * @throws URIError for bytes that are not UTF-8: left as they are, they would be sent as `%ff`
 */
export function decodePercents(encoded: string): string {
  return encoded.includes('%') ? decodeURIComponent(escapeBarePercents(encoded)) : encoded;
}
