import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { challengeCookie } from '../passkeys/passkey-plugin.ts';
import { bearerOf } from './bearer.ts';
import { sessionExpiresInSeconds } from './prolong-session.ts';

export interface PresentedSession {
  token: string;
  /** A browser sends a cookie by itself, whichever site caused the request. It does not do so with a bearer token. */
  carrier: 'cookie' | 'bearer';
}

/** Reads and writes the session cookies of better-auth. It does not check whether a token is a valid session. */
export interface SessionCookies {
  /**
   * Finds the session token that a request presents. A bearer token (RFC 6750), with or without its signature, takes
   * precedence; otherwise the session cookie is used, which must have a valid signature.
   */
  read: (headers: IncomingHttpHeaders) => PresentedSession | null;
  /** Finds the administrator's own session, which impersonation has moved to a separate cookie. */
  readAdministrator: (headers: IncomingHttpHeaders) => { token: string; isRemembered: boolean } | null;
  /**
   * Creates the Cookie header of a request to better-auth. It contains the authenticated session, signed here, and the
   * flag that a browser does not remember it. No cookie value of the caller is passed on.
   */
  ofSession: (session: PresentedSession, headers: IncomingHttpHeaders) => string;
  /**
   * Finds the cookie of a sign-in in progress at a provider, as a Cookie header. It is encrypted, and better-auth
   * refuses a cookie that it did not create.
   */
  ofSignInUnderWay: (headers: IncomingHttpHeaders) => string | null;
  /**
   * Finds the cookie of a passkey ceremony in progress, as a Cookie header. better-auth signed it, and uses it once; with
   * the answer of an authenticator to another challenge it is of no use.
   */
  ofPasskeyChallenge: (headers: IncomingHttpHeaders) => string | null;
  /** A Set-Cookie line that gives a session to the browser, for a week or until the browser is closed. */
  write: (token: string, isRemembered: boolean) => string;
  /** Set-Cookie lines that remove the cookies of a session from the browser; `session` is the session itself. */
  clear: (which: ('session' | 'administrator' | 'notRemembered')[]) => string[];
}

/**
 * @param baseUrl with https, the cookies are limited to https, and their names have the prefix `__Secure-`
 * @param secret signs the cookies
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
    passkeyChallenge: `${prefix}.${challengeCookie}`,
  };
  const attributes = `Path=/; HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=Lax`;
  const readSigned = (headers: IncomingHttpHeaders, name: keyof typeof names): string | null => {
    const text = readCookie(headers, names[name]);
    return text === null ? null : verifySigned(text, secret);
  };
  const writeSigned = (name: keyof typeof names, value: string): string =>
    `${names[name]}=${encodeURIComponent(`${value}.${sign(value, secret)}`)}`;
  const asItIs = (headers: IncomingHttpHeaders, name: keyof typeof names): string | null => {
    const value = readCookie(headers, names[name]);
    return value === null ? null : `${names[name]}=${value}`;
  };
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
    ofSignInUnderWay: (headers) => asItIs(headers, 'signInUnderWay'),
    ofPasskeyChallenge: (headers) => asItIs(headers, 'passkeyChallenge'),
    write: (token, isRemembered) => {
      const age = isRemembered ? `Max-Age=${sessionExpiresInSeconds}; ` : '';
      return `${writeSigned('session', token)}; ${age}${attributes}`;
    },
    clear: (which) => which.map((name) => `${names[name]}=; Max-Age=0; ${attributes}`),
  };
}

/** Reads the first cookie of a name: a browser sends the one with the longest path first (RFC 6265, 5.4). */
function readCookie(headers: IncomingHttpHeaders, name: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const separator = pair.indexOf('=');
    if (separator > 0 && pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim();
  }
  return null;
}

/**
 * Reads `<value>.<signature>`, percent-encoded or not. The signature is compared as text, so that each value has
 * exactly one signature: decoding it as base64 (RFC 4648, 3.3 and 3.5) would skip other characters and ignore bits
 * beyond the last byte.
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
