import type { IncomingHttpHeaders } from 'node:http';

/**
 * Finds the bearer token of a request (RFC 6750, 2.1), whatever it is made of: a malformed one is a wrong one, and does
 * not let another credential count. One that is empty is absent.
 */
export function bearerOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(.+)$/is.exec(authorization.trim())?.[1];
}
