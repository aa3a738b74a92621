import type { Request } from 'express';
import type { Database } from '../database.ts';
import { ApiError, errorCatalogue } from '../errors.ts';
import { findSession, type LiveSession } from './find-session.ts';
import { prolongSession } from './prolong-session.ts';
import type { SessionCookies } from './session-cookies.ts';

/**
 * Makes the look-up of the session that a request presents. A session in use is prolonged here, whatever the
 * endpoint, unless the request says `disableRefresh=true`; a browser is given the new expiry of its cookie.
 *
 * Errors: banned; invalid_origin, for a browser that another site made call with the cookie.
 *
 * @returns null when no session is presented, or one that is over or was never
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
    if (session?.isBanned) throw new ApiError('banned', errorCatalogue.banned[1]);
    if (session?.isDueToBeProlonged && request.query['disableRefresh'] !== 'true') {
      const isProlonged = await prolongSession(database, session.id, now());
      if (isProlonged && presented.carrier === 'cookie') {
        request.res?.append('Set-Cookie', sessionCookies.write(presented.token, true));
      }
    }
    return session;
  };
}
