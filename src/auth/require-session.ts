import type { Request } from 'express';
import type { Database } from '../database.ts';
import { ApiError, errorCatalogue } from '../errors.ts';
import { findSession, type LiveSession } from './find-session.ts';
import { presentedSession } from './session-token.ts';

/**
 * Makes the look-up of the session that a request presents.
 *
 * Errors: banned; invalid_origin, for a browser that another site made call with the cookie.
 *
 * @returns null when no session is presented, or one that is over or was never
 */
export function createSessionReader(dependencies: {
  database: Database;
  sessionCookie: string;
  secret: string;
  /** Ours included. */
  trustedOrigins: readonly string[];
  now: () => Date;
}): (request: Request) => Promise<LiveSession | null> {
  const { database, sessionCookie, secret, now } = dependencies;
  const trustedOrigins = new Set(dependencies.trustedOrigins);
  return async (request) => {
    const presented = presentedSession(request.headers, sessionCookie, secret);
    if (!presented) return null;
    const origin = request.get('Origin');
    const mayWrite = request.method !== 'GET' && request.method !== 'HEAD';
    if (presented.carrier === 'cookie' && mayWrite && origin !== undefined && !trustedOrigins.has(origin)) {
      throw new ApiError('invalid_origin', errorCatalogue.invalid_origin[1]);
    }
    const session = await findSession(database, presented.token, now());
    if (session?.isBanned) throw new ApiError('banned', errorCatalogue.banned[1]);
    return session;
  };
}
