import type { Request } from 'express';
import type { Database } from '../../database.ts';
import { ApiError, errorCatalogue } from '../../errors.ts';
import { findSession, type LiveSession } from '../sessions/find-session.ts';
import { prolongSession } from '../sessions/prolong-session.ts';
import type { SessionCookies } from '../sessions/session-cookies.ts';

/**
 * Creates the function that finds the session of a request. Every endpoint prolongs a session in use here, unless the
 * request has `disableRefresh=true`; a browser receives the cookie with its new expiry.
 *
 * Errors: banned; invalid_origin, if another site caused the browser to send the cookie.
 *
 * @returns null if the request has no session, or one that has expired or never existed
 */
export function createSessionReader(dependencies: {
  database: Database;
  sessionCookies: SessionCookies;
  refuseCrossSite: (request: Request) => void;
  now: () => Date;
}): (request: Request) => Promise<LiveSession | null> {
  const { database, sessionCookies, refuseCrossSite, now } = dependencies;
  return async (request) => {
    const presented = sessionCookies.read(request.headers);
    request.presentedSession = presented;
    if (!presented) return null;
    if (presented.carrier === 'cookie') refuseCrossSite(request);
    const session = await findSession(database, presented.token, now());
    if (session?.isBanned) throw new ApiError('banned', errorCatalogue.banned.meaning);
    if (session?.isDueToBeProlonged && request.query['disableRefresh'] !== 'true') {
      const isProlonged = await prolongSession(database, session.id, now());
      if (isProlonged && presented.carrier === 'cookie') {
        request.res?.append('Set-Cookie', sessionCookies.write(presented.token, true));
      }
    }
    return session;
  };
}
