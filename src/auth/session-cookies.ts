import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sessionExpiresInSeconds } from './prolong-session.ts';

export interface PresentedSession {
  token: string;
  /** A browser sends a cookie by itself, whoever made it call; a bearer token it does not. */
  carrier: 'cookie' | 'bearer';
}

/** Reads and writes the cookies of better-auth that carry sessions. Whether a token is one is not known here. */
export interface SessionCookies {
  /**
   * Finds the session token that a request presents: as bearer (RFC 6750), plain or with its signature, else in
   * the session cookie, whose signature must be right.
   */
  read: (headers: IncomingHttpHeaders) => PresentedSession | null;
  /** Finds the administrator's own session, which impersonating has put aside in a cookie of its own. */
  readAdministrator: (headers: IncomingHttpHeaders) => { token: string; isRemembered: boolean } | null;
  /** A Set-Cookie line that hands a session to the browser, for a week or until it is closed. */
  write: (token: string, isRemembered: boolean) => string;
  /** Set-Cookie lines that take from the browser what belongs to a session; `session` is the session itself. */
  clear: (which: ('session' | 'administrator' | 'notRemembered')[]) => string[];
}

/**
 * @param baseUrl over https the cookies are for https alone, and their names say so
 * @param secret what cookies are signed with
 */
export function createSessionCookies({
  baseUrl,
  secret,
}: {
  baseUrl: string;
  secret: string;
}): SessionCookies {
  const isSecure = baseUrl.startsWith('https:');
  const prefix = `${isSecure ? '__Secure-' : ''}better-auth`;
  const names = {
    session: `${prefix}.session_token`,
    administrator: `${prefix}.admin_session`,
    notRemembered: `${prefix}.dont_remember`,
  };
  const attributes = `Path=/; HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=Lax`;
  return {
    read: (headers) => {
      const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
      if (bearer !== undefined) {
        const token = bearer.includes('.') ? verifySigned(bearer, secret) : bearer;
        return token === null ? null : { token, carrier: 'bearer' };
      }
      const token = readSigned(headers, names.session, secret);
      return token === null ? null : { token, carrier: 'cookie' };
    },
    readAdministrator: (headers) => {
      const [token, notRemembered] = readSigned(headers, names.administrator, secret)?.split(':') ?? [];
      return token === undefined ? null : { token, isRemembered: !notRemembered };
    },
    write: (token, isRemembered) => {
      const value = encodeURIComponent(`${token}.${sign(token, secret).toString('base64')}`);
      const age = isRemembered ? `Max-Age=${sessionExpiresInSeconds}; ` : '';
      return `${names.session}=${value}; ${age}${attributes}`;
    },
    clear: (which) => which.map((name) => `${names[name]}=; Max-Age=0; ${attributes}`),
  };
}

function readSigned(headers: IncomingHttpHeaders, name: string, secret: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const separator = pair.indexOf('=');
    if (pair.slice(0, separator).trim() === name)
      return verifySigned(pair.slice(separator + 1).trim(), secret);
  }
  return null;
}

/** Reads `<value>.<signature>`, percent-encoded or not; the signature is HMAC-SHA256 in base64. */
function verifySigned(text: string, secret: string): string | null {
  const decoded = decode(text);
  const dot = decoded.lastIndexOf('.');
  if (dot < 1) return null;
  const value = decoded.slice(0, dot);
  const expected = sign(value, secret);
  const given = Buffer.from(decoded.slice(dot + 1), 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected) ? value : null;
}

function sign(value: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(value).digest();
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
