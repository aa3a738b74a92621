import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { bearerOf } from './bearer.ts';
import { sessionExpiresInSeconds } from './prolong-session.ts';

export interface PresentedSession {
  token: string;
  /** A browser sends a cookie by itself, whoever made it call; a bearer token it does not. */
  carrier: 'cookie' | 'bearer';
}

/** Reads and writes the cookies of better-auth that carry sessions. Whether a token is one is not known here. */
export interface SessionCookies {
  /**
   * Finds the session token that a request presents. A bearer token (RFC 6750) decides where there is one, plain or
   * with its signature; else the session cookie does, whose signature must be right.
   */
  read: (headers: IncomingHttpHeaders) => PresentedSession | null;
  /** Finds the administrator's own session, which impersonating has put aside in a cookie of its own. */
  readAdministrator: (headers: IncomingHttpHeaders) => { token: string; isRemembered: boolean } | null;
  /**
   * Makes the Cookie header of a request to better-auth: the session that was authenticated, signed here, and that a
   * browser is not to keep it. Of what the caller sent nothing is handed on.
   */
  ofSession: (session: PresentedSession, headers: IncomingHttpHeaders) => string;
  /**
   * Finds the cookie of a sign-in at a provider that is under way, as a Cookie header. It is encrypted, and better-auth
   * refuses one that it did not make.
   */
  ofSignInUnderWay: (headers: IncomingHttpHeaders) => string | null;
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
    signInUnderWay: `${prefix}.oauth_state`,
  };
  const attributes = `Path=/; HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=Lax`;
  const readSigned = (headers: IncomingHttpHeaders, name: keyof typeof names): string | null => {
    const text = readCookie(headers, names[name]);
    return text === null ? null : verifySigned(text, secret);
  };
  const writeSigned = (name: keyof typeof names, value: string): string =>
    `${names[name]}=${encodeURIComponent(`${value}.${sign(value, secret)}`)}`;
  return {
    read: (headers) => {
      const bearer = bearerOf(headers);
      const token =
        bearer === undefined
          ? readSigned(headers, 'session')
          : bearer.includes('.')
            ? verifySigned(bearer, secret)
            : bearer;
      return token === null ? null : { token, carrier: bearer === undefined ? 'cookie' : 'bearer' };
    },
    readAdministrator: (headers) => {
      const [token, notRemembered] = readSigned(headers, 'administrator')?.split(':') ?? [];
      return token === undefined ? null : { token, isRemembered: !notRemembered };
    },
    ofSession: ({ token, carrier }, headers) => {
      const isRemembered = carrier === 'bearer' || readSigned(headers, 'notRemembered') !== 'true';
      const cookies = [
        writeSigned('session', token),
        ...(isRemembered ? [] : [writeSigned('notRemembered', 'true')]),
      ];
      return cookies.join('; ');
    },
    ofSignInUnderWay: (headers) => {
      const value = readCookie(headers, names.signInUnderWay);
      return value === null ? null : `${names.signInUnderWay}=${value}`;
    },
    write: (token, isRemembered) => {
      const age = isRemembered ? `Max-Age=${sessionExpiresInSeconds}; ` : '';
      return `${writeSigned('session', token)}; ${age}${attributes}`;
    },
    clear: (which) => which.map((name) => `${names[name]}=; Max-Age=0; ${attributes}`),
  };
}

/** The first of a name: a browser sends the one with the longest path first (RFC 6265, 5.4). */
function readCookie(headers: IncomingHttpHeaders, name: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const separator = pair.indexOf('=');
    if (separator > 0 && pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim();
  }
  return null;
}

/**
 * Reads `<value>.<signature>`, percent-encoded or not. The signature is compared as text, so that a value has one: read
 * as base64 (RFC 4648, 3.3 and 3.5), what is no base64 in it would be skipped, and bits beyond its last byte ignored.
 */
function verifySigned(text: string, secret: string): string | null {
  const decoded = decode(text);
  const dot = decoded.lastIndexOf('.');
  if (dot < 1) return null;
  const value = decoded.slice(0, dot);
  const [given, expected] = [Buffer.from(decoded.slice(dot + 1)), Buffer.from(sign(value, secret))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? value : null;
}

/** HMAC-SHA256 in base64, as better-auth signs its cookies. */
function sign(value: string, secret: string): string {
  return createHmac('sha256', secret).update(value).digest('base64');
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
