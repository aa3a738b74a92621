import type { IncomingHttpHeaders } from 'node:http';

/** No token that anybody has. */
const malformed = '';

/**
 * Finds the bearer token of a request (RFC 6750, 2.1). A header that begins with `Bearer` and goes on in any other
 * way is a wrong token: it does not let another credential count. A header of another scheme is ignored.
 */
export function bearerOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  const given = authorization.trim();
  if (!/^Bearer/i.test(given)) return undefined;
  return /^Bearer +(\S.*)$/is.exec(given)?.[1] ?? malformed;
}
