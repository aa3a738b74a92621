import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface PresentedSession {
  token: string;
  /** A browser sends a cookie by itself, whoever made it call; a bearer token it does not. */
  carrier: 'cookie' | 'bearer';
}

/**
 * Finds the session token that a request presents: as bearer (RFC 6750), plain or with its signature, else in
 * better-auth's cookie, whose signature must be right. Whether the token is one is not known yet.
 *
 * @param cookieName the session cookie's name
 * @param secret what cookies are signed with
 */
export function presentedSession(
  headers: IncomingHttpHeaders,
  cookieName: string,
  secret: string,
): PresentedSession | null {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) {
    const token = bearer.includes('.') ? verifySigned(bearer, secret) : bearer;
    return token === null ? null : { token, carrier: 'bearer' };
  }
  for (const pair of (headers.cookie ?? '').split(';')) {
    const separator = pair.indexOf('=');
    if (pair.slice(0, separator).trim() !== cookieName) continue;
    const token = verifySigned(pair.slice(separator + 1).trim(), secret);
    return token === null ? null : { token, carrier: 'cookie' };
  }
  return null;
}

/** Reads `<token>.<signature>`, percent-encoded or not; the signature is HMAC-SHA256 in base64. */
function verifySigned(value: string, secret: string): string | null {
  const decoded = decode(value);
  const dot = decoded.lastIndexOf('.');
  if (dot < 1) return null;
  const token = decoded.slice(0, dot);
  const expected = createHmac('sha256', secret).update(token).digest();
  const given = Buffer.from(decoded.slice(dot + 1), 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
