import { validate as isUuid } from 'uuid';
import type { Database } from '../../database.ts';
import { notFound } from '../../errors.ts';
import { hashSessionToken } from './session-token.ts';
import { Session } from './session.entity.ts';
import { User } from '../user.entity.ts';

/** Lists the live sessions of a user, newest first. Error: not_found, if the user does not exist. */
export async function listUserSessions(database: Database, userId: string, now: Date): Promise<Session[]> {
  const em = database.em.fork();
  if (!isUuid(userId) || (await em.count(User, { id: userId })) === 0) throw notFound();
  return listOwnSessions(database, userId, now);
}

/** Lists the live sessions of a user, newest first. */
export function listOwnSessions(database: Database, userId: string, now: Date): Promise<Session[]> {
  const live = { user: userId, expiresAt: { $gt: now } };
  return database.em.fork().find(Session, live, { orderBy: { id: 'desc' } });
}

/** Ends the session that matches all given values. If no session matches, it does nothing. */
export async function revokeSession(
  database: Database,
  { id, token, userId }: { id?: string; token?: string; userId?: string },
): Promise<void> {
  await database.em.fork().nativeDelete(Session, {
    ...(id === undefined ? { token: hashSessionToken(token!) } : { id }),
    ...(userId !== undefined && { user: userId }),
  });
}

/** Ends the sessions of a user, except `exceptId`. */
export async function revokeSessions(database: Database, userId: string, exceptId?: string): Promise<void> {
  const kept = exceptId === undefined ? {} : { id: { $ne: exceptId } };
  await database.em.fork().nativeDelete(Session, { user: userId, ...kept });
}
