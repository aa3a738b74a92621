import type { IncomingHttpHeaders } from 'node:http';

/**
 * Finds the bearer token of a request (RFC 6750, 2.1), with any content: a malformed token counts as a wrong one, and
 * no other credential is used in its place. An empty token counts as absent.
 */
export function bearerOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(.+)$/is.exec(authorization.trim())?.[1];
}
